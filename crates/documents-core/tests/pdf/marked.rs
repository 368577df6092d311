//! Marked content: text that stands for what is drawn.

use documents_core::{Limits, raw_text};

use crate::lines;
use crate::writer::{HEIGHT, Page, pdf};

/// A line at `y` from the top, its middle part drawn in `font` within a replacement.
fn replaced(y: f64, text: &str, font: &str, drawn: &str) -> Page {
    Page::new().raw(&format!(
        "BT /F 12 Tf 1 0 0 1 60 {} Tm (one ) Tj /Span <</ActualText {text}>> BDC /{font} 12 Tf {drawn} Tj EMC \
         /F 12 Tf ( two) Tj ET",
        HEIGHT - y
    ))
}

#[test]
fn what_the_document_says_that_letters_stand_for_is_read_in_their_place() {
    assert_eq!(lines(&pdf(&[replaced(100.0, "(North)", "F", "(nORTH)")])), ["one North two"]);
    let text = raw_text(&pdf(&[replaced(100.0, "(North)", "F", "(nORTH)")]), "x.pdf", &Limits::default());
    assert_eq!(text.unwrap().trim(), "one North two");
}

#[test]
fn letters_without_a_meaning_are_read_by_the_text_that_stands_for_them() {
    let page = replaced(100.0, "(three words here)", "U", "<014101420143014401450146>");
    assert_eq!(lines(&pdf(&[page])), ["one three words here two"]);
}

#[test]
fn text_that_stands_for_letters_from_right_to_left_is_read_as_it_is_written() {
    let page = Page::new().raw(&format!(
        "BT 1 0 0 1 60 {} Tm /Span <</ActualText <FEFF05D005D105D2>>> BDC /F 12 Tf (abc) Tj EMC ET",
        HEIGHT - 100.0
    ));
    assert_eq!(lines(&pdf(&[page])), ["\u{5d0}\u{5d1}\u{5d2}"]);
}

#[test]
fn ornaments_that_stand_for_nothing_are_left_out() {
    assert_eq!(lines(&pdf(&[replaced(100.0, "()", "F", "(~~~)")])), ["one  two"]);
}

#[test]
fn a_text_for_several_lines_leaves_them_as_they_are_drawn() {
    let page = Page::new()
        .raw("/P <</ActualText (Something else)>> BDC")
        .lines(60.0, 100.0, 12.0, &["The first line of it", "and the second."])
        .raw("EMC");
    assert_eq!(lines(&pdf(&[page])), ["The first line of it", "and the second."]);
}

#[test]
fn marked_content_that_never_ends_and_ends_that_close_nothing_do_no_harm() {
    let page = Page::new()
        .raw("EMC EMC")
        .raw(&"/Span <</ActualText (x)>> BDC ".repeat(5_000))
        .text(60.0, 100.0, 12.0, "Still here")
        .raw(&"EMC ".repeat(6_000))
        .text(60.0, 140.0, 12.0, "and here");
    assert_eq!(lines(&pdf(&[page])), ["x", "and here"]);
}
