//! Presentations of PowerPoint 97.

use document::{Format, ParseError};
use document_samples::ppt::{ppt, record, slide, text};
use document_samples::{compound, numbers};

use crate::support::{headings, read, slice, survives_damage, try_read};

#[test]
fn slides_come_in_the_order_of_the_list_with_their_notes() {
    let document = read(&ppt(), "x");
    assert_eq!(document.format, Format::Ppt);
    assert_eq!(
        document.text,
        "# First\n\ncaf\u{e9}\n\n# Second\n\na box\n\nof two\n\noutline only\n\n### Notes:\n\nsay hello"
    );
    assert_eq!(headings(&document), ["First", "Second", "Notes:"]);
    assert_eq!(document.pages.len(), 2);
    assert_eq!((document.pages[0].width, document.pages[0].height), (720.0, 540.0));
    assert_eq!(
        slice(&document, document.pages[0].start, document.pages[0].end).trim(),
        "# First\n\ncaf\u{e9}"
    );
    assert_eq!(document.page_at(document.blocks.last().unwrap().start), Some(2));
}

#[test]
fn slides_without_a_list_are_read_as_they_lie() {
    let stream = [slide(&[text(false, "one")], 0), slide(&[text(false, "two")], 0)].concat();
    let bytes = compound(&[("PowerPoint Document", stream)]);
    assert_eq!(read(&bytes, "x.ppt").text, "one\n\ntwo");
}

#[test]
fn records_within_records_without_end_and_edits_in_a_circle_end() {
    let mut deep = text(false, "bottom");
    for _ in 0..5_000 {
        deep = record(1036, 0, true, &deep);
    }
    let bytes = compound(&[("PowerPoint Document", record(1006, 0, true, &deep))]);
    assert!(matches!(try_read(&bytes, "x.ppt"), Err(ParseError::NoText)));
    let edit = record(4085, 0, false, &numbers(&[0, 0, 0, 0, 1, 5, 0]));
    let user = record(4086, 0, false, &numbers(&[20, 0xe391_c05f, 0, 0]));
    let bytes = compound(&[("PowerPoint Document", edit), ("Current User", user)]);
    assert!(matches!(try_read(&bytes, "x.ppt"), Err(ParseError::NoText)));
}

#[test]
fn a_slide_that_is_listed_without_end_is_read_once() {
    let mut lists = Vec::new();
    for id in 0..4_000 {
        lists.extend(record(1011, 0, false, &numbers(&[2, 0, 0, id, 0])));
    }
    let document = record(1000, 0, true, &record(4080, 0, true, &lists));
    let one = slide(&[text(false, &"word ".repeat(2_000))], 0);
    let places = numbers(&[2 << 20 | 1, 0, u32::try_from(document.len()).unwrap()]);
    let directory = u32::try_from(document.len() + one.len()).unwrap();
    let mut stream = [document, one, record(6002, 0, false, &places)].concat();
    let edit = u32::try_from(stream.len()).unwrap();
    stream.extend(record(4085, 0, false, &numbers(&[0, 0, 0, directory, 1, 3, 0])));
    let user = record(4086, 0, false, &numbers(&[20, 0xe391_c05f, edit, 0]));
    let document = read(&compound(&[("PowerPoint Document", stream), ("Current User", user)]), "x.ppt");
    assert_eq!(document.text.split_whitespace().count(), 2_000);
    assert_eq!(document.pages.len(), 4_000);
}

#[test]
fn damage_never_panics() {
    survives_damage(&ppt(), "x.ppt", 13);
}
