//! Workbooks in binary records.

use document::Format;
use document_samples::xlsb::book;

use crate::support::{cells, read, survives_damage};

#[test]
fn every_kind_of_cell_is_read() {
    let document = read(&book(), "x.xlsb");
    assert_eq!(document.format, Format::Xlsb);
    assert_eq!(
        document.text,
        "## Binary\n\n| shared \u{e9} | inline | 2025-10-13 |\n| --- | --- | --- |\n| 5 | FALSE | #N/A |\n| 7 |  |  |"
    );
    assert_eq!(cells(&document).pop(), Some((2, 0, "7".to_owned(), (1, 2))));
}

#[test]
fn damage_never_panics() {
    survives_damage(&book(), "x.xlsb", 3);
}
