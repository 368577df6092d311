//! Tables: ruled, aligned, and what is none.

use document::{Block, BlockKind, Document};
use documents_core::{Limits, parse};

use crate::writer::{HEIGHT, Page, pdf};

fn read(page: Page) -> Document {
    parse(&pdf(&[page]), "table.pdf", &Limits::default()).unwrap()
}

fn tables(document: &Document) -> Vec<&Block> {
    document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Table { .. })).collect()
}

/// A line from one point to another, from the top left corner.
fn line(page: Page, x0: f64, y0: f64, x1: f64, y1: f64) -> Page {
    page.raw(&format!("{x0} {} m {x1} {} l S", HEIGHT - y0, HEIGHT - y1))
}

/// A cell with lines around it and text in it.
fn boxed(page: Page, x: f64, y: f64, width: f64, height: f64, text: &[&str]) -> Page {
    page.raw(&format!("{x} {} {width} {height} re S", HEIGHT - y - height)).lines(
        x + 4.0,
        y + 12.0,
        9.0,
        text,
    )
}

#[test]
fn cells_that_lines_part_have_their_place_their_span_and_their_box() {
    let mut page = boxed(Page::new(), 60.0, 100.0, 100.0, 40.0, &["Harbour"]);
    page = boxed(page, 160.0, 100.0, 200.0, 20.0, &["Ships in a week"]);
    page = boxed(page, 160.0, 120.0, 100.0, 20.0, &["in"]);
    page = boxed(page, 260.0, 120.0, 100.0, 20.0, &["out"]);
    page = boxed(page, 60.0, 140.0, 100.0, 40.0, &["Lower quay", "and basin"]);
    page = boxed(page, 160.0, 140.0, 100.0, 40.0, &["14"]);
    page = boxed(page, 260.0, 140.0, 100.0, 40.0, &["9"]);
    let document = read(page);
    let blocks = tables(&document);
    let [block] = blocks.as_slice() else { panic!("one table: {}", document.text) };
    let BlockKind::Table { cells } = &block.kind else { panic!("a table") };
    let found: Vec<(u32, u32, u32, u32, bool, &str)> = cells
        .iter()
        .map(|c| (c.row, c.column, c.row_span, c.column_span, c.header, &document.text[c.start..c.end]))
        .collect();
    assert_eq!(
        found,
        [
            (0, 0, 2, 1, true, "Harbour"),
            (0, 1, 1, 2, true, "Ships in a week"),
            (1, 1, 1, 1, true, "in"),
            (1, 2, 1, 1, true, "out"),
            (2, 0, 1, 1, false, "Lower quay and basin"),
            (2, 1, 1, 1, false, "14"),
            (2, 2, 1, 1, false, "9"),
        ]
    );
    let last = document.bounding_box(cells[6].start, cells[6].end).unwrap();
    assert!(last.x0 > 260.0 && last.x1 < 360.0 && last.y0 > 140.0 && last.y1 < 180.0, "{last:?}");
    assert_eq!(block.page, Some(1));
}

#[test]
fn a_table_with_lines_above_and_below_only_is_told_by_its_columns() {
    let mut page =
        Page::new().text(60.0, 80.0, 10.0, "The quays in the spring of last year, by the clerk of the port");
    for y in [100.0, 118.0, 178.0] {
        page = line(page, 60.0, y, 400.0, y);
    }
    let rows = [
        ["Quay", "Ships", "Tonnes"],
        ["Lower", "14", "1,200"],
        ["Upper", "9", "860"],
        ["Dry dock", "3", "75"],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let y = if row == 0 { 112.0 } else { 116.0 + 16.0 * row as f64 };
            page = page.text(64.0 + 120.0 * column as f64, y, 10.0, cell);
        }
    }
    let document = read(page);
    let expected = "| Quay | Ships | Tonnes |\n| --- | --- | --- |\n| Lower | 14 | 1,200 |\n\
                    | Upper | 9 | 860 |\n| Dry dock | 3 | 75 |";
    assert!(document.text.ends_with(expected), "{}", document.text);
    assert_eq!(tables(&document).len(), 1);
}

#[test]
fn a_cell_that_goes_on_in_the_next_line_is_one_cell_of_a_table_without_lines() {
    let mut page = Page::new();
    let rows = [
        ["Cargo", "Bales", "Weight"],
        ["Wool from the", "31", "4.5"],
        ["upper valley", "", ""],
        ["Barley", "88", "12.0"],
        ["Copper", "7", "2.9"],
        ["Granite", "16", "40.1"],
    ];
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            page = page.text(60.0 + 130.0 * column as f64, 100.0 + 12.0 * row as f64, 10.0, cell);
        }
    }
    let document = read(page);
    assert!(document.text.contains("| Wool from the upper valley | 31 | 4.5 |"), "{}", document.text);
}

#[test]
fn lists_forms_addresses_and_columns_of_prose_are_no_tables() {
    let list = Page::new().lines(60.0, 100.0, 10.0, &["1.", "2.", "3.", "4.", "5."]).lines(
        90.0,
        100.0,
        10.0,
        &["Rope", "Tar", "Nails", "Canvas", "Oil"],
    );
    let form = Page::new().lines(60.0, 100.0, 10.0, &["Name:", "Ship:", "Port:", "Crew:", "Cargo:"]).lines(
        160.0,
        100.0,
        10.0,
        &["Ada Berg", "Petrel", "Lower quay", "14", "Wool"],
    );
    let prose = [
        "the clerk of the port wrote down",
        "every ship that came in with the",
        "tide and what it carried, from",
        "wool and barley to copper and",
        "granite, and sent the list to the",
        "town each evening before dark",
    ];
    let columns = Page::new().lines(60.0, 100.0, 10.0, &prose).lines(320.0, 100.0, 10.0, &prose);
    let addresses = Page::new()
        .lines(60.0, 100.0, 10.0, &["Ada Berg", "Lower quay 3", "1201 Harbour", "Norland"])
        .lines(320.0, 100.0, 10.0, &["Otto Lind", "Mill lane 17", "8001 Valley", "Sudland"]);
    for (name, page) in [("list", list), ("form", form), ("columns", columns), ("addresses", addresses)] {
        let document = read(page);
        assert!(tables(&document).is_empty(), "{name}: {}", document.text);
    }
}

#[test]
fn a_frame_around_prose_is_no_table_and_text_beside_a_table_stays_outside() {
    let prose =
        ["the clerk of the port wrote down", "every ship that came in with the", "tide and what it carried"];
    let framed = read(boxed(Page::new(), 60.0, 100.0, 300.0, 60.0, &prose));
    assert!(tables(&framed).is_empty(), "{}", framed.text);
    let mut page =
        Page::new().text(60.0, 80.0, 10.0, "Above the table").text(60.0, 200.0, 10.0, "Below the table");
    for (index, text) in ["a", "b", "c", "d"].iter().enumerate() {
        let (column, row) = (index % 2, index / 2);
        page = boxed(page, 60.0 + 80.0 * column as f64, 100.0 + 20.0 * row as f64, 80.0, 20.0, &[text]);
    }
    let text = read(page).text;
    assert_eq!(text, "Above the table\n\n| a | b |\n| --- | --- |\n| c | d |\n\nBelow the table");
}

#[test]
fn a_page_full_of_lines_is_read_in_time() {
    let mut page = Page::new().text(60.0, 80.0, 10.0, "Lines and lines");
    for index in 0..4_000 {
        let place = 0.15 * f64::from(index);
        page = line(page, 0.0, place, 600.0, place);
        page = line(page, place, 0.0, place, 780.0);
    }
    for index in 0..4_000 {
        page = page.text(f64::from(index % 60) * 10.0, f64::from(index / 60) * 10.0, 6.0, "7");
    }
    let document = read(page);
    assert_eq!(document.text.matches('7').count(), 4_000);
}

#[test]
fn a_page_of_thousands_of_columns_or_lines_is_read_in_time() {
    let mut wide = Page::new();
    for row in 0..10 {
        for column in 0..1_000 {
            wide = wide.text(0.6 * f64::from(column), 20.0 * f64::from(row) + 20.0, 0.3, "8");
        }
    }
    let mut long = Page::new();
    for row in 0..1_500 {
        let y = 0.5 * f64::from(row);
        long = long.text(60.0, y, 0.1, "Wool").text(61.0, y, 0.1, "7").text(62.0, y, 0.1, "9");
        long = line(long, 50.0, y + 0.25, 300.0, y + 0.25);
    }
    for (page, sign, count) in [(wide, '8', 10_000), (long, '7', 1_500)] {
        let document = read(page);
        assert_eq!(document.text.matches(sign).count(), count);
    }
}

/// Rows of three cells each from `top` down.
fn rows(page: Page, top: f64, rows: &[[&str; 3]]) -> Page {
    rows.iter().enumerate().fold(page, |page, (row, cells)| {
        cells.iter().enumerate().fold(page, |page, (column, cell)| {
            boxed(page, 60.0 + 100.0 * column as f64, top + 20.0 * row as f64, 100.0, 20.0, &[cell])
        })
    })
}

#[test]
fn a_table_that_goes_on_over_pages_is_one_and_its_cells_keep_their_pages() {
    let head = ["Quay", "Ships", "Tonnes"];
    let first =
        rows(Page::new().text(60.0, 60.0, 10.0, "The quays"), 600.0, &[head, ["Lower", "14", "1,200"]]);
    let repeated = rows(Page::new(), 60.0, &[head, ["Upper", "9", "860"]]);
    let plain = rows(Page::new(), 60.0, &[["Dry dock", "3", "75"], ["Mole", "1", "8"]]).text(
        60.0,
        300.0,
        10.0,
        "As the clerk counted them",
    );
    let document = parse(&pdf(&[first, repeated, plain]), "table.pdf", &Limits::default()).unwrap();
    assert_eq!(
        document.text,
        "The quays\n\n| Quay | Ships | Tonnes |\n| --- | --- | --- |\n| Lower | 14 | 1,200 |\n\
         | Upper | 9 | 860 |\n| Dry dock | 3 | 75 |\n| Mole | 1 | 8 |\n\nAs the clerk counted them"
    );
    assert_eq!(tables(&document).len(), 1);
    assert!(document.pages_needing_ocr().is_empty());
    let page_of = |word: &str| {
        let start = document.text.find(word).unwrap();
        let span = document.spans.iter().find(|span| span.start == start).unwrap();
        (document.page_at(start).unwrap(), span.page)
    };
    let found = ["The quays", "Lower", "Upper", "Dry dock", "As the clerk"].map(page_of);
    assert_eq!(found, [(1, 1), (1, 1), (2, 2), (3, 3), (3, 3)]);
}

#[test]
fn tables_with_headers_of_their_own_stay_apart_on_pages_that_follow() {
    let first = rows(
        Page::new(),
        600.0,
        &[["Quay", "Ships", "Tonnes"], ["Lower", "14", "1,200"], ["Upper", "9", "860"]],
    );
    let second =
        rows(Page::new(), 60.0, &[["Clerk", "Born", "Paid"], ["Ada", "1840", "12"], ["Otto", "1851", "9"]]);
    let document = parse(&pdf(&[first, second]), "table.pdf", &Limits::default()).unwrap();
    assert_eq!(tables(&document).len(), 2, "{}", document.text);
}

#[test]
fn columns_of_a_table_written_from_right_to_left_are_counted_from_the_right() {
    let page = [[100.0, 130.0, 160.0]]
        .iter()
        .flatten()
        .fold(Page::new(), |page, y| page.raw(&format!("60 {} m 260 {} l S", HEIGHT - y, HEIGHT - y)));
    let page = [60.0, 160.0, 260.0]
        .iter()
        .fold(page, |page, x| page.raw(&format!("{x} {} m {x} {} l S", HEIGHT - 100.0, HEIGHT - 160.0)));
    let page = page
        .font_text("H", 180.0, 118.0, 12.0, "DCBA")
        .font_text("H", 80.0, 118.0, 12.0, "HGFE")
        .font_text("H", 180.0, 148.0, 12.0, "LKJI")
        .text(80.0, 148.0, 12.0, "42");
    let document = read(page);
    assert_eq!(
        document.text,
        "| \u{5d0}\u{5d1}\u{5d2}\u{5d3} | \u{5d4}\u{5d5}\u{5d6}\u{5d7} |\n| --- | --- |\n\
         | \u{5d8}\u{5d9}\u{5da}\u{5db} | 42 |"
    );
}
