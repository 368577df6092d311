//! OpenDocument spreadsheets.

use document::{BlockKind, Format};

use crate::support::{cells, read, survives_damage, zip};

fn ods(tables: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:spreadsheet>{tables}</office:spreadsheet></office:document-content>"
    );
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ])
}

fn stored_first(bytes: &[u8]) -> Vec<u8> {
    // The type is stored as it is, as the format asks.
    let mut out = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    out.extend(u32::try_from(kind.len()).unwrap().to_le_bytes());
    out.extend(u32::try_from(kind.len()).unwrap().to_le_bytes());
    out.extend([8, 0, 0, 0]);
    out.extend(b"mimetype");
    out.extend(kind);
    out.extend(bytes);
    out
}

fn table(rows: &str) -> Vec<u8> {
    stored_first(&ods(&format!("<table:table table:name='T'>{rows}</table:table>")))
}

#[test]
fn values_are_read_as_they_are_shown_and_dates_as_iso() {
    let bytes = table(
        "<table:table-row><table:table-cell><text:p>Tea<text:s text:c='2'/>&amp; milk</text:p><text:p>two</text:p></table:table-cell><table:table-cell office:value='0.125'><text:p>12.5 %</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:date-value='2024-02-03T00:00:00'><text:p>3 Feb</text:p></table:table-cell><table:table-cell><office:annotation><text:p>a remark</text:p></office:annotation><text:p>x</text:p></table:table-cell></table:table-row>",
    );
    let document = read(&bytes, "x.ods");
    assert_eq!(document.format, Format::Ods);
    assert_eq!(document.text, "## T\n\n| Tea & milk two | 12.5 % |\n| --- | --- |\n| 2024-02-03 | x |");
}

#[test]
fn repeated_empty_places_cost_nothing_and_spans_are_kept() {
    let bytes = table(
        "<table:table-row table:number-rows-repeated='1048576'><table:table-cell table:number-columns-repeated='16384'/></table:table-row><table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>a</text:p></table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell table:number-columns-repeated='2'><text:p>b</text:p></table:table-cell></table:table-row>",
    );
    let document = read(&bytes, "x.ods");
    let found = cells(&document);
    assert_eq!(found[0], (0, 0, "a".into(), (1, 2)));
    assert_eq!(found.len(), 3);
}

#[test]
fn values_that_are_repeated_beyond_sense_are_bounded() {
    let bytes = table(
        "<table:table-row table:number-rows-repeated='1048576'><table:table-cell table:number-columns-repeated='16384'><text:p>x</text:p></table:table-cell></table:table-row>",
    );
    let document = read(&bytes, "x.ods");
    let BlockKind::Table { cells } = &document.blocks[1].kind else { panic!("a table") };
    assert!(cells.len() <= 1_000_000 && document.text.len() < 16 << 20);
}

#[test]
fn damage_never_panics() {
    let bytes =
        table("<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>");
    survives_damage(&bytes, "x.ods", 5);
}
