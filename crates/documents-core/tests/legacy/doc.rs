//! Word documents of Word 97.

use document::{BlockKind, Format, ParseError};
use document_samples::doc::{Piece, doc};

use crate::support::{cells, headings, read, survives_damage, try_read};

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
    assert_eq!(read(&doc(&[Piece::Narrow(&text)], 0, &[], 0), "x.doc").text, "after");
}

#[test]
fn headings_lists_and_tables_are_told_by_properties() {
    let style = |number: u8| vec![number, 0];
    let in_table = vec![0, 0, 0x16, 0x24, 1, 0];
    let row_end = vec![0, 0, 0x16, 0x24, 1, 0x17, 0x24, 1];
    let item = vec![0, 0, 0x0a, 0x26, 1, 0x0b, 0x46, 1, 0, 0];
    let properties = vec![
        style(2),
        style(0),
        item,
        in_table.clone(),
        in_table.clone(),
        row_end.clone(),
        in_table.clone(),
        in_table.clone(),
        in_table,
        row_end,
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
    let bytes = doc(&[Piece::Narrow(b"one\r")], 0, &[vec![1, 0]], 0);
    survives_damage(&bytes, "x.doc", 29);
}
