//! Tables of parsed documents: rows, cells and titles.
#![allow(clippy::unwrap_used, reason = "tests assert")]

use document::{TableContent, tables};
use documents_core::{Limits, parse};

fn read(name: &str, text: &str) -> Vec<TableContent> {
    tables(&parse(text.as_bytes(), name, &Limits::default()).unwrap())
}

#[test]
fn rows_hold_each_text_once_and_cells_tell_what_they_cover() {
    let html = "<h2>Fees</h2><table><tr><th colspan=2>a|b</th></tr><tr><td>1</td><td>2</td></tr></table>";
    let found = read("a.html", html);
    assert_eq!(found[0].rows, [["a|b", ""], ["1", "2"]]);
    assert_eq!(found[0].title.as_deref(), Some("Fees"));
    let first = &found[0].cells[0];
    assert_eq!((first.text.as_str(), first.column_span, first.header), ("a|b", 2, true));
    assert_eq!(found[0].cells.len(), 3);
}

#[test]
fn a_caption_goes_before_a_heading() {
    let table = "| a | b |\n| --- | --- |\n| 1 | 2 |";
    let found = read("a.md", &format!("# Report\n\nTable 4: Catches\n\n{table}\n\nTable talk is not one.\n"));
    assert_eq!(found[0].title.as_deref(), Some("Table 4: Catches"));
    let found = read("a.md", &format!("# Report\n\nTable talk.\n\n{table}\n"));
    assert_eq!(found[0].title.as_deref(), Some("Report"));
    let found = read("a.md", &format!("# Report\n\nWords before it.\nTable 2. Wind\nand waves\n\n{table}\n"));
    assert_eq!(found[0].title.as_deref(), Some("Table 2. Wind and waves"));
}
