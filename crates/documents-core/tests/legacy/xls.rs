//! Workbooks in the records of Excel 97.

use document::{Format, ParseError};
use document_samples::xls::{book, number, place, record, shared, stream};
use document_samples::{compound, utf16};
use documents_core::{Limits, parse};

use crate::support::{cells, read, survives_damage, try_read};

#[test]
fn every_kind_of_cell_is_read() {
    let wide: Vec<u8> = [vec![2, 0, 1], utf16("\u{3b1}\u{3b2}")].concat();
    let table = [vec![2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0], b"Name".to_vec(), wide].concat();
    let formula = |column, result: [u8; 8]| {
        record(0x0006, &[place(1, column, 0), result.to_vec(), vec![0; 8]].concat())
    };
    let body = [
        shared(0, 0, 0),
        shared(0, 1, 1),
        number(0, 2, 1, 45_943.0),
        record(0x027e, &[place(0, 3, 0), ((123_u32 << 2) | 3).to_le_bytes().to_vec()].concat()),
        record(0x0205, &[place(1, 0, 0), vec![1, 0]].concat()),
        record(0x0205, &[place(1, 1, 0), vec![7, 1]].concat()),
        formula(2, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
        record(0x0207, &[vec![3, 0, 0], b"sum".to_vec()].concat()),
        formula(3, 2.5_f64.to_le_bytes()),
        record(0x00bd, &[vec![2, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 10, 0, 0, 0, 1, 0]].concat()),
        record(0x00e5, &[1, 0, 2, 0, 2, 0, 1, 0, 3, 0]),
    ];
    let formats = [record(0x00e0, &[0; 20]), record(0x00e0, &[[0, 0, 14, 0].as_slice(), &[0; 16]].concat())];
    let bytes = book(&[formats.concat(), record(0x00fc, &table)], &[("Data", 0, body.concat())]);
    let document = read(&bytes, "x.xls");
    assert_eq!(document.format, Format::Xls);
    assert_eq!(
        document.text,
        "## Data\n\n| Name | \u{3b1}\u{3b2} | 2025-10-13 | 1.23 |\n| --- | --- | --- | --- |\n| TRUE | #DIV/0! | sum | 2.5 |\n| 1 | 2 |  |  |"
    );
    assert_eq!(cells(&document).pop(), Some((2, 1, "2".to_owned(), (1, 3))));
}

#[test]
fn strings_go_on_in_the_next_record_in_either_width() {
    let first = [vec![1, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0], b"abc".to_vec()].concat();
    let second = [vec![1], utf16("d\u{e9}f")].concat();
    let strings = [record(0x00fc, &first), record(0x003c, &second)].concat();
    let document = read(&book(&[strings], &[("S", 0, shared(0, 0, 0))]), "x.xls");
    assert!(document.text.contains("abcd\u{e9}f"), "{}", document.text);
}

#[test]
fn dimensions_that_lie_reserve_nothing() {
    let dimensions = record(0x0200, &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0]);
    let body = [dimensions, number(0, 0, 0, 1.0), number(65_535, 255, 0, 2.0)].concat();
    let document = read(&book(&[], &[("S", 0, body)]), "x.xls");
    assert_eq!(cells(&document).len(), 2);
}

#[test]
fn a_locked_workbook_says_so() {
    let bytes = book(&[record(0x002f, &[1, 0, 0, 0])], &[("S", 0, number(0, 0, 0, 1.0))]);
    assert!(matches!(try_read(&bytes, "x.xls"), Err(ParseError::Encrypted)));
    let package = compound(&[("EncryptedPackage", vec![0; 5_000]), ("EncryptionInfo", vec![0; 10])]);
    assert!(matches!(try_read(&package, "x.xlsx"), Err(ParseError::Encrypted)));
}

#[test]
fn sheets_that_share_their_records_stop_at_the_limit() {
    let body: Vec<u8> = (0..200).flat_map(|row| number(row, 0, 0, 1.0)).collect();
    let mut bytes = stream(&[], &[("A", 0, body), ("B", 0, Vec::new()), ("C", 2, number(0, 0, 0, 9.0))]);
    // The second sheet claims the place of the first.
    let list: Vec<usize> = (0..bytes.len() - 2).filter(|at| bytes[*at..*at + 2] == [0x85, 0]).collect();
    let first: Vec<u8> = bytes[list[0] + 4..list[0] + 8].to_vec();
    bytes[list[1] + 4..list[1] + 8].copy_from_slice(&first);
    let file = compound(&[("Workbook", bytes)]);
    let limits = Limits { cells: 250, ..Limits::default() };
    let document = parse(&file, "x.xls", &limits).unwrap();
    assert!(document.metadata.truncated);
    assert_eq!(cells(&document).len(), 250, "{}", document.text);
    assert!(!document.text.contains("## C"), "very hidden sheets are left out");
}

#[test]
fn chains_of_sectors_that_run_in_circles_end() {
    let body: Vec<u8> = (0..2_000).flat_map(|row| number(row, 0, 0, f64::from(row))).collect();
    let bytes = book(&[], &[("S", 0, body)]);
    // Every entry of the table of sectors names the first data sector.
    let table = u32::from_le_bytes(bytes[76..80].try_into().unwrap()) as usize;
    let start = (table + 1) * if bytes[30] == 12 { 4_096 } else { 512 };
    for target in [0_u32, 1, 2] {
        let mut looped = bytes.clone();
        for at in (start..start + 512).step_by(4) {
            looped[at..at + 4].copy_from_slice(&target.to_le_bytes());
        }
        let _ = try_read(&looped, "x.xls");
    }
    // Directory entries that are each other's child.
    for at in (0..bytes.len() - 128).step_by(128) {
        let mut looped = bytes.clone();
        looped[at + 68..at + 80].copy_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        let _ = try_read(&looped, "x.xls");
    }
}

#[test]
fn damage_never_panics() {
    let body =
        [shared(0, 0, 0), number(0, 1, 0, 1.0), record(0x00e5, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0])].concat();
    let strings = record(0x00fc, &[&[1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0][..], b"ab"].concat());
    survives_damage(&book(&[strings], &[("S", 0, body)]), "x.xls", 5);
}
