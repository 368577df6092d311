//! Word, Excel and PowerPoint files of the formats before 2007.

use document_samples::doc::{Piece, doc as document};
use document_samples::xls::{book, number, place, record, shared};
use document_samples::{numbers, ppt as presentation, utf16};

pub(crate) fn doc() -> Vec<Vec<u8>> {
    let pieces = [
        Piece::Narrow(b"Caf\xe9 \x96 one\rsee \x13 HYPERLINK \"http://x.example\" \x14the \x13 PAGE \x147\x15 site\x15 and\x1emore\x0bline\r"),
        Piece::Wide("\u{4e00}\u{1f600} second paragraph\r"),
        Piece::Narrow(b"a\x07b\x07\x07c\x07d\x07\x07\x0cnote\x02\r"),
    ];
    let in_table = vec![0, 0, 0x16, 0x24, 1, 0];
    let row_end = vec![0, 0, 0x16, 0x24, 1, 0x17, 0x24, 1];
    let item = vec![0, 0, 0x0a, 0x26, 1, 0x0b, 0x46, 1, 0, 0];
    let properties = [
        vec![2, 0],
        vec![0, 0],
        item,
        in_table.clone(),
        in_table.clone(),
        row_end.clone(),
        in_table.clone(),
        in_table,
        row_end,
    ];
    let styled = Piece::Narrow(b"Title\rsome text\rpoint\ra\x07b\x07\x07c\x07d\x07\x07");
    vec![document(&pieces, 0, &[], 0), document(&[styled], 0, &properties, 0)]
}

pub(crate) fn ppt() -> Vec<Vec<u8>> {
    vec![presentation::ppt()]
}

pub(crate) fn xls() -> Vec<Vec<u8>> {
    let of = |kind: u16, place: Vec<u8>, value: &[u8]| record(kind, &[place, value.to_vec()].concat());
    let body = [
        shared(0, 0, 0),
        shared(0, 1, 1),
        number(0, 2, 1, 45_943.0),
        of(0x027e, place(0, 3, 0), &numbers(&[123 << 2 | 3])),
        of(0x0205, place(1, 0, 0), &[1, 0]),
        of(0x0205, place(1, 1, 0), &[7, 1]),
        of(0x0006, place(1, 2, 0), &[0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]),
        record(0x0207, &[vec![3, 0, 0], b"sum".to_vec()].concat()),
        record(0x00bd, &[2, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 10, 0, 0, 0, 1, 0]),
        record(0x00e5, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0]),
    ];
    let strings =
        [vec![2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0], b"Name".to_vec(), vec![2, 0, 1], utf16("\u{3b1}\u{3b2}")];
    let globals = [
        record(0x00e0, &[0; 20]),
        record(0x00e0, &[[0, 0, 14, 0].as_slice(), &[0; 16]].concat()),
        record(0x00fc, &strings.concat()),
    ];
    vec![book(&globals, &[("Data", 0, body.concat())])]
}
