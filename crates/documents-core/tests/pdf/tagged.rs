//! Tagged documents and bookmarks: what they tell is used where it can be trusted.

use document::{BlockKind, Document};

use crate::writer::{HEIGHT, Page, pdf_with};
use crate::{read, spans_hold};

/// The object of the first page, as the writer numbers it.
const PAGE: &str = "14 0 R";

fn element(kind: &str, children: &str) -> String {
    format!("<</S/{kind}/Pg {PAGE}/K[{children}]>>")
}

fn tagged(page: Page, tree: &str) -> Document {
    let entries = format!(
        "/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot/RoleMap<</Chapter/H1>>\
         /K<</S/Document/Pg {PAGE}/K[{tree}]>>>>"
    );
    let document = read(&pdf_with(&[page], &entries, "")).unwrap();
    spans_hold(&document);
    document
}

/// A line of content with a number.
fn marked(page: Page, number: u32, x: f64, y: f64, text: &str) -> Page {
    page.raw(&format!("/P <</MCID {number}>> BDC")).text(x, y, 11.0, text).raw("EMC")
}

fn marked_lines(lines: &[(f64, f64, &str)]) -> Page {
    (0..).zip(lines).fold(Page::new(), |page, (number, (x, y, text))| marked(page, number, *x, *y, text))
}

fn kinds(document: &Document) -> Vec<(&BlockKind, String)> {
    let text = |start: usize, end: usize| document.text.chars().skip(start).take(end - start).collect();
    document.blocks.iter().map(|block| (&block.kind, text(block.start, block.end))).collect()
}

const BODY: &str = "The harbour is closed from the first of November until the ice is gone.";

#[test]
fn headings_are_those_that_tags_name_whatever_their_size() {
    let page = marked_lines(&[
        (60.0, 100.0, "Winter rules"),
        (60.0, 140.0, BODY),
        (60.0, 180.0, "Fees"),
        (60.0, 220.0, "Boats on land pay half, and boats that leave before noon pay nothing at all."),
    ]);
    let tree = [element("Chapter", "0"), element("P", "1"), element("H2", "2"), element("P", "3")].concat();
    let document = tagged(page, &tree);
    assert!(document.text.starts_with("# Winter rules\n\nThe harbour"), "{}", document.text);
    assert!(document.text.contains("\n\n## Fees\n\nBoats"), "{}", document.text);
}

#[test]
fn tags_that_cover_only_a_part_of_the_text_are_not_trusted() {
    let page = marked_lines(&[(60.0, 100.0, "Winter rules"), (60.0, 140.0, BODY)]);
    let document = tagged(page.text(60.0, 180.0, 11.0, BODY), &element("H1", "0"));
    assert!(document.text.starts_with("Winter rules"), "{}", document.text);
}

#[test]
fn a_document_whose_every_line_is_tagged_as_a_heading_has_none() {
    let page = marked_lines(&[(60.0, 100.0, "Winter rules"), (60.0, 140.0, BODY)]);
    let document = tagged(page, &[element("H1", "0"), element("H1", "1")].concat());
    assert!(!document.text.contains('#'), "{}", document.text);
}

#[test]
fn items_of_lists_are_told_by_tags_with_their_depth_and_number() {
    let page = marked_lines(&[
        (60.0, 100.0, "1."),
        (80.0, 100.0, "Ropes are kept dry"),
        (80.0, 113.0, "and out of the sun"),
        (80.0, 126.0, "i"),
        (100.0, 126.0, "also the short ones"),
        (60.0, 139.0, "2."),
        (80.0, 139.0, "Lamps are lit at dusk"),
    ]);
    let item =
        |label: &str, body: &str| element("LI", &[element("Lbl", label), element("LBody", body)].concat());
    let inner = element("L", &item("3", "4"));
    let first = element("LI", &[element("Lbl", "0"), element("LBody", &format!("1 2 {inner}"))].concat());
    let document = tagged(page, &element("L", &[first, item("5", "6")].concat()));
    assert_eq!(
        document.text,
        "1. Ropes are kept dry\nand out of the sun\n  - also the short ones\n2. Lamps are lit at dusk"
    );
    let depths: Vec<_> = document
        .blocks
        .iter()
        .map(|block| match block.kind {
            BlockKind::ListItem { depth, ordered } => Some((depth, ordered)),
            _ => None,
        })
        .collect();
    assert_eq!(depths, [Some((0, true)), Some((1, false)), Some((0, true))]);
}

#[test]
fn tables_are_told_by_tags_where_nothing_else_shows_them() {
    // Words of prose that stand close to each other: neither lines nor gaps tell the columns.
    let page = marked_lines(&[
        (60.0, 100.0, "Who comes"),
        (115.0, 100.0, "What they bring"),
        (60.0, 114.0, "The pilot"),
        (115.0, 114.0, "a lamp"),
        (60.0, 128.0, "The cook"),
        (60.0, 142.0, "Everybody brings bread"),
    ]);
    let row = |cells: &[String]| element("TR", &cells.concat());
    let cell = |kind: &str, content: &str| element(kind, content);
    let wide = format!("<</S/TD/Pg {PAGE}/A<</O/Table/ColSpan 2>>/K 5>>");
    let table = element(
        "Table",
        &[
            row(&[cell("TH", "0"), cell("TH", "1")]),
            row(&[cell("TD", "2"), cell("TD", "3")]),
            row(&[cell("TD", "4"), cell("TD", "")]),
            row(&[wide]),
        ]
        .concat(),
    );
    let document = tagged(page, &table);
    assert_eq!(
        document.text,
        "| Who comes | What they bring |\n| --- | --- |\n| The pilot | a lamp |\n| The cook |  |\n\
         | Everybody brings bread |  |"
    );
    let BlockKind::Table { cells } = &document.blocks[0].kind else { panic!("a table") };
    let shape: Vec<_> =
        cells.iter().map(|cell| (cell.row, cell.column, cell.column_span, cell.header)).collect();
    assert_eq!(
        shape,
        [
            (0, 0, 1, true),
            (0, 1, 1, true),
            (1, 0, 1, false),
            (1, 1, 1, false),
            (2, 0, 1, false),
            (3, 0, 2, false)
        ]
    );
}

#[test]
fn a_table_by_tags_whose_rows_run_up_the_page_is_not_believed() {
    let page = marked_lines(&[
        (60.0, 142.0, "The pilot"),
        (115.0, 142.0, "a lamp"),
        (60.0, 100.0, "The cook"),
        (115.0, 100.0, "a pot"),
    ]);
    let row = |cells: &[String]| element("TR", &cells.concat());
    let rows =
        [row(&[element("TD", "0"), element("TD", "1")]), row(&[element("TD", "2"), element("TD", "3")])];
    let document = tagged(page, &element("Table", &rows.concat()));
    assert!(!document.text.contains('|'), "{}", document.text);
}

#[test]
fn pictures_are_read_by_their_description_at_their_place() {
    let page =
        marked_lines(&[(60.0, 100.0, BODY), (60.0, 400.0, "After the picture the text goes on as before.")]);
    let figure = format!(
        "<</S/Figure/Pg {PAGE}/Alt(A map of the\n harbour)/A<</O/Layout/BBox[60 {} 260 {}]>>>>",
        HEIGHT - 380.0,
        HEIGHT - 120.0
    );
    let document = tagged(page, &[element("P", "0"), figure, element("P", "1")].concat());
    let found = kinds(&document);
    assert_eq!(found[1], (&BlockKind::Figure, "A map of the harbour".to_owned()));
    assert!(document.text.contains("gone.\n\n![A map of the harbour]()\n\nAfter"), "{}", document.text);
    let place = document.blocks[1].rect.unwrap();
    assert_eq!((place.x0, place.y0, place.x1, place.y1), (60.0, 120.0, 260.0, 380.0));
}

const ASIDE: [(f64, f64, &str); 3] = [
    (60.0, 100.0, "An aside in a box."),
    (330.0, 120.0, "The story begins here."),
    (330.0, 160.0, "Here it ends."),
];

#[test]
fn tags_give_the_order_of_reading() {
    let tree = [element("P", "1"), element("P", "2"), element("P", "0")].concat();
    let document = tagged(marked_lines(&ASIDE), &tree);
    assert_eq!(document.text, "The story begins here.\n\nHere it ends.\n\nAn aside in a box.");
}

#[test]
fn an_order_that_runs_up_the_page_is_not_followed() {
    let lines: Vec<(f64, f64, &str)> = ["One", "Two", "Three", "Four"]
        .iter()
        .zip(0..4)
        .map(|(text, row)| (60.0, 100.0 + 40.0 * f64::from(row), *text))
        .collect();
    let tree: String = ["3", "2", "1", "0"].iter().map(|number| element("P", number)).collect();
    assert_eq!(tagged(marked_lines(&lines), &tree).text, "One\n\nTwo\n\nThree\n\nFour");
}

#[test]
fn a_tree_that_holds_itself_comes_to_an_end() {
    let page = marked_lines(&[(60.0, 100.0, BODY)]);
    // Object 14 is the page, which is no element; the catalog holds the tree, and the tree the catalog.
    let entries = format!(
        "/S/Sect/K 1 0 R/StructTreeRoot<</K[1 0 R 1 0 R {}]>>",
        element("H1", "0 <</Type/MCR/MCID -1>> <</Type/OBJR>> null 99999999999")
    );
    let document = read(&pdf_with(&[page], &entries, "")).unwrap();
    assert!(document.text.contains(BODY));
}

#[test]
fn paragraphs_by_tags_are_whole_and_apart_whatever_the_space_between_their_lines() {
    let page = Page::new()
        .raw("/P <</MCID 0>> BDC")
        .text(60.0, 100.0, 10.0, "The keeper wrote down the weather, and")
        .text(60.0, 124.0, 10.0, "in the evening the names of the ships.")
        .raw("EMC /P <</MCID 1>> BDC")
        .text(60.0, 136.0, 10.0, "His books are kept in the cellar of the")
        .text(60.0, 160.0, 10.0, "town hall.")
        .raw("EMC");
    let document = tagged(page, &[element("P", "0"), element("P", "1")].concat());
    assert_eq!(
        document.text,
        "The keeper wrote down the weather, and\nin the evening the names of the ships.\n\n\
         His books are kept in the cellar of the\ntown hall."
    );
}

#[test]
fn bookmarks_tell_headings_and_their_levels() {
    let page = Page::new()
        .text(60.0, 100.0, 11.0, "1. Winter rules")
        .text(60.0, 140.0, 11.0, BODY)
        .text(60.0, 180.0, 11.0, "What the boats on land")
        .text(60.0, 193.0, 11.0, "have to pay")
        .text(
            60.0,
            230.0,
            11.0,
            "Boats on land pay half, and boats that leave before noon pay nothing at all.",
        );
    let second = Page::new().text(60.0, 100.0, 11.0, BODY).text(60.0, 140.0, 11.0, "Winter rules");
    let entries = format!(
        "/Outlines<</First<</Title(Winter Rules)/Dest[{PAGE}/Fit]/First<</Title(What the boats on land have to pay)\
         /Next<</Title(Nowhere to be found)>>>>>>>>"
    );
    let document = read(&pdf_with(&[page, second], &entries, "")).unwrap();
    spans_hold(&document);
    assert!(document.text.starts_with("# 1. Winter rules\n\nThe harbour"), "{}", document.text);
    assert!(
        document.text.contains("\n\n## What the boats on land have to pay\n\nBoats"),
        "{}",
        document.text
    );
    assert_eq!(document.text.matches('#').count(), 3, "{}", document.text);
}

#[test]
fn bookmarks_that_follow_each_other_round_come_to_an_end() {
    let entries = "/Title(Round)/First 1 0 R/Next 1 0 R/Outlines<</First 1 0 R>>";
    let document = read(&pdf_with(&[Page::new().text(60.0, 100.0, 11.0, BODY)], entries, "")).unwrap();
    assert_eq!(document.text, BODY);
}

#[test]
fn titles_and_notes_within_a_tagged_table_are_text() {
    let page = marked_lines(&[
        (60.0, 100.0, "Lamps and their keepers"),
        (60.0, 114.0, "The pilot"),
        (115.0, 114.0, "a lamp"),
        (60.0, 128.0, "The cook"),
        (115.0, 128.0, "a pot"),
        (60.0, 142.0, "Counted by the harbour master on the last day of October of every year."),
    ]);
    let row = |cells: &[String]| element("TR", &cells.concat());
    let rows = [
        row(&[element("TD", "0")]),
        row(&[element("TD", "1"), element("TD", "2")]),
        row(&[element("TD", "3"), element("TD", "4")]),
        row(&[element("TD", "5")]),
    ];
    let document = tagged(page, &element("Table", &rows.concat()));
    assert_eq!(
        document.text,
        "Lamps and their keepers\n\n| The pilot | a lamp |\n| --- | --- |\n| The cook | a pot |\n\n\
         Counted by the harbour master on the last day of October of every year."
    );
}

#[test]
fn a_table_that_is_seen_is_preferred_to_tags_that_make_a_row_of_each_line() {
    let rule =
        |x0: f64, y0: f64, x1: f64, y1: f64| format!("{x0} {} m {x1} {} l S", HEIGHT - y0, HEIGHT - y1);
    let page = marked_lines(&[
        (65.0, 112.0, "Pilot"),
        (165.0, 112.0, "A lamp and"),
        (165.0, 124.0, "a long rope"),
        (65.0, 142.0, "Cook"),
        (165.0, 142.0, "A pot and"),
        (165.0, 154.0, "a big spoon"),
    ]);
    let page = [100.0, 130.0, 160.0].iter().fold(page, |page, y| page.raw(&rule(60.0, *y, 260.0, *y)));
    let page = [60.0, 160.0, 260.0].iter().fold(page, |page, x| page.raw(&rule(*x, 100.0, *x, 160.0)));
    let row = |cells: &[String]| element("TR", &cells.concat());
    let cell = |content: &str| element("TD", content);
    let rows = [
        row(&[cell("0"), cell("1")]),
        row(&[cell(""), cell("2")]),
        row(&[cell("3"), cell("4")]),
        row(&[cell(""), cell("5")]),
    ];
    let document = tagged(page, &element("Table", &rows.concat()));
    assert!(document.text.contains("| Pilot | A lamp and a long rope |"), "{}", document.text);
}
