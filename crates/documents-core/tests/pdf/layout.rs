//! The order of reading.

use document::BlockKind;

use crate::writer::{Page, pdf};
use crate::{lines, read};

const LEFT: [&str; 6] = [
    "The harbour was built when the",
    "river still reached the old mill,",
    "and the first boats carried only",
    "stone, salt and now and then a",
    "passenger who had missed his",
    "coach on the road to the coast.",
];
const RIGHT: [&str; 6] = [
    "Nobody now remembers how the",
    "crane was paid for. The council",
    "books of that year are missing,",
    "and the only drawing that is left",
    "shows it without a rope, without",
    "a driver and without a shadow.",
];

fn assert_columns(page: Page) {
    let expected: Vec<&str> = LEFT.into_iter().chain(RIGHT).collect();
    assert_eq!(lines(&pdf(&[page])), expected);
}

#[test]
fn columns_drawn_one_after_the_other_are_read_one_after_the_other() {
    assert_columns(Page::new().lines(60.0, 100.0, 11.0, &LEFT).lines(330.0, 100.0, 11.0, &RIGHT));
}

#[test]
fn columns_of_prose_are_told_even_where_they_were_drawn_line_by_line_across() {
    let page = LEFT.iter().zip(RIGHT).enumerate().fold(Page::new(), |page, (index, (left, right))| {
        let y = 100.0 + 13.0 * index as f64;
        page.text(60.0, y, 11.0, left).text(330.0, y, 11.0, right)
    });
    assert_columns(page);
}

#[test]
fn columns_that_a_narrow_gutter_parts_are_read_one_after_the_other() {
    assert_columns(Page::new().lines(60.0, 100.0, 11.0, &LEFT).lines(235.0, 101.0, 11.0, &RIGHT));
}

#[test]
fn a_heading_above_two_columns_comes_first() {
    let page = Page::new().lines(60.0, 130.0, 11.0, &LEFT).lines(330.0, 130.0, 11.0, &RIGHT).text(
        60.0,
        90.0,
        22.0,
        "The old harbour and its missing crane",
    );
    let read = lines(&pdf(&[page]));
    assert_eq!(read[0], "# The old harbour and its missing crane");
    assert_eq!((read[1].as_str(), read[7].as_str()), (LEFT[0], RIGHT[0]));
}

#[test]
fn labels_stay_on_the_line_of_their_values_in_whatever_order_they_were_drawn() {
    let labels = ["Invoice number", "Date", "Customer", "Total"];
    let values = ["A-4711", "2024-03-09", "Ada Hopper", "1,234.50"];
    let expected: Vec<String> = labels.iter().zip(values).map(|(l, v)| format!("{l}  {v}")).collect();
    let by_columns = Page::new().lines(60.0, 100.0, 11.0, &labels).lines(260.0, 100.0, 11.0, &values);
    assert_eq!(lines(&pdf(&[by_columns])), expected);
    let by_rows = labels.iter().zip(values).enumerate().fold(Page::new(), |page, (index, (label, value))| {
        let y = 100.0 + 20.0 * index as f64;
        page.text(260.0, y, 11.0, value).text(60.0, y, 11.0, label)
    });
    assert_eq!(lines(&pdf(&[by_rows])), expected);
}

#[test]
fn a_label_with_a_colon_keeps_its_value_even_beside_running_text() {
    let page = Page::new().lines(60.0, 100.0, 11.0, &["Name:", "Remark:", "Place:"]).lines(
        200.0,
        100.0,
        11.0,
        &["Ada Hopper", "came late,", "Bern"],
    );
    assert_eq!(lines(&pdf(&[page])), ["Name:  Ada Hopper", "Remark:  came late,", "Place:  Bern"]);
}

#[test]
fn blocks_side_by_side_are_read_one_after_the_other() {
    let page = Page::new()
        .lines(60.0, 100.0, 11.0, &["Bill to", "Ada Hopper", "Mill Lane 3", "3011 Bern"])
        .lines(260.0, 100.0, 11.0, &["Ship to", "Grace Noether", "Quay 17", "8001 Zurich", "Switzerland"]);
    let expected =
        "Bill to|Ada Hopper|Mill Lane 3|3011 Bern|Ship to|Grace Noether|Quay 17|8001 Zurich|Switzerland";
    assert_eq!(lines(&pdf(&[page])).join("|"), expected);
}

#[test]
fn rows_of_a_table_are_read_across() {
    let rows = [
        ["Item", "Count", "Price"],
        ["Rope", "2", "14.00"],
        ["Anchor", "1", "250.00"],
        ["Salt", "12", "3.10"],
    ];
    let mut expected: Vec<String> = rows.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
    expected.insert(1, "| --- | --- | --- |".to_owned());
    let cell = |page: Page, row: usize, column: usize| {
        page.text(60.0 + 120.0 * column as f64, 100.0 + 14.0 * row as f64, 11.0, rows[row][column])
    };
    let by_rows = (0..12).fold(Page::new(), |page, index| cell(page, index / 3, index % 3));
    let by_columns = (0..12).fold(Page::new(), |page, index| cell(page, index % 4, index / 4));
    assert_eq!(lines(&pdf(&[by_rows])), expected);
    assert_eq!(lines(&pdf(&[by_columns])), expected);
}

#[test]
fn a_cell_of_several_lines_stays_whole_in_its_row() {
    let page = Page::new()
        .text(60.0, 106.0, 11.0, "1")
        .lines(100.0, 100.0, 11.0, &["Rope of hemp,", "forty fathoms"])
        .text(260.0, 106.0, 11.0, "coil")
        .text(330.0, 106.0, 11.0, "14.00");
    assert_eq!(lines(&pdf(&[page])), ["1  Rope of hemp, forty fathoms  coil  14.00"]);
}

#[test]
fn a_turned_page_is_read_upright_and_its_boxes_lie_on_the_upright_page() {
    // Text that runs up the page stands upright once the page is turned by 90 degrees clockwise.
    let page = Page::new()
        .raw("BT /F 12 Tf 0 1 -1 0 100 200 Tm (First line) Tj ET")
        .raw("BT /F 12 Tf 0 1 -1 0 120 200 Tm (Second line) Tj ET")
        .rotated(90);
    let file = pdf(&[page]);
    assert_eq!(lines(&file), ["First line", "Second line"]);
    let document = read(&file).unwrap();
    assert_eq!((document.pages[0].width, document.pages[0].height), (792.0, 612.0));
    let first = document.spans[0].rect;
    assert!((first.x0 - 200.0).abs() < 1.0 && (80.0..100.0).contains(&first.y0), "{first:?}");
}

#[test]
fn text_that_runs_up_the_margin_is_read_after_the_body() {
    let page = Page::new()
        .raw("BT /F 8 Tf 0 1 -1 0 30 300 Tm (Printed on the third of May) Tj ET")
        .lines(60.0, 100.0, 11.0, &LEFT);
    let read = lines(&pdf(&[page]));
    assert_eq!(read[0], LEFT[0]);
    assert_eq!(read.last().unwrap(), "Printed on the third of May");
}

#[test]
fn text_that_runs_askew_keeps_its_words() {
    let page = Page::new()
        .lines(60.0, 100.0, 11.0, &LEFT)
        .raw("BT /F 40 Tf 0.7071 0.7071 -0.7071 0.7071 150 250 Tm (Not for sale) Tj ET");
    let read = lines(&pdf(&[page]));
    assert_eq!((read[0].as_str(), read.last().unwrap().as_str()), (LEFT[0], "Not for sale"));
}

#[test]
fn columns_of_letters_below_each_other_are_read_from_the_right() {
    let page = Page::new()
        .raw("BT /V 12 Tf 1 0 0 1 300 700 Tm <004100420043> Tj ET")
        .raw("BT /V 12 Tf 1 0 0 1 280 700 Tm <004400450046> Tj ET");
    assert_eq!(lines(&pdf(&[page])), ["\u{3042}\u{3043}\u{3044}", "\u{3045}\u{3046}\u{3047}"]);
}

#[test]
fn larger_lines_are_headings_unless_most_of_the_page_is_as_large() {
    let page = Page::new().text(60.0, 80.0, 20.0, "Harbour dues").lines(60.0, 120.0, 10.0, &LEFT);
    let document = read(&pdf(&[page])).unwrap();
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    let large = Page::new()
        .lines(60.0, 100.0, 14.0, &LEFT)
        .lines(60.0, 300.0, 6.0, &RIGHT)
        .lines(60.0, 400.0, 6.0, &LEFT);
    let document = read(&pdf(&[large])).unwrap();
    assert!(document.blocks.iter().all(|block| block.kind == BlockKind::Paragraph), "{:?}", document.blocks);
}

#[test]
fn right_to_left_words_and_columns_are_read_from_the_right() {
    // Drawn from left to right, as it looks: the last word first, each with its last letter first.
    let page =
        Page::new().font_text("H", 60.0, 100.0, 12.0, "DCB A").font_text("F", 60.0, 140.0, 12.0, "left");
    assert_eq!(lines(&pdf(&[page])), ["\u{5d0} \u{5d1}\u{5d2}\u{5d3}", "left"]);
    let page = Page::new()
        .font_text("H", 330.0, 100.0, 12.0, "BA")
        .font_text("H", 330.0, 114.0, 12.0, "DC")
        .font_text("H", 60.0, 107.0, 12.0, "FE");
    assert_eq!(lines(&pdf(&[page])), ["\u{5d0}\u{5d1}", "\u{5d2}\u{5d3}", "\u{5d4}\u{5d5}"]);
}
