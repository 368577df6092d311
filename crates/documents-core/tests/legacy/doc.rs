//! Word documents of Word 97.

use documents_core::{BlockKind, Format, ParseError};

use crate::support::{cells, compound, headings, read, survives_damage, try_read, utf16};

/// A piece of text, one or two bytes a character.
enum Piece {
    Narrow(&'static [u8]),
    Wide(&'static str),
}

const TEXT: usize = 0x600;

/// A document of pieces in the order of the text, which lie in the file from the last to the first. Paragraphs
/// (each with the bytes of its properties) end where their marks are.
fn doc(pieces: &[Piece], notes: usize, properties: &[(char, Vec<u8>)], flags: u16) -> Vec<u8> {
    let mut main = vec![0; TEXT];
    let mut table = vec![];
    let mut places = vec![0_u32; pieces.len()];
    for (index, piece) in pieces.iter().enumerate().rev() {
        let start = u32::try_from(main.len()).unwrap();
        match piece {
            Piece::Narrow(bytes) => {
                places[index] = (start * 2) | 0x4000_0000;
                main.extend(*bytes);
            }
            Piece::Wide(text) => {
                places[index] = start;
                main.extend(utf16(text));
            }
        }
    }
    let mut position = 0_u32;
    let mut positions = vec![0];
    for piece in pieces {
        position += match piece {
            Piece::Narrow(bytes) => u32::try_from(bytes.len()).unwrap(),
            Piece::Wide(text) => u32::try_from(text.encode_utf16().count()).unwrap(),
        };
        positions.push(position);
    }
    let mut plc: Vec<u8> = positions.iter().flat_map(|n| n.to_le_bytes()).collect();
    for place in &places {
        plc.extend([0, 0]);
        plc.extend(place.to_le_bytes());
        plc.extend([0, 0]);
    }
    // Properties that belong to no table come before the pieces.
    table.extend([1, 2, 0, 0xaa, 0xbb, 2]);
    table.extend(u32::try_from(plc.len()).unwrap().to_le_bytes());
    table.extend(&plc);
    let clx = table.len();
    let main_length = position as usize - notes;
    if !properties.is_empty() {
        add_properties(&mut main, &mut table, properties, places[0]);
    }
    let properties_end = table.len();
    // One numbered list of one level, and the name that paragraphs have for it.
    let mut list = vec![1, 0, 77, 0, 0, 0];
    list.extend([0; 22]);
    list.extend([1, 0, 1, 0, 0, 0]);
    list.extend([0; 26]);
    table.extend(&list);
    let overrides = table.len();
    table.extend([1, 0, 0, 0, 77, 0, 0, 0]);
    table.extend([0; 12]);
    let mut set = |at: usize, value: u32| main[at..at + 4].copy_from_slice(&value.to_le_bytes());
    set(0, 0x00c1_a5ec);
    set(8, u32::from(flags) << 16);
    set(0x4c, u32::try_from(main_length).unwrap());
    set(0x50, u32::try_from(notes).unwrap());
    set(0x01a6, u32::try_from(clx).unwrap());
    set(0x0102, u32::try_from(clx).unwrap());
    set(0x0106, u32::try_from(properties_end - clx).unwrap());
    set(0x02e2, u32::try_from(properties_end).unwrap());
    set(0x02e6, u32::try_from(overrides - properties_end).unwrap());
    set(0x02ea, u32::try_from(overrides).unwrap());
    set(0x02ee, 20);
    let name = if flags & 0x0200 == 0 { "0Table" } else { "1Table" };
    compound(&[("WordDocument", main), (name, table)])
}

/// One page of properties, for the only piece: a paragraph ends at each of the marks.
fn add_properties(main: &mut Vec<u8>, table: &mut Vec<u8>, properties: &[(char, Vec<u8>)], place: u32) {
    let start = (place & 0x3fff_ffff) / 2;
    let text: Vec<u8> = main[start as usize..].to_vec();
    let ends: Vec<u32> =
        (start + 1..).zip(&text).filter(|(_, byte)| matches!(byte, 13 | 7)).map(|(end, _)| end).collect();
    assert_eq!(ends.len(), properties.len());
    let mut page = vec![0; 512];
    page[511] = u8::try_from(ends.len()).unwrap();
    page[..4].copy_from_slice(&start.to_le_bytes());
    let mut at = 510;
    for (index, (end, (_, papx))) in ends.iter().zip(properties).enumerate() {
        page[index * 4 + 4..index * 4 + 8].copy_from_slice(&end.to_le_bytes());
        at -= papx.len() + 2;
        at &= !1;
        page[(ends.len() + 1) * 4 + index * 13] = u8::try_from(at / 2).unwrap();
        page[at] = 0;
        page[at + 1] = u8::try_from(papx.len() / 2).unwrap();
        page[at + 2..at + 2 + papx.len()].copy_from_slice(papx);
    }
    main.resize(main.len().next_multiple_of(512), 0);
    let number = u32::try_from(main.len() / 512).unwrap();
    main.extend(page);
    for value in [start, *ends.last().unwrap(), number] {
        table.extend(value.to_le_bytes());
    }
}

#[test]
fn pieces_are_put_together_in_the_order_of_the_text() {
    let pieces = [
        Piece::Narrow(b"Caf\xe9 \x96 one\r"),
        Piece::Wide("\u{4e00}\u{1f600} two\r"),
        Piece::Narrow(b"three\r"),
    ];
    let document = read(&doc(&pieces, 0, &[], 0x0200), "x");
    assert_eq!(document.format, Format::Doc);
    assert_eq!(document.text, "Caf\u{e9} \u{2013} one\n\n\u{4e00}\u{1f600} two\n\nthree");
}

#[test]
fn codes_of_fields_are_dropped_and_their_results_kept() {
    let text = b"see \x13 HYPERLINK \"http://x.example\" \x14the \x13 PAGE \x147\x15 site\x15 and\x1ethis\x01\x0bline\r";
    let document = read(&doc(&[Piece::Narrow(text)], 0, &[], 0), "x.doc");
    assert_eq!(document.text, "see the 7 site and-this\nline");
    // A field that is never closed, and an end without a beginning.
    let document = read(&doc(&[Piece::Narrow(b"a\x15b\rc\x13 code")], 0, &[], 0), "x.doc");
    assert_eq!(document.text, "ab\n\nc");
}

#[test]
fn fields_within_fields_without_end_take_no_time() {
    let mut text = vec![0x13; 200_000];
    text.extend(b"code\r");
    text.extend([0x15; 200_000]);
    text.extend(b"after\r");
    let text: &'static [u8] = text.leak();
    assert_eq!(read(&doc(&[Piece::Narrow(text)], 0, &[], 0), "x.doc").text, "after");
}

#[test]
fn headings_lists_and_tables_are_told_by_properties() {
    let style = |number: u8| vec![number, 0];
    let in_table = vec![0, 0, 0x16, 0x24, 1, 0];
    let row_end = vec![0, 0, 0x16, 0x24, 1, 0x17, 0x24, 1];
    let item = vec![0, 0, 0x0a, 0x26, 1, 0x0b, 0x46, 1, 0, 0];
    let properties = vec![
        ('\r', style(2)),
        ('\r', style(0)),
        ('\r', item),
        ('\u{7}', in_table.clone()),
        ('\u{7}', in_table.clone()),
        ('\u{7}', row_end.clone()),
        ('\r', in_table.clone()),
        ('\u{7}', in_table.clone()),
        ('\u{7}', in_table),
        ('\u{7}', row_end),
    ];
    let text = b"Title\rtext\rpoint\ra\x07b\x07\x07c\rd\x07\x07\x07";
    let document = read(&doc(&[Piece::Narrow(text)], 0, &properties, 0), "x.doc");
    assert_eq!(document.text, "## Title\n\ntext\n\n  1. point\n\n| a | b |\n| --- | --- |\n| c d |  |");
    assert_eq!(headings(&document), ["Title"]);
    assert!(matches!(document.blocks[2].kind, BlockKind::ListItem { depth: 1, ordered: true }));
    assert_eq!(cells(&document).len(), 3);
}

#[test]
fn notes_follow_the_text() {
    let document =
        read(&doc(&[Piece::Narrow(b"main\x02\r"), Piece::Narrow(b"\x02 a note\r")], 9, &[], 0), "x.doc");
    assert_eq!(document.text, "main\n\na note");
    assert_eq!(document.blocks[1].kind, BlockKind::Footnote);
}

#[test]
fn a_locked_document_says_so() {
    let bytes = doc(&[Piece::Narrow(b"secret\r")], 0, &[], 0x0100);
    assert!(matches!(try_read(&bytes, "x.doc"), Err(ParseError::Encrypted)));
}

#[test]
fn damage_never_panics() {
    let bytes = doc(&[Piece::Narrow(b"one\r"), Piece::Wide("two\r")], 0, &[], 0);
    survives_damage(&bytes, "x.doc", 41);
    let bytes = doc(&[Piece::Narrow(b"one\r")], 0, &[('\r', vec![1, 0])], 0);
    survives_damage(&bytes, "x.doc", 29);
}
