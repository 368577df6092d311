//! Lists from tables: headers map columns to fields, position and type map rows to columns.

mod align;
mod cells;
mod header;
mod headerless;
mod lists;

use forms_core::labels::{Line, Segment, words};

use super::ExtractedValue;
use super::kind::Output;
use super::schema::{Leaf, SchemaNode};
use super::text::Text;
pub(crate) use cells::is_number;
use cells::{Field, cell};
use header::{ColumnSplit, Header};

/// Maximum rows that are read. Bounds the memory.
const MAX_ROWS: usize = 50_000;
/// Maximum headers whose rows are tried. Bounds the time.
const MAX_HEADERS: usize = 5;
/// Maximum consecutive lines between rows that are not rows. Such as the second lines of an article, or a
/// footer with the next header. Chosen by hand; no measurement is recorded.
const MAX_MISSES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) enum Row {
    Scalar(ExtractedValue),
    Object(Vec<(String, Option<ExtractedValue>)>),
}

/// The rows of the table that matches an item best.
pub(crate) fn rows(text: &Text, item: &SchemaNode) -> Vec<Row> {
    match item {
        SchemaNode::Object(parts) => {
            let fields: Vec<Field<'_>> = parts
                .iter()
                .filter_map(|(name, shape)| match shape {
                    SchemaNode::Leaf(leaf) => Some((name.as_str(), leaf)),
                    _ => None,
                })
                .collect();
            let headers = header::headers(text, &fields);
            let mut tabled =
                headers.iter().take(MAX_HEADERS).map(|header| (header, rows_below(text, header, &fields)));
            match tabled.find(|(_, rows)| !rows.is_empty()) {
                // Columns of single words are weak evidence: as many rows with matching amounts are stronger.
                Some((header, rows)) if header.split == ColumnSplit::Words => {
                    let bare = headerless::rows(text, &fields);
                    if bare.len() >= rows.len() { bare } else { rows }
                }
                Some((_, rows)) => rows,
                None => headerless::rows(text, &fields),
            }
        }
        SchemaNode::Leaf(leaf) => lists::rows(text, leaf),
        SchemaNode::List(_) => Vec::new(),
    }
}

fn rows_below(text: &Text, header: &Header, fields: &[Field<'_>]) -> Vec<Row> {
    let Some(head) = text.lines.get(header.line) else { return Vec::new() };
    let mut rows = Vec::new();
    let mut misses = 0;
    for line in text.lines.iter().skip(header.rows).take(MAX_ROWS) {
        if head.table != line.table {
            break;
        }
        if line.text == head.text {
            continue;
        }
        let parts = header.parts(line);
        if is_total_row(line, &parts) {
            if rows.is_empty() || head.table {
                continue;
            }
            break;
        }
        match row(text, line, header, &parts, fields) {
            Some(row) => {
                rows.push(row);
                misses = 0;
            }
            None => misses += 1,
        }
        if misses > MAX_MISSES {
            break;
        }
    }
    rows
}

/// A line as a row, if enough of its columns have values for their fields.
fn row(text: &Text, line: &Line, header: &Header, parts: &[Segment], fields: &[Field<'_>]) -> Option<Row> {
    let places = align::align(line, parts, header);
    let cells: Vec<(String, Option<ExtractedValue>)> = fields
        .iter()
        .zip(&header.fields)
        .map(|((name, leaf), column)| {
            let place = column.and_then(|column| places.get(column).copied().flatten());
            ((*name).to_owned(), place.and_then(|place| cell(text, line, place, leaf)))
        })
        .collect();
    let mapped = header.fields.iter().flatten().count();
    let filled = cells.iter().filter(|(_, cell)| cell.is_some()).count();
    let numeric = |leaf: &Leaf| matches!(leaf.output, Output::Number | Output::Integer);
    let counts =
        fields.iter().zip(&header.fields).any(|((_, leaf), column)| column.is_some() && numeric(leaf));
    let counted = fields.iter().zip(&cells).any(|((_, leaf), (_, cell))| cell.is_some() && numeric(leaf));
    let enough = if line.table {
        filled > 0
    } else if header.split == ColumnSplit::Words {
        filled == mapped
    } else {
        // At least half of the columns. Chosen by hand; no measurement is recorded.
        2 * filled >= mapped && (!counts || counted)
    };
    (enough && filled > 0).then_some(Row::Object(cells))
}

/// Whether a row is a total: its first words are those of one.
fn is_total_row(line: &Line, parts: &[Segment]) -> bool {
    const SUMS: &[&str] = &["total", "subtotal", "tax", "net", "gross", "rounding", "due"];
    // One letter is a mark or a unit.
    let lettered = |part: &&str| part.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let first = if line.segments.len() == 1 && !line.table {
        line.text.split(|c: char| c.is_ascii_digit()).next()
    } else {
        parts.iter().map(|part| line.slice(part.start, part.end)).find(lettered)
    };
    let found = words(first.unwrap_or_default());
    let sums = found.iter().filter(|word| SUMS.contains(&word.as_ref())).count();
    let says = found.iter().any(|word| word == "total" || word == "subtotal") || sums == found.len();
    // More words name an article. Chosen by hand; no measurement is recorded.
    sums > 0 && says && found.len() <= 4
}
