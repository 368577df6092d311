//! Which pages need OCR, and what becomes of what OCR read on them.

use document::{BlockKind, Document, ParseError, RecognisedPage, RecognisedWord, Rect};
use documents_core::{Limits, parse, parse_recognised};

use crate::writer::{Page, pdf};

/// Pixels of a page for each point.
const SCALE: f64 = 2.0;

fn needing(pages: &[Page]) -> Vec<u32> {
    match parse(&pdf(pages), "scan.pdf", &Limits::default()) {
        Ok(document) => document.pages_needing_ocr(),
        Err(ParseError::NeedsOcr(pages)) => pages.0,
        Err(ParseError::NoText) => Vec::new(),
        Err(error) => panic!("{error:?}"),
    }
}

/// A page of the tests' size on which these words were read: lines of text with the place of their beginning and
/// their size in points, as a recogniser tells them, in boxes around the ink.
fn read(number: u32, lines: &[(f64, f64, f64, &str)]) -> RecognisedPage {
    let mut words = Vec::new();
    for (line, (x, baseline, size, text)) in lines.iter().enumerate() {
        let mut x = *x;
        for text in text.split(' ') {
            let width = 0.5 * size * text.chars().count() as f64;
            let above = if text.contains(|c: char| c.is_uppercase() || "bdfhklt0123456789".contains(c)) {
                0.72
            } else {
                0.52
            };
            let below = if text.contains(['g', 'j', 'p', 'q', 'y', ',']) { 0.21 } else { 0.0 };
            words.push(RecognisedWord {
                text: text.to_owned(),
                rect: Rect {
                    x0: x * SCALE,
                    y0: (baseline - above * size) * SCALE,
                    x1: (x + width) * SCALE,
                    y1: (baseline + below * size) * SCALE,
                },
                confidence: 95.0,
                line: u32::try_from(line).unwrap(),
            });
            x += width + 0.3 * size;
        }
    }
    RecognisedPage { number, width: (612.0 * SCALE) as u32, height: (792.0 * SCALE) as u32, words }
}

fn merged(pages: &[Page], read: &[RecognisedPage]) -> Document {
    parse_recognised(&pdf(pages), "scan.pdf", read, &Limits::default()).unwrap()
}

/// Moves every word of a page.
fn moved(mut page: RecognisedPage, by: impl Fn(&mut Rect)) -> RecognisedPage {
    page.words.iter_mut().for_each(|word| by(&mut word.rect));
    page
}

#[test]
fn pictures_without_text_need_ocr_and_logos_on_pages_of_text_do_not() {
    let logo = "q 150 0 0 150 60 600 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q";
    let prose = "The ferry leaves at nine and comes back at noon, weather permitting.";
    assert_eq!(needing(&[Page::new().pictured(), Page::new().text(60.0, 100.0, 10.0, prose)]), [1]);
    assert_eq!(needing(&[Page::new().raw(logo)]), [0; 0], "nothing but a logo");
    let receipt = logo.replace("150 0 0 150", "200 0 0 500");
    assert_eq!(needing(&[Page::new().raw(&receipt)]), [1], "nothing but a picture on a part of the page");
    assert_eq!(needing(&[Page::new().raw(logo).text(60.0, 400.0, 10.0, prose)]), [0; 0]);
    let behind = Page::new().pictured().text(60.0, 300.0, 10.0, prose);
    assert_eq!(needing(&[behind]), [0; 0], "a picture behind text");
}

#[test]
fn a_scan_with_a_stamp_at_its_edge_needs_ocr() {
    let stamp = "Case 12-345 Document 17 Filed on the third of May, page 2 of 9";
    assert_eq!(needing(&[Page::new().pictured().text(60.0, 20.0, 9.0, stamp)]), [1]);
    assert_eq!(needing(&[Page::new().text(60.0, 20.0, 9.0, stamp)]), [0; 0]);
}

#[test]
fn letters_that_are_drawn_as_shapes_and_codes_without_a_meaning_need_ocr() {
    let shape = "10 10 m 14 10 l 12 18 l f\n".repeat(300);
    let blank = Page::new();
    assert_eq!(needing(&[Page::new().raw(&shape), blank]), [1], "an empty page needs none");
    let codes: String =
        "PAID IN FULL BY THE HARBOUR MASTER".bytes().map(|c| format!("{:04x}", c - 7)).collect();
    assert_eq!(needing(&[Page::new().raw(&format!("BT /U 8 Tf 60 600 Td <{codes}> Tj ET"))]), [1]);
}

#[test]
fn the_error_of_a_scanned_document_names_its_pages() {
    let error = parse(&pdf(&[Page::new().pictured(), Page::new().pictured()]), "x.pdf", &Limits::default());
    let text = error.unwrap_err().to_string();
    assert!(text.starts_with("pages 1-2 need OCR, which is not available: install tesseract"), "{text}");
}

#[test]
fn what_was_read_is_laid_out_as_headings_and_paragraphs_in_their_places() {
    let page = read(
        1,
        &[
            (60.0, 80.0, 20.0, "Harbour dues"),
            (60.0, 120.0, 10.0, "Every ship that ties up at the quay pays by the ton, and"),
            (60.0, 132.0, 10.0, "boats of the parish pay nothing."),
        ],
    );
    let document = merged(&[Page::new().pictured()], &[page]);
    assert_eq!(
        document.text,
        "# Harbour dues\n\nEvery ship that ties up at the quay pays by the ton, and\nboats of the parish pay nothing."
    );
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    let only = document.pages[0];
    assert!(only.recognised && !only.needs_ocr && document.pages_needing_ocr().is_empty());
    let start = document.text.find("boats").unwrap();
    let place = document.bounding_box(start, start + 5).unwrap();
    assert!((place.x0 - 60.0).abs() < 1.0 && (place.y0..place.y1).contains(&130.0), "{place:?}");
}

#[test]
fn a_page_that_lies_on_its_side_or_upside_down_is_read_upright_and_its_boxes_stay_where_the_ink_is() {
    let lines = [
        (60.0, 80.0, 20.0, "Harbour dues today"),
        (60.0, 120.0, 10.0, "Every ship that ties up at the quay pays by the ton, and"),
        (60.0, 132.0, 10.0, "boats of the parish pay nothing."),
    ];
    let upright = merged(&[Page::new().pictured()], &[read(1, &lines)]);
    let (width, height) = (612.0 * SCALE, 792.0 * SCALE);
    // Where a point of the upright page, of the same size or lying, is on the page as it is.
    type Turned = fn(f64, f64, f64, f64) -> (f64, f64);
    let turns: [(Turned, [f64; 4]); 3] = [
        (|x, y, w, _| (w - y, x), [612.0 - 134.2, 60.0, 612.0 - 124.8, 85.0]),
        (|x, y, w, h| (w - x, h - y), [527.0, 792.0 - 134.2, 552.0, 792.0 - 124.8]),
        (|x, y, _, h| (y, h - x), [124.8, 707.0, 134.2, 732.0]),
    ];
    for (turn, place) in turns {
        let page = moved(read(1, &lines), |rect| {
            let (a, b) = (turn(rect.x0, rect.y0, width, height), turn(rect.x1, rect.y1, width, height));
            *rect = Rect { x0: a.0.min(b.0), y0: a.1.min(b.1), x1: a.0.max(b.0), y1: a.1.max(b.1) };
        });
        let document = merged(&[Page::new().pictured()], &[page]);
        assert_eq!(document.text, upright.text);
        assert_eq!((document.pages[0].width, document.pages[0].height), (612.0, 792.0));
        let start = document.text.find("boats").unwrap();
        let found = document.bounding_box(start, start + 5).unwrap();
        let middle = |x0: f64, y0: f64, x1: f64, y1: f64| (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
        let (is, should) =
            (middle(found.x0, found.y0, found.x1, found.y1), middle(place[0], place[1], place[2], place[3]));
        let vertical = found.y1 - found.y0 > found.x1 - found.x0;
        assert_eq!(vertical, place[3] - place[1] > place[2] - place[0], "{found:?}");
        assert!((is.0 - should.0).abs() < 80.0 && (is.1 - should.1).abs() < 80.0, "{found:?} {place:?}");
    }
}

#[test]
fn columns_are_read_one_after_the_other() {
    let prose = [
        "the tide turned before the pilot came",
        "aboard with his hat in one hand and",
        "a letter in the other which he gave",
    ];
    let column =
        |x: f64| prose.iter().enumerate().map(move |(row, text)| (x, 100.0 + 12.0 * row as f64, 10.0, *text));
    let lines: Vec<_> = column(40.0).chain(column(330.0)).collect();
    let document = merged(&[Page::new().pictured()], &[read(1, &lines)]);
    let first = document.text.find("a letter in the other").unwrap();
    let second = document.text.rfind("the tide turned").unwrap();
    assert!(first < second, "{}", document.text);
}

#[test]
fn a_page_that_was_scanned_askew_is_read_line_by_line_and_its_boxes_stay_where_the_ink_is() {
    let names = ["Anchor", "Buoys", "Cables", "Davits", "Engine", "Fender"];
    let lines: Vec<(f64, f64, f64, String)> = names
        .iter()
        .enumerate()
        .map(|(row, name)| {
            (
                40.0,
                100.0 + 14.0 * row as f64,
                10.0,
                format!(
                    "{name} stored below deck near the old mast since autumn for the winter months until paid"
                ),
            )
        })
        .collect();
    let lines: Vec<(f64, f64, f64, &str)> =
        lines.iter().map(|(x, y, size, text)| (*x, *y, *size, text.as_str())).collect();
    let slope = 0.03;
    let askew = moved(read(1, &lines), |rect| {
        let down = slope * f64::midpoint(rect.x0, rect.x1);
        (rect.y0, rect.y1) = (rect.y0 + down, rect.y1 + down);
    });
    let ink = askew.words.iter().find(|word| word.text == "Davits").unwrap().rect;
    let document = merged(&[Page::new().pictured()], &[askew]);
    for name in names {
        assert!(document.text.contains(&format!("{name} stored below deck near")), "{}", document.text);
    }
    let start = document.text.find("Davits").unwrap();
    let place = document.bounding_box(start, start + 6).unwrap();
    assert!(place.y0 <= ink.y0 / SCALE + 2.0 && place.y1 >= ink.y1 / SCALE - 2.0, "{place:?} {ink:?}");
}

#[test]
fn specks_drawings_and_nonsense_are_no_text() {
    let mut page = read(
        1,
        &[(60.0, 100.0, 10.0, "Paid"), (60.0, 200.0, 10.0, "~ - . | _"), (60.0, 300.0, 10.0, "speck")],
    );
    page.words.last_mut().unwrap().confidence = 12.0;
    let mut odd = |rect: Rect, text: &str| {
        page.words.push(RecognisedWord { text: text.to_owned(), rect, confidence: 99.0, line: 90 });
    };
    odd(Rect { x0: f64::NAN, y0: 0.0, x1: 10.0, y1: 10.0 }, "nowhere");
    odd(Rect { x0: 0.0, y0: 0.0, x1: 1e12, y1: 10.0 }, "beyond");
    odd(Rect { x0: 9.0, y0: 9.0, x1: 1.0, y1: 1.0 }, "inverted");
    odd(Rect { x0: 1.0, y0: 1.0, x1: 9.0, y1: 9.0 }, "bell\u{7}");
    odd(Rect { x0: 1.0, y0: 1.0, x1: 9.0, y1: 9.0 }, &"x".repeat(100_000));
    assert_eq!(merged(&[Page::new().pictured()], &[page]).text, "Paid");
}

#[test]
fn pages_that_were_not_read_stay_as_they_are() {
    let prose = "The ferry leaves at nine and comes back at noon, weather permitting.";
    let pages = [Page::new().text(60.0, 100.0, 10.0, prose), Page::new().pictured(), Page::new().pictured()];
    let document = merged(&pages, &[read(2, &[(60.0, 100.0, 10.0, "Second sheet")]), read(77, &[])]);
    assert_eq!(document.text, format!("{prose}\n\nSecond sheet"));
    assert_eq!(document.pages_needing_ocr(), [3]);
    let recognised: Vec<bool> = document.pages.iter().map(|page| page.recognised).collect();
    assert_eq!(recognised, [false, true, false]);
}

#[test]
fn a_scan_on_which_nothing_was_read_has_no_text() {
    let result =
        parse_recognised(&pdf(&[Page::new().pictured()]), "x.pdf", &[read(1, &[])], &Limits::default());
    assert!(matches!(result, Err(ParseError::NoText)), "{result:?}");
}

#[test]
fn rows_of_a_recognised_table_keep_their_cells() {
    let rows =
        [["Quay", "Ships", "Tonnes"], ["Lower", "14", "1,200"], ["Upper", "9", "860"], ["Mole", "3", "75"]];
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            lines.push((60.0 + 140.0 * column as f64, 100.0 + 16.0 * row as f64, 10.0, *cell));
        }
    }
    let document = merged(&[Page::new().pictured()], &[read(1, &lines)]);
    assert!(document.text.contains("| Lower | 14 | 1,200 |"), "{}", document.text);
}

const CAPTION: &str = "Figure 3. The tariff board at the harbour office, as it hung there in spring";

/// A picture of the upper two thirds of a page.
const BOARD: &str = "q 612 0 0 540 0 252 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q";

#[test]
fn a_picture_with_a_caption_beside_it_is_not_taken_for_read() {
    let captioned = Page::new().raw(BOARD).text(60.0, 600.0, 10.0, CAPTION);
    assert_eq!(needing(&[captioned]), [1]);
    let across = Page::new().raw(BOARD).text(60.0, 300.0, 10.0, CAPTION);
    assert_eq!(needing(&[across]), [0; 0], "text that was set on a picture");
    let prose: Vec<&str> = vec![CAPTION; 8];
    let page = Page::new().raw(BOARD).lines(60.0, 600.0, 10.0, &prose);
    assert_eq!(needing(&[page]), [0; 0], "a page of text with a picture");
}

#[test]
fn what_was_read_never_stands_in_place_of_a_text_layer() {
    let page = Page::new().raw(BOARD).text(60.0, 600.0, 10.0, "Paid: 1,250.00 EUR");
    // The recogniser misread the layer, and read the picture.
    let seen = read(1, &[(60.0, 300.0, 20.0, "Harbour dues"), (60.0, 600.0, 10.0, "Pald: l,25O.OO EUR")]);
    let document = merged(&[page], &[seen]);
    assert!(document.text.contains("Paid: 1,250.00 EUR"), "{}", document.text);
    assert!(document.text.contains("Harbour dues"), "{}", document.text);
    assert!(!document.text.contains("Pald") && !document.text.contains("25O"), "{}", document.text);
    let nothing = merged(
        &[Page::new().raw(BOARD).text(60.0, 600.0, 10.0, CAPTION)],
        &[RecognisedPage { words: Vec::new(), ..read(1, &[]) }],
    );
    assert_eq!(nothing.text, CAPTION);
}
