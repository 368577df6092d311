//! Division of whole documents.

#![allow(clippy::unwrap_used, reason = "tests assert")]

use document::{Document, Page};
use intake_core::divide;

/// A document with these texts as its pages.
fn document(texts: &[&str]) -> Document {
    let mut document = Document::default();
    for (number, text) in (1..).zip(texts) {
        if !document.text.is_empty() {
            document.text.push_str("\n\n");
        }
        let start = document.text.chars().count();
        document.text.push_str(text);
        let end = document.text.chars().count();
        document.pages.push(Page { number, start, end, width: 595.0, height: 842.0, ..Page::default() });
    }
    document
}

fn parts(document: &Document) -> Vec<String> {
    divide(document).unwrap().parts.iter().map(|part| part.pages.to_string()).collect()
}

#[test]
fn invoices_of_one_sender_are_told_apart_by_their_numbers() {
    let invoice = |number: &str, date: &str, total: &str| {
        format!("Harbour Ltd\nInvoice\nInvoice No.: {number}\nDate: {date}\nTotal: {total} EUR\n")
    };
    let (one, two) = (invoice("A-1", "2 May 2024", "12.50"), invoice("A-2", "3 May 2024", "8.00"));
    assert_eq!(parts(&document(&[&one, &two])), ["1", "2"]);
}

#[test]
fn a_document_that_is_continued_stays_whole() {
    let first =
        "Harbour Ltd\nRechnung\nRechnungsnummer: A-1\nSeite 1 von 3\nKabeljau 100,00\nÜbertrag 100,00";
    let second = "Seite 2 von 3\nÜbertrag 100,00\nHering 20,00\nÜbertrag 120,00";
    let third = "Seite 3 von 3\nÜbertrag 120,00\nGesamtbetrag: 120,00 EUR";
    assert_eq!(parts(&document(&[first, second, third])), ["1-3"]);
}

#[test]
fn sheets_without_content_are_left_out_wherever_they_are() {
    let (one, two) = ("Invoice\nPage 1 of 2\nNo. 4 of 2 May", "Page 2 of 2\nTotal 12.50");
    let division = divide(&document(&["", one, " ", two, "SEPARATOR", one, two, "."])).unwrap();
    let pages: Vec<String> = division.parts.iter().map(|part| part.pages.to_string()).collect();
    assert_eq!((pages, division.blank), (vec!["2,4".to_owned(), "6-7".to_owned()], vec![1, 3, 5, 8]));
    assert_eq!(division.parts[0].probability, 1.0);
}

#[test]
fn every_page_with_content_is_in_one_part() {
    let texts = ["Letter\nDear Ms Grey,", "Invoice 17 of 3 May 2024", "Receipt\nTotal 4", "", "a", "Paid 3"];
    let division = divide(&document(&texts)).unwrap();
    let ranges = division.parts.iter().flat_map(|part| part.pages.ranges().to_vec());
    let mut pages: Vec<u32> = ranges.flat_map(|(first, last)| first..=last).chain(division.blank).collect();
    pages.sort_unstable();
    assert_eq!(pages, [1, 2, 3, 4, 5, 6]);
    assert!(division.boundaries.iter().all(|(_, likely)| (0.0..=1.0).contains(likely)));
}

#[test]
fn documents_without_pages_are_not_divided_and_those_without_content_are_one_part() {
    assert_eq!(divide(&Document { text: "x".into(), ..Document::default() }), None);
    assert_eq!(parts(&document(&["", "", ""])), ["1-3"]);
}

#[test]
fn thousands_of_pages_with_many_labels_take_seconds_at_most() {
    let page: String =
        (0..200).map(|n| format!("Label {}: {n}\n", char::from(b'a' + (n % 26) as u8))).collect();
    let texts = vec![page.as_str(); 3_000];
    let began = std::time::Instant::now();
    let division = divide(&document(&texts)).unwrap();
    assert_eq!(division.boundaries.len(), 2_999);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}
