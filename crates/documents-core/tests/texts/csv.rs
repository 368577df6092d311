//! Comma- and otherwise separated values.

use document::Format;
use documents_core::{Limits, parse};

use crate::{cells, grid, read};

fn table(text: &str) -> Vec<(u32, u32, String)> {
    grid(&read(text, "x.csv"))
}

fn expected(rows: &[&[&str]]) -> Vec<(u32, u32, String)> {
    let cells = |(row, values): (usize, &&[&str])| {
        let place = move |(column, value): (usize, &&str)| {
            (u32::try_from(row).unwrap(), u32::try_from(column).unwrap(), (*value).to_owned())
        };
        values.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(cells).filter(|(_, _, value)| !value.is_empty()).collect()
}

#[test]
fn every_dialect_is_told_by_its_lines() {
    let rows: &[&[&str]] = &[&["name", "total"], &["Ada", "1"], &["Grace", "2"]];
    for delimiter in [",", ";", "\t", "|"] {
        let text = rows.iter().map(|row| row.join(delimiter)).collect::<Vec<_>>();
        assert_eq!(table(&text.join("\n")), expected(rows), "{delimiter:?}");
        assert_eq!(table(&text.join("\r\n")), expected(rows), "{delimiter:?}");
    }
}

#[test]
fn decimal_commas_do_not_hide_the_semicolon() {
    assert_eq!(
        table("name;total\nAda;1,50\nGrace;2,25"),
        expected(&[&["name", "total"], &["Ada", "1,50"], &["Grace", "2,25"]])
    );
}

#[test]
fn quotes_keep_delimiters_line_ends_and_quotes() {
    let text = "name,note\n\"Hopper, Ada\",\"said \"\"yes\"\"\"\n\"two\nlines\",x";
    assert_eq!(
        table(text),
        expected(&[&["name", "note"], &["Hopper, Ada", "said \"yes\""], &["two lines", "x"]])
    );
}

#[test]
fn rows_may_differ_in_length_and_cells_be_empty() {
    assert_eq!(
        table("a,b,c\n1,,3\n4\n5,6,7,8"),
        expected(&[&["a", "b", "c"], &["1", "", "3"], &["4"], &["5", "6", "7", "8"]])
    );
}

#[test]
fn a_quote_that_is_never_closed_loses_no_text() {
    let document = read("a,b\n\"open,2\n3,4", "x.csv");
    assert!(document.text.contains("open,2") && document.text.contains("3,4"), "{}", document.text);
}

#[test]
fn the_first_row_is_the_header_and_bars_are_escaped() {
    let document = read("a,b\n1|2,3", "x.csv");
    assert_eq!(
        (document.text.as_str(), document.format),
        ("| a | b |\n| --- | --- |\n| 1\\|2 | 3 |", Format::Csv)
    );
    assert_eq!(
        cells(&document).iter().map(|cell| cell.header).collect::<Vec<_>>(),
        [true, true, false, false]
    );
}

#[test]
fn cells_beyond_the_limit_are_cut_and_marked() {
    let text = "a,b\n".repeat(1_000);
    let document = parse(text.as_bytes(), "x.csv", &Limits { cells: 100, ..Limits::default() }).unwrap();
    assert!(document.metadata.truncated && cells(&document).len() <= 100);
}

#[test]
fn tab_separated_values_are_read_by_their_name() {
    let document = read("a\tb, c\n1\t2", "x.tsv");
    assert_eq!(grid(&document), expected(&[&["a", "b, c"], &["1", "2"]]));
}

#[test]
fn a_delimiter_that_the_first_line_states_is_believed() {
    assert_eq!(table("sep=;\na,b;c\r\n1,2;3"), expected(&[&["a,b", "c"], &["1,2", "3"]]));
}

#[test]
fn a_line_of_very_many_values_is_cut() {
    let document = read(&vec!["x"; 1_100_000].join(","), "x.csv");
    assert!(document.metadata.truncated);
    assert_eq!(grid(&document).len(), 16_384);
}
