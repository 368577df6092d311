//! Comma- and otherwise separated values.

use crate::Limits;
use crate::builder::{Builder, NewCell};
use crate::model::{Document, Format};

/// What may part values, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// One table, its first row as header.
pub(crate) fn parse_csv(text: &str, limits: &Limits) -> Document {
    let mut builder = Builder::new(Format::Csv, limits);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let mut cells = 0;
    for record in reader.records() {
        // Text is valid UTF-8 and rows may differ in length, so nothing is left to fail on.
        let Ok(record) = record else { continue };
        cells += record.len();
        if cells > limits.cells {
            builder.truncate();
            break;
        }
        let header = rows.is_empty();
        rows.push(record.iter().map(|value| NewCell::plain(value, header)).collect::<Vec<_>>());
    }
    builder.table(&rows, limits);
    builder.finish()
}

/// The delimiter that parts the first lines most evenly.
fn delimiter(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(20).collect();
    let score = |delimiter: u8| {
        let counts: Vec<usize> = lines.iter().map(|line| outside_quotes(line, delimiter)).collect();
        let least = counts.iter().min().copied().unwrap_or(0);
        let most = counts.iter().max().copied().unwrap_or(0);
        // The same count in every line tells more than many of them in some.
        (least.min(1), usize::from(least == most), least, most)
    };
    DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',')
}

fn outside_quotes(line: &str, delimiter: u8) -> usize {
    let mut quoted = false;
    line.bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            !quoted && *byte == delimiter
        })
        .count()
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
        let crate::BlockKind::Table { cells } = &document.blocks[0].kind else { panic!("a table") };
        let texts: Vec<&str> = cells.iter().map(|cell| &document.text[cell.start..cell.end]).collect();
        assert_eq!(texts, ["name", "total", "Ada, Countess", "1\\|2"]);
    }
}
