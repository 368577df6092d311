//! Headings, lists, running headers and footers, paragraphs that go on, pages that need OCR.

use document::{BlockKind, Document};

use crate::writer::{Page, pdf};
use crate::{lines, read, spans_hold};

const BODY: [&str; 5] = [
    "The ferry leaves the quay at seven and",
    "comes back when the tide allows it, which",
    "in winter may well be the next day. Those",
    "who want to be sure bring a book, a coat",
    "and something warm to drink.",
];

fn document(pages: &[Page]) -> Document {
    let document = read(&pdf(pages)).unwrap();
    spans_hold(&document);
    document
}

fn kinds(document: &Document) -> Vec<(BlockKind, String)> {
    let text: Vec<char> = document.text.chars().collect();
    let block = |start: usize, end: usize| text[start..end].iter().collect::<String>();
    document.blocks.iter().map(|found| (found.kind.clone(), block(found.start, found.end))).collect()
}

#[test]
fn headings_of_one_size_have_one_level_on_all_pages() {
    let pages = [
        Page::new()
            .text(60.0, 80.0, 24.0, "Timetable")
            .text(60.0, 120.0, 16.0, "Summer")
            .lines(60.0, 150.0, 10.0, &BODY),
        Page::new().text(60.0, 120.0, 16.0, "Winter").lines(60.0, 150.0, 10.0, &BODY),
    ];
    let levels: Vec<(u8, String)> = kinds(&document(&pages))
        .into_iter()
        .filter_map(|(kind, text)| match kind {
            BlockKind::Heading { level } => Some((level, text)),
            _ => None,
        })
        .collect();
    let expected = [(1, "Timetable"), (2, "Summer"), (2, "Winter")];
    assert_eq!(levels, expected.map(|(level, text)| (level, text.to_owned())));
}

#[test]
fn bullets_and_numbers_are_items_nested_by_their_indent() {
    let page = Page::new()
        .text(60.0, 100.0, 10.0, "Bring along what is needed on the water:")
        .text(60.0, 130.0, 10.0, "\u{95} a rope of some length and of")
        .text(69.0, 142.0, 10.0, "the better kind")
        .text(80.0, 154.0, 10.0, "\u{95} hemp")
        .text(60.0, 166.0, 10.0, "\u{95} an anchor")
        .text(60.0, 200.0, 10.0, "1. Cast off")
        .text(60.0, 212.0, 10.0, "2. Set sail");
    let document = document(&[page]);
    let expected = "Bring along what is needed on the water:\n\n- a rope of some length and of\n\
                    the better kind\n  - hemp\n- an anchor\n1. Cast off\n2. Set sail";
    assert_eq!(document.text, expected);
    let items: Vec<BlockKind> = kinds(&document).into_iter().map(|(kind, _)| kind).skip(1).collect();
    let item = |depth, ordered| BlockKind::ListItem { depth, ordered };
    assert_eq!(items, [item(0, false), item(1, false), item(0, false), item(0, true), item(0, true)]);
}

#[test]
fn a_line_that_begins_with_a_number_or_a_dash_by_chance_is_no_item() {
    let page = Page::new().lines(
        60.0,
        100.0,
        10.0,
        &["The boat was built in", "1907. Nobody knows by whom", "- or why."],
    );
    let found = kinds(&document(&[page]));
    assert!(found.iter().all(|(kind, _)| *kind == BlockKind::Paragraph), "{found:?}");
}

#[test]
fn running_headers_and_footers_stay_on_the_first_page_and_page_numbers_on_none() {
    let pages: Vec<Page> = (1..=4)
        .map(|number| {
            Page::new()
                .text(60.0, 40.0, 8.0, "Harbour office, rules of the quay")
                .lines(60.0, 200.0, 10.0, &BODY)
                .text(60.0, 400.0, 10.0, &format!("Rule {}", number * 7))
                .text(280.0, 760.0, 8.0, &format!("Page {number} of 4"))
        })
        .collect();
    let text = document(&pages).text;
    assert!(text.starts_with("Harbour office") && text.matches("Harbour office").count() == 1, "{text}");
    assert!(!text.contains("Page"), "{text}");
    assert!([7, 14, 21, 28].iter().all(|rule| text.contains(&format!("Rule {rule}"))), "{text}");
}

#[test]
fn what_differs_from_page_to_page_or_is_all_there_is_stays() {
    let totals = [310, 47, 1_204];
    let pages: Vec<Page> = totals
        .iter()
        .map(|total| {
            Page::new().lines(60.0, 200.0, 10.0, &BODY).text(
                60.0,
                760.0,
                10.0,
                &format!("Carried over {total}"),
            )
        })
        .collect();
    let text = document(&pages).text;
    assert!(totals.iter().all(|total| text.contains(&format!("Carried over {total}"))), "{text}");
    let alone: Vec<Page> =
        (0..3).map(|_| Page::new().text(60.0, 40.0, 10.0, "Left blank on purpose")).collect();
    assert_eq!(document(&alone).text.matches("Left blank on purpose").count(), 3);
}

#[test]
fn a_paragraph_goes_on_over_a_page_and_its_last_word_is_mended() {
    let pages = [
        Page::new().lines(
            60.0,
            700.0,
            10.0,
            &["The pilot came aboard with his hat in his hand and spoke of the wea-"],
        ),
        Page::new().lines(60.0, 80.0, 10.0, &["ther as if it had been his own doing."]),
    ];
    let document = document(&pages);
    assert_eq!(
        document.text,
        "The pilot came aboard with his hat in his hand and spoke of the weather as if it had been his own doing."
    );
    assert_eq!(document.blocks.len(), 1);
    assert_eq!(document.page_at(document.text.find("ther as").unwrap()), Some(2));
}

#[test]
fn a_paragraph_that_ends_is_not_joined_with_the_next_page() {
    let pages = [
        Page::new().lines(60.0, 700.0, 10.0, &["The pilot came aboard with his hat in his hand."]),
        Page::new().lines(60.0, 80.0, 10.0, &["nobody had asked him to."]),
    ];
    assert_eq!(document(&pages).blocks.len(), 2);
}

#[test]
fn a_picture_with_hardly_any_text_needs_ocr_and_one_with_a_text_layer_does_not() {
    let pages = [
        Page::new().pictured().text(280.0, 760.0, 8.0, "7"),
        Page::new().pictured().raw("3 Tr").lines(60.0, 100.0, 10.0, &BODY),
        Page::new().lines(60.0, 100.0, 10.0, &BODY),
    ];
    let document = document(&pages);
    assert_eq!(document.pages_needing_ocr(), [1]);
    assert_eq!(document.text.matches("The ferry leaves").count(), 2);
}

#[test]
fn a_text_layer_under_a_scan_stays_beside_a_visible_stamp() {
    let page = Page::new()
        .pictured()
        .text(
            60.0,
            40.0,
            10.0,
            "Received on the third of May, entered, filed and forgotten at the harbour office",
        )
        .raw("3 Tr")
        .text(60.0, 100.0, 10.0, "Read by a machine");
    assert!(lines(&pdf(&[page])).contains(&"Read by a machine".to_owned()));
}

#[test]
fn two_pages_lose_the_numbers_that_are_said_to_be_theirs_and_no_others() {
    let text = |footers: [&str; 2]| {
        let page = |footer| Page::new().lines(60.0, 200.0, 11.0, &BODY).text(60.0, 770.0, 9.0, footer);
        read(&pdf(&footers.map(page))).unwrap().text
    };
    for footers in
        [["Agreement  Page 1 of 3", "Agreement  Page 2 of 3"], ["- 1 -", "- 2 -"], ["1 / 2", "2 / 2"]]
    {
        let text = text(footers);
        assert!(footers.iter().all(|footer| !text.contains(footer)), "{text}");
    }
    for footers in [["Berth 1", "Berth 2"], ["Page 4", "Page 5"], ["Kept", "Kept"]] {
        assert!(text(footers).contains(footers[1]), "{footers:?}");
    }
}
