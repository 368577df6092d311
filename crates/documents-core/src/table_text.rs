//! Delimiter-separated values (CSV).

use std::collections::BTreeMap;

use document::{Document, Format};

use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;

/// Delimiters, most likely first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Maximum values of a row: the columns of a spreadsheet. Those of Excel and LibreOffice.
const COLUMNS: usize = 16_384;

/// Rows that are examined for the delimiter. Chosen by hand; no measurement recorded.
const SAMPLE: usize = 20;

/// One table, with its first row as header.
pub(crate) fn parse_csv(text: &str, limits: &Limits) -> Document {
    let mut builder = Builder::new(Format::Csv, limits);
    let (stated, text) = stated_delimiter(text);
    let mut rows: Vec<Vec<NewCell>> = Vec::new();
    let (mut cells, mut cut) = (0, false);
    for record in reader(text, stated.unwrap_or_else(|| delimiter(text))).records() {
        // Text is valid UTF-8 and rows may differ in length, so no record can fail.
        let Ok(record) = record else { continue };
        cells += record.len().min(COLUMNS);
        if cells > limits.cells {
            cut = true;
            break;
        }
        cut |= record.len() > COLUMNS;
        let header = rows.is_empty();
        rows.push(record.iter().take(COLUMNS).map(|value| NewCell::plain(value, header)).collect());
    }
    builder.table(&rows, limits);
    if cut {
        builder.truncate();
    }
    builder.finish()
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).flexible(true).has_headers(false).from_reader(text.as_bytes())
}

/// The delimiter in a first line `sep=;`, as spreadsheets write it, and the text after that line.
fn stated_delimiter(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let stated = first.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes);
    match stated {
        Some(&[delimiter]) if delimiter.is_ascii() && delimiter != b'"' => (Some(delimiter), rest),
        _ => (None, text),
    }
}

/// The delimiter that splits most of the first rows into the same number of values.
fn delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
        for record in
            reader(text, delimiter).records().take(SAMPLE).flatten().filter(|record| record.len() > 1)
        {
            *widths.entry(record.len()).or_default() += 1;
        }
        widths.into_iter().map(|(width, rows)| (rows, width)).max().unwrap_or_default()
    };
    DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_told_by_the_lines() {
        for (text, expected) in [
            ("a,b\n1,2", b','),
            ("a;b\n1,5;2,5", b';'),
            ("a\tb\n1, 2\t3", b'\t'),
            ("\"x;y\",b\n\"1;2\",3", b','),
            ("only one column\nhere", b','),
        ] {
            assert_eq!(delimiter(text), expected, "{text}");
        }
    }

    #[test]
    fn cells_point_into_the_markdown() {
        let document = parse_csv("name,total\n\"Ada, Countess\",\"1|2\"\n", &Limits::default());
        assert_eq!(document.text, "| name | total |\n| --- | --- |\n| Ada, Countess | 1\\|2 |");
        let document::BlockKind::Table { cells } = &document.blocks[0].kind else { panic!("a table") };
        let texts: Vec<&str> = cells.iter().map(|cell| &document.text[cell.start..cell.end]).collect();
        assert_eq!(texts, ["name", "total", "Ada, Countess", "1\\|2"]);
    }
}
