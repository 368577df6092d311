//! The tables of sample documents, by the heads of their columns.

use document::TableContent;

use super::super::draft::{DraftKind, FieldDraft};
use super::labels::{is_label, label_key};
use super::proposed_field::{ProposedField, examples};
use super::value_type::{ValueType, infer_type};

/// Columns of a table. Bounds the form.
const MAX_COLUMNS: usize = 30;
/// Tables of one document that are compared. Bounds the time.
const MAX_TABLES: usize = 50;
/// Values of a column that are looked at. Bounds the time.
const MAX_VALUES: usize = 200;
/// The name of a list whose tables have no title.
const NAME: &str = "rows";

/// A table with the same columns in all documents.
#[derive(Clone, Debug)]
pub(super) struct TableGroup {
    pub(super) title: String,
    pub(super) documents: usize,
    pub(super) columns: Vec<Column>,
}

/// A column by its head.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) key: String,
    label: String,
    documents: usize,
    values: Vec<String>,
    kind: ValueType,
}

/// The tables of the documents; those that share half of their columns are one.
pub(super) fn group_tables(documents: &[Vec<TableContent>]) -> Vec<TableGroup> {
    let mut groups: Vec<(TableGroup, usize)> = Vec::new();
    for (document, tables) in documents.iter().enumerate() {
        for (title, columns) in tables.iter().take(MAX_TABLES).filter_map(columns_of) {
            let shared = |group: &TableGroup| {
                columns
                    .iter()
                    .filter(|column| group.columns.iter().any(|known| known.key == column.key))
                    .count()
            };
            let same = groups
                .iter_mut()
                .find(|(group, _)| 2 * shared(group) >= columns.len().max(group.columns.len()));
            match same {
                Some((group, last)) => {
                    let is_new = std::mem::replace(last, document) != document;
                    group.documents += usize::from(is_new);
                    merge(group, columns, is_new);
                }
                None => groups.push((TableGroup { title, documents: 1, columns }, document)),
            }
        }
    }
    groups.into_iter().map(|(group, _)| finished(group)).collect()
}

/// Title and columns of a table with a head and rows below it.
fn columns_of(table: &TableContent) -> Option<(String, Vec<Column>)> {
    let (head, rows) = table.rows.split_first()?;
    let is_marked = table.cells.iter().any(|cell| cell.row == 0 && cell.header);
    let are_labels = head.iter().filter(|cell| !cell.trim().is_empty()).all(|cell| is_label(cell));
    let filled =
        rows.iter().filter(|row| row.iter().filter(|cell| !cell.trim().is_empty()).count() > 1).count();
    // Two columns without a marked head are labels and values.
    if !are_labels || filled == 0 || head.len() > MAX_COLUMNS || head.len() < 3 && !is_marked {
        return None;
    }
    let column = |(at, label): (usize, &String)| {
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.trim());
        let values = cells.filter(|cell| !cell.is_empty()).take(MAX_VALUES).map(str::to_owned).collect();
        let kind = ValueType::default();
        (!label.is_empty()).then(|| Column { key: label_key(&label), label, documents: 1, values, kind })
    };
    let columns: Vec<Column> = head.iter().enumerate().filter_map(column).collect();
    let title = table.title.clone().filter(|title| is_label(title)).unwrap_or_else(|| NAME.to_owned());
    (columns.len() > 1).then_some((title, columns))
}

fn merge(group: &mut TableGroup, columns: Vec<Column>, is_new: bool) {
    let room = MAX_COLUMNS.saturating_sub(group.columns.len());
    let mut added = Vec::new();
    for column in columns {
        match group.columns.iter_mut().find(|known| known.key == column.key) {
            Some(known) => {
                known.documents += usize::from(is_new);
                let room = MAX_VALUES.saturating_sub(known.values.len());
                known.values.extend(column.values.into_iter().take(room));
            }
            None => added.push(column),
        }
    }
    group.columns.extend(added.into_iter().take(room));
}

fn finished(group: TableGroup) -> TableGroup {
    let most = group.documents;
    // A column that few of the tables have is left out, as a label is.
    let kept = group.columns.into_iter().filter(|column| 2 * column.documents >= most);
    let typed = kept.map(|column| {
        let values: Vec<&str> = column.values.iter().map(String::as_str).collect();
        Column { kind: infer_type(&column.label, &values), ..column }
    });
    TableGroup { columns: typed.collect(), ..group }
}

impl TableGroup {
    pub(super) fn draft(&self) -> FieldDraft {
        FieldDraft {
            name: self.title.clone(),
            description: self.title.clone(),
            kind: DraftKind::Object,
            many: true,
            parts: self.columns.iter().map(Column::draft).collect(),
            ..FieldDraft::default()
        }
    }
}

impl Column {
    fn draft(&self) -> FieldDraft {
        let ValueType { kind, format } = self.kind;
        FieldDraft {
            name: self.label.clone(),
            description: self.label.clone(),
            kind,
            format,
            ..FieldDraft::default()
        }
    }

    pub(super) fn proposed(&self, path: &str) -> ProposedField {
        ProposedField {
            path: path.to_owned(),
            label: self.label.clone(),
            documents: self.documents,
            examples: examples(self.values.iter().map(String::as_str)),
        }
    }
}
