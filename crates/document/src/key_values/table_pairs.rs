//! Key-value pairs within tables.

use std::collections::BTreeMap;

use language::fold::fold_phrase;
use language::layout::LayoutPhrase;

use super::labels::{cleaned, is_bare_label, is_figure, is_label, is_sentence, is_usual, separator};
use super::{KeyValue, KeyValueKind};
use crate::model::{Block, Cell, Document, Format};
use crate::slices::TextSlices;
use crate::tables::unescaped;

/// Maximum cells of a table that is searched for pairs. Protects time.
const MAX_CELLS: usize = 5_000;
/// A cell with its text.
struct CellText<'c> {
    cell: &'c Cell,
    text: String,
}

/// Adds the pairs of a table: of cells with a colon; of two columns when the first has labels; of a row of
/// labels above one row of values.
pub(super) fn pairs(
    document: &Document,
    block: &Block,
    cells: &[Cell],
    slices: &TextSlices<'_>,
    pairs: &mut Vec<KeyValue>,
) {
    if cells.len() > MAX_CELLS {
        return;
    }
    let filled: Vec<CellText<'_>> = cells
        .iter()
        .map(|cell| CellText { cell, text: unescaped(slices.get(cell.start, cell.end)).trim().to_owned() })
        .filter(|filled| !filled.text.is_empty())
        .collect();
    let page = block.page.or_else(|| document.page_at(block.start));
    let mut add = |key: &str, value: &str, cell: &Cell| {
        let key = cleaned(key);
        if !key.is_empty() {
            let rect = document.bounding_box(cell.start, cell.end);
            pairs.push(KeyValue { key, value: value.to_owned(), page, rect, kind: KeyValueKind::Label });
        }
    };
    let rows = rows(&filled);
    let columns = filled.iter().map(|filled| filled.cell.column + 1).max().unwrap_or(0);
    if columns == 2 && is_list_of_labels(&rows) {
        for row in &rows {
            if let [key, value] = row.as_slice()
                && (!key.cell.header || starts_list(document, &rows))
            {
                add(&key.text, &value.text, value.cell);
            }
        }
        return;
    }
    if let [labels, values] = rows.as_slice()
        && labels.iter().all(|label| is_bare_label(&label.text))
        && values.len() >= 2
    {
        for value in values {
            if let Some(label) = labels.iter().find(|label| label.cell.column == value.cell.column) {
                add(&label.text, &value.text, value.cell);
            }
        }
        return;
    }
    if columns > 2 && end_in_labels(&rows) {
        for row in &rows {
            if let [.., key, value] = row.as_slice() {
                add(&key.text, &value.text, value.cell);
            }
        }
        return;
    }
    let full = rows.iter().filter(|row| row.len() > 2).count() * 2 > rows.len();
    for row in &rows {
        if is_alternating(row, full) {
            for couple in row.chunks_exact(2) {
                add(&couple[0].text, &couple[1].text, couple[1].cell);
            }
        } else {
            push_row_pairs(row, &mut add);
        }
    }
}

/// Whether the first row of a two-column list is one of its pairs. Word marks the first row of every table as
/// header, whatever its content.
fn starts_list(document: &Document, rows: &[Vec<&CellText<'_>>]) -> bool {
    let [first, rest @ ..] = rows else { return false };
    let [key, value] = first.as_slice() else { return false };
    let figures = rest.iter().filter(|row| row.get(1).is_some_and(|value| is_figure(&value.text))).count();
    document.format == Format::Docx
        && is_bare_label(&key.text)
        && !LayoutPhrase::ValueHead.has(&fold_phrase(&value.text))
        && (is_figure(&value.text) || figures < rest.len())
}

/// Whether the last two cells of every row are a label and a figure, as where an address is beside the data
/// of an invoice, and at least one label is a typical one.
fn end_in_labels(rows: &[Vec<&CellText<'_>>]) -> bool {
    let mut labels: Vec<&str> = Vec::new();
    for row in rows {
        let [before @ .., key, value] = row.as_slice() else { return false };
        let beside =
            before.iter().all(|cell| cell.cell.column < key.cell.column && !mostly_digits(&cell.text));
        let pair = is_bare_label(&key.text) && !is_figure(&key.text) && is_figure(&value.text);
        if before.len() > 1 || !beside || !pair {
            return false;
        }
        labels.push(&key.text);
    }
    let all = labels.len();
    let usual = labels.iter().any(|label| is_usual(label));
    labels.sort_unstable();
    labels.dedup();
    all >= 2 && labels.len() == all && usual
}

/// Whether a row consists of alternating labels and figures. One pair alone counts only when other rows are
/// `full`, as below a table of items.
fn is_alternating(row: &[&CellText<'_>], full: bool) -> bool {
    let plain =
        |label: &CellText<'_>| is_bare_label(&label.text) && !is_figure(&label.text) && !label.cell.header;
    let even = row.len().is_multiple_of(2) && (row.len() >= 4 || row.len() == 2 && full);
    even && row.chunks_exact(2).all(|couple| plain(couple[0]) && is_figure(&couple[1].text))
}

fn rows<'f, 'c>(filled: &'f [CellText<'c>]) -> Vec<Vec<&'f CellText<'c>>> {
    let mut rows: BTreeMap<u32, Vec<&CellText<'_>>> = BTreeMap::new();
    for one in filled {
        rows.entry(one.cell.row).or_default().push(one);
    }
    rows.into_values().collect()
}

/// Whether the first of two columns has labels: short, distinct texts that are not numbers. Eight of ten keys
/// are labels, and six of ten rows full. Chosen by hand.
fn is_list_of_labels(rows: &[Vec<&CellText<'_>>]) -> bool {
    let keys: Vec<&str> = rows.iter().filter_map(|row| row.first()).map(|key| key.text.as_str()).collect();
    let labels = keys.iter().filter(|key| is_label(key.trim_end_matches(':')) && !mostly_digits(key)).count();
    let full = rows.iter().filter(|row| row.len() == 2).count();
    let mut different = keys.clone();
    different.sort_unstable();
    different.dedup();
    labels * 10 >= keys.len() * 8 && full * 10 >= rows.len() * 6 && different.len() == keys.len()
}

fn mostly_digits(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits * 2 > text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Adds the pairs of cells with colons: within a cell, or of a cell and the one beside it.
fn push_row_pairs(row: &[&CellText<'_>], add: &mut impl FnMut(&str, &str, &Cell)) {
    let mut cells = row.iter().peekable();
    while let Some(filled) = cells.next() {
        let Some((end, after)) = separator(&filled.text) else { continue };
        let (label, value) =
            (filled.text.get(..end).unwrap_or_default(), filled.text.get(after..).unwrap_or_default());
        let value = value.trim();
        if !is_label(label) || is_sentence(value) {
            continue;
        }
        if !value.is_empty() {
            add(label, value, filled.cell);
        } else if let Some(next) = cells.next_if(|next| separator(&next.text).is_none()) {
            add(label, &next.text, next.cell);
        }
    }
}
