//! Lists from tables: columns are matched to fields by their headers.

use serde_json::Value;

use super::Found;
use super::kind::Kind;
use super::labels::{Word, fit, words};
use super::lines::{Line, Text};
use super::schema::{Leaf, Output, Shape};
use super::values::{find, parse_number};

/// Rows that are read.
const MAX_ROWS: usize = 50_000;

/// A row of a list.
#[derive(Clone, Debug)]
pub(crate) enum Row {
    Scalar(Found),
    Object(Vec<(String, Option<Found>)>),
}

/// The rows of the table that fits an item best.
pub(crate) fn rows(text: &Text, item: &Shape) -> Vec<Row> {
    match item {
        Shape::Object(parts) => {
            let leaves: Vec<(&String, &Leaf)> = parts
                .iter()
                .filter_map(|(name, shape)| match shape {
                    Shape::Leaf(leaf) => Some((name, leaf)),
                    _ => None,
                })
                .collect();
            object_rows(text, &leaves)
        }
        Shape::Leaf(leaf) => scalar_rows(text, leaf),
        Shape::List(_) => Vec::new(),
    }
}

/// The table whose header answers most fields, at least two (or all, when there are fewer).
fn object_rows(text: &Text, leaves: &[(&String, &Leaf)]) -> Vec<Row> {
    let need = leaves.len().clamp(1, 2);
    let mut best: Option<(usize, Vec<Option<usize>>)> = None;
    let matched = |columns: &[Option<usize>]| columns.iter().flatten().count();
    for (index, line) in text.lines.iter().enumerate().filter(|(_, line)| line.segments.len() >= 2) {
        let columns = columns(line, leaves);
        let better = best.as_ref().is_none_or(|(_, other)| matched(&columns) > matched(other));
        if matched(&columns) >= need && better {
            best = Some((index, columns));
        }
    }
    let Some((header, columns)) = best else { return Vec::new() };
    let width = text.lines.get(header).map_or(0, |line| line.segments.len());
    let mut rows = Vec::new();
    for line in text.lines.iter().skip(header + 1).take(MAX_ROWS) {
        if line.segments.len() != width || (line.gap && !line.table) {
            break;
        }
        let cells: Vec<(String, Option<Found>)> = leaves
            .iter()
            .zip(&columns)
            .map(|((name, leaf), column)| {
                ((*name).clone(), column.and_then(|column| cell(text, line, column, leaf)))
            })
            .collect();
        if cells.iter().any(|(_, cell)| cell.is_some()) {
            rows.push(Row::Object(cells));
        }
    }
    rows
}

/// The column of each field, each column once.
fn columns(header: &Line, leaves: &[(&String, &Leaf)]) -> Vec<Option<usize>> {
    let labels: Vec<Vec<Word>> =
        (0..header.segments.len()).map(|index| words(header.segment(index))).collect();
    let mut taken = vec![false; labels.len()];
    leaves
        .iter()
        .map(|(_, leaf)| {
            let fits = labels.iter().enumerate().map(|(index, label)| (index, fit(&leaf.concepts, label)));
            let free = fits.filter(|(index, fit)| *fit >= 0.4 && !taken.get(*index).copied().unwrap_or(true));
            let best = free.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            if let Some(mark) = taken.get_mut(best.0) {
                *mark = true;
            }
            Some(best.0)
        })
        .collect()
}

/// A cell as the field wants it.
fn cell(text: &Text, line: &Line, column: usize, leaf: &Leaf) -> Option<Found> {
    let segment = line.segments.get(column).filter(|segment| segment.end > segment.start)?;
    let printed = line.slice(segment.start, segment.end);
    let place = |start: usize, end: usize, value: Value| Found {
        value,
        start: line.offset(start),
        end: line.offset(end),
        confidence: 0.85,
    };
    match leaf.output {
        Output::Number | Output::Integer => {
            let number = parse_number(printed)?;
            let value = if leaf.output == Output::Integer && number.fract() == 0.0 {
                Value::from(number as i64)
            } else {
                serde_json::Number::from_f64(number).map(Value::Number)?
            };
            Some(place(segment.start, segment.end, value))
        }
        Output::IsoDate => {
            let typed = find(Kind::Date, text, line, Output::IsoDate);
            let date =
                typed.into_iter().find(|date| date.start >= segment.start && date.end <= segment.end)?;
            Some(place(date.start, date.end, date.value))
        }
        Output::Boolean => super::values::yes_or_no(printed)
            .map(|(yes, _)| place(segment.start, segment.end, Value::from(yes))),
        Output::Verbatim => Some(place(segment.start, segment.end, Value::from(printed))),
    }
}

/// A list of plain values: a labelled list, one item a line or parted by commas.
fn scalar_rows(text: &Text, leaf: &Leaf) -> Vec<Row> {
    for (index, line) in text.lines.iter().enumerate() {
        let Some(colon) = line.text.find(':') else { continue };
        if fit(&leaf.concepts, &words(line.slice(0, colon))) < 0.6 {
            continue;
        }
        let rest = line.slice(colon + 1, line.text.len());
        if !rest.trim().is_empty() {
            return inline_items(line, colon + 1);
        }
        let items = text.lines.iter().skip(index + 1).take_while(|line| {
            let start = line.text.trim_start();
            start.starts_with(['-', '*', '•', '–'])
        });
        return items
            .map(|line| {
                let content = line.text.trim_start().trim_start_matches(['-', '*', '•', '–', ' ']);
                let start = line.text.len() - content.len();
                let end = start + content.trim_end().len();
                Row::Scalar(Found {
                    value: Value::from(content.trim_end()),
                    start: line.offset(start),
                    end: line.offset(end),
                    confidence: 0.7,
                })
            })
            .collect();
    }
    Vec::new()
}

fn inline_items(line: &Line, from: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = from;
    for part in line.slice(from, line.text.len()).split([',', ';']) {
        let start = at + (part.len() - part.trim_start().len());
        let item = part.trim();
        if !item.is_empty() {
            let (begin, end) = (line.offset(start), line.offset(start + item.len()));
            rows.push(Row::Scalar(Found { value: Value::from(item), start: begin, end, confidence: 0.7 }));
        }
        at += part.len() + 1;
    }
    rows
}
