//! Files that are broken, or built to break what reads them.

use document::ParseError;
use documents_core::{Limits, parse};

use crate::writer::{File, Page, bomb, pdf};
use crate::{lines, read, spans_hold};

fn small() -> Limits {
    Limits {
        operations: 50_000,
        page_operations: 20_000,
        glyphs: 30_000,
        page_glyphs: 10_000,
        ..Limits::default()
    }
}

#[test]
fn an_empty_page_between_others_is_a_page_and_needs_no_ocr() {
    let document = read(&pdf(&[
        Page::new().text(60.0, 100.0, 12.0, "one"),
        Page::new(),
        Page::new().text(60.0, 100.0, 12.0, "three"),
    ]))
    .unwrap();
    assert_eq!(document.text, "one\n\nthree");
    assert!(document.pages_needing_ocr().is_empty());
    assert_eq!(document.pages.len(), 3);
    assert_eq!(document.page_at(5), Some(3));
}

#[test]
fn a_document_of_empty_pages_has_no_text() {
    assert!(matches!(read(&pdf(&[Page::new(), Page::new()])), Err(ParseError::NoText)));
}

#[test]
fn a_file_that_needs_a_password_says_so() {
    let mut file = File::default();
    let pages = file.add(b"<</Type/Pages/Kids[]/Count 0>>");
    let catalog = file.add(format!("<</Type/Catalog/Pages {pages} 0 R>>").as_bytes());
    let key = "ab".repeat(32);
    let encrypt =
        file.add(format!("<</Filter/Standard/V 1/R 2/Length 40/P -44/O<{key}>/U<{key}>>>").as_bytes());
    let id = "01".repeat(16);
    let bytes = file.finish(&format!("/Root {catalog} 0 R/Encrypt {encrypt} 0 R/ID[<{id}><{id}>]"));
    assert!(matches!(read(&bytes), Err(ParseError::Encrypted)));
}

#[test]
fn a_file_cut_off_anywhere_ends_as_text_or_error() {
    let whole = pdf(&[Page::new().text(60.0, 100.0, 12.0, "A whole sentence on a page.")]);
    for cut in (0..whole.len()).step_by(7) {
        match read(&whole[..cut]) {
            Ok(document) => assert!("A whole sentence on a page.".starts_with(&document.text), "{cut}"),
            Err(error) => assert!(
                matches!(
                    error,
                    ParseError::Damaged(_)
                        | ParseError::NoText
                        | ParseError::Empty
                        | ParseError::Unsupported(_)
                ),
                "{cut}: {error:?}"
            ),
        }
    }
}

#[test]
fn a_file_without_its_table_of_objects_is_read_all_the_same() {
    let whole = pdf(&[Page::new().text(60.0, 100.0, 12.0, "Still here")]);
    let table = whole.windows(5).rposition(|window| window == b"xref\n").unwrap();
    let mut damaged = whole[..table].to_vec();
    damaged.extend_from_slice(b"trailer\n<</Root 1 0 R>>\n");
    assert_eq!(lines(&damaged), ["Still here"]);
}

#[test]
fn bytes_changed_at_random_never_bring_the_parser_down() {
    let whole = pdf(&[Page::new()
        .lines(60.0, 100.0, 12.0, &["One line", "and another"])
        .form("X", "BT /F 9 Tf (x) Tj ET")
        .raw("/X Do")]);
    // A linear congruential generator (Knuth): the same changes in every run.
    let mut state: u64 = 42;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for _ in 0..500 {
        let mut damaged = whole.clone();
        for _ in 0..4 {
            let at = next(damaged.len());
            damaged[at] = u8::try_from(next(256)).unwrap();
        }
        if let Ok(document) = parse(&damaged, "x.pdf", &small()) {
            spans_hold(&document);
        }
    }
}

#[test]
fn deep_nesting_of_arrays_states_and_page_trees_ends() {
    let arrays = format!("{}1{} 0 Td", "[".repeat(100_000), "]".repeat(100_000));
    let states = "q ".repeat(100_000);
    for operators in [arrays, states] {
        let page = Page::new().text(60.0, 100.0, 12.0, "before").raw(&operators);
        if let Ok(document) = parse(&pdf(&[page]), "x.pdf", &small()) {
            assert_eq!(document.text, "before");
        }
    }
    let mut file = File::default();
    let catalog = file.add(b"<</Type/Catalog/Pages 2 0 R>>");
    for level in 2..20_000 {
        file.add(format!("<</Type/Pages/Kids[{} 0 R]/Count 1>>", level + 1).as_bytes());
    }
    assert!(parse(&file.finish(&format!("/Root {catalog} 0 R")), "x.pdf", &small()).is_err());
}

#[test]
fn forms_that_draw_each_other_end_at_their_limit() {
    let text = Page::new().text(60.0, 100.0, 12.0, "kept");
    let myself = text.clone().form("X", "/X Do /X Do").raw("/X Do");
    assert_eq!(parse(&pdf(&[myself]), "x.pdf", &small()).unwrap().text, "kept");
    let draw = |name: &str| format!("/{name} Do ").repeat(50);
    let tree = text
        .form("D", &"0 0 m 1 1 l S ".repeat(50))
        .form("C", &draw("D"))
        .form("B", &draw("C"))
        .form("A", &draw("B"))
        .raw(&draw("A"));
    let document = parse(&pdf(&[tree]), "x.pdf", &small()).unwrap();
    assert_eq!((document.text.as_str(), document.metadata.truncated), ("kept", true));
}

#[test]
fn a_document_of_more_pages_than_allowed_is_cut_and_marked() {
    let mut file = File::default();
    file.add(b"<</Type/Catalog/Pages 2 0 R>>");
    let kids: String = (5..5_005).map(|page| format!("{page} 0 R ")).collect();
    file.add(format!("<</Type/Pages/Kids[{kids}]/Count 2000000000>>").as_bytes());
    file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    file.stream("", b"BT /F 9 Tf 9 9 Td (page) Tj ET");
    for _ in 5..5_005 {
        file.add(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>>",
        );
    }
    let limits = Limits { pages: 100, ..Limits::default() };
    let document = parse(&file.finish("/Root 1 0 R"), "x.pdf", &limits).unwrap();
    assert_eq!((document.pages.len(), document.metadata.truncated), (100, true));
    assert_eq!(document.text.matches("page").count(), 100);
}

#[test]
fn a_stream_that_inflates_without_end_stops_at_the_limits() {
    let mut file = File::default();
    file.add(b"<</Type/Catalog/Pages 2 0 R>>");
    file.add(b"<</Type/Pages/Kids[3 0 R]/Count 1>>");
    file.add(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    );
    let mut content = b"(a)Tj ".to_owned();
    content[1] = b'z';
    // About 10 MB of operators from 65 kB.
    file.stream("/Filter/FlateDecode", &bomb(&content, 40_000));
    file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    match parse(&file.finish("/Root 1 0 R"), "x.pdf", &small()) {
        Ok(document) => {
            assert!(document.metadata.truncated && document.text.len() <= 20_000, "{}", document.text.len());
            spans_hold(&document);
        }
        Err(error) => assert!(matches!(error, ParseError::Limit(_) | ParseError::NoText), "{error:?}"),
    }
}

#[test]
fn text_beyond_the_limit_is_cut_and_marked() {
    let pages: Vec<Page> =
        (0..20).map(|_| Page::new().text(60.0, 100.0, 12.0, "twenty characters ok")).collect();
    let document = parse(&pdf(&pages), "x.pdf", &Limits { text_bytes: 50, ..Limits::default() }).unwrap();
    assert!(document.metadata.truncated && document.text.len() <= 50);
    spans_hold(&document);
}

#[test]
fn a_map_from_one_code_to_a_book_gives_no_book_for_each_letter() {
    let mut file = File::default();
    file.add(b"<</Type/Catalog/Pages 2 0 R>>");
    file.add(b"<</Type/Pages/Kids[3 0 R]/Count 1>>");
    file.add(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    );
    file.stream("", format!("BT /F 9 Tf 9 600 Td ({}) Tj ET", "A".repeat(5_000)).as_bytes());
    file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>");
    let book = "0062".repeat(16_000);
    let map = format!(
        "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <{book}> endbfchar endcmap"
    );
    file.stream("", map.as_bytes());
    if let Ok(document) = read(&file.finish("/Root 1 0 R")) {
        assert!(document.text.len() < 200_000, "{}", document.text.len());
        spans_hold(&document);
    }
}

#[test]
fn a_page_of_very_many_words_is_read_row_by_row() {
    let row = "(word) Tj 30 0 Td ".repeat(20);
    let page = (0..1_200).fold(Page::new(), |page, line| {
        page.raw(&format!("BT /F 0.4 Tf 9 {} Td {row} ET", 780.0 - 0.6 * f64::from(line)))
    });
    let document = read(&pdf(&[page])).unwrap();
    assert_eq!(document.text.matches("word").count(), 24_000);
    assert_eq!(document.text.lines().filter(|line| line.matches("word").count() == 20).count(), 1_200);
    spans_hold(&document);
}

#[test]
fn annotations_that_all_pages_share_are_read_to_a_limit() {
    let mut file = File::default();
    file.add(b"<</Type/Catalog/Pages 2 0 R>>");
    let kids: String = (6..206).map(|page| format!("{page} 0 R ")).collect();
    file.add(format!("<</Type/Pages/Kids[{kids}]/Count 200>>").as_bytes());
    file.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    file.stream("", b"BT /F 9 Tf 9 9 Td (page) Tj ET");
    let boxes: String = (0..2_000)
        .map(|index| format!("<</Subtype/Widget/FT/Tx/T(f{index})/V(v)/F 2/Rect[1 1 9 9]>>"))
        .collect();
    file.add(format!("[{boxes}]").as_bytes());
    for _ in 6..206 {
        file.add(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Annots 5 0 R\
              /Resources<</Font<</F 3 0 R>>>>>>",
        );
    }
    let document = parse(&file.finish("/Root 1 0 R"), "x.pdf", &Limits::default()).unwrap();
    assert_eq!((document.pages.len(), document.fields.len()), (200, 2_000));
}
