//! Table columns, derived from the schemas of the records.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::{Field, FieldType, FormSchema};

/// Layout of lists of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLayout {
    /// One table; lists of objects are JSON cells.
    Flat,
    /// One table per list of objects.
    Split,
}

/// Name and columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name of the first table, or dotted path of a list.
    pub name: String,
    /// Names of the columns, unique within the table.
    pub columns: Vec<String>,
}

/// Columns of the first table besides the record's fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraColumns<'a> {
    /// Name of the first table.
    pub name: &'a str,
    /// Columns before the fields. The first is the key, repeated in the tables of lists.
    pub before: &'a [&'a str],
    /// Columns after the fields.
    pub after: &'a [&'a str],
}

/// The layout of records as tables.
#[derive(Clone, Debug)]
pub struct TableLayout {
    tables: Vec<Table>,
    pub(super) fields: ColumnTree,
    /// Whether the first table has a column for fields that are in none of the schemas.
    pub(super) rest: bool,
}

/// Column nodes by field name, in column order.
pub(super) type ColumnTree = IndexMap<String, ColumnNode>;

/// A field of one or more schemas.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnNode {
    /// Whether it has a column of its own.
    pub(super) column: bool,
    /// Whether texts in that column are dates.
    pub(super) date: bool,
    /// The fields of an object, which have columns beside it.
    pub(super) parts: ColumnTree,
    /// The table of a list of objects.
    pub(super) rows: Option<ListTable>,
}

/// A list of objects in a table of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct ListTable {
    /// Index of the table.
    pub(super) table: usize,
    pub(super) fields: ColumnTree,
}

impl TableLayout {
    /// The layout for records of `forms`. Columns follow the first schema; fields that only later schemas
    /// have come after them. Unless the schemas are `complete`, a further column takes fields that none of
    /// them has.
    #[must_use]
    pub fn new(forms: &[FormSchema], complete: bool, shape: ListLayout, own: ExtraColumns<'_>) -> Self {
        let mut fields = ColumnTree::new();
        for form in forms {
            merge(&mut fields, &form.fields, shape);
        }
        let mut layout = Self { tables: Vec::new(), fields, rest: !complete };
        let rest = layout.rest.then_some("other");
        let behind: Vec<&str> = rest.into_iter().chain(own.after.iter().copied()).collect();
        let before: Vec<String> = own.before.iter().map(|&name| name.to_owned()).collect();
        let columns = column_names(&before, &layout.fields, &behind);
        layout.tables.push(Table { name: own.name.to_owned(), columns });
        let key = before.first().map_or(&[][..], std::slice::from_ref);
        add_list_tables(&mut layout.fields, "", key, &mut layout.tables);
        layout
    }

    /// Appends a table whose rows the caller makes. Returns its index.
    pub fn push(&mut self, table: Table) -> usize {
        self.tables.push(table);
        self.tables.len() - 1
    }

    /// The tables; the first has one row per record.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }
}

/// Adds the fields of a schema that are not in the tree yet.
fn merge(nodes: &mut ColumnTree, fields: &[Field], shape: ListLayout) {
    let mut written: Vec<&Field> = fields.iter().collect();
    written.sort_by_key(|field| field.position);
    for field in written {
        nodes.entry(field.name.clone()).or_default().add(field, shape);
    }
}

impl ColumnNode {
    fn add(&mut self, field: &Field, shape: ListLayout) {
        match (&field.kind, shape) {
            (FieldType::Object(parts), _) if !parts.is_empty() => merge(&mut self.parts, parts, shape),
            (FieldType::Array(items), ListLayout::Split) if !items.is_pair => match &items.kind {
                FieldType::Object(parts) => {
                    merge(&mut self.rows.get_or_insert_default().fields, parts, shape);
                }
                _ => self.column = true,
            },
            (kind, _) => {
                self.column = true;
                self.date |= matches!(kind, FieldType::Date) || field.format.as_deref() == Some("date");
            }
        }
    }
}

/// Creates a table for each list of objects. `keys` are its key columns.
fn add_list_tables(nodes: &mut ColumnTree, path: &str, keys: &[String], tables: &mut Vec<Table>) {
    for (name, node) in nodes {
        let path = join_path(path, name);
        add_list_tables(&mut node.parts, &path, keys, tables);
        if let Some(rows) = &mut node.rows {
            let mut keys = keys.to_vec();
            keys.push(format!("{path}#"));
            rows.table = tables.len();
            let columns = column_names(&keys, &rows.fields, &[]);
            tables.push(Table { name: path.clone(), columns });
            add_list_tables(&mut rows.fields, &path, &keys, tables);
        }
    }
}

fn join_path(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Names of a table's columns. A field keeps its name; a duplicate gets a number. The service's own columns
/// get leading underscores until they are unique. For a dotted name the part before the dot decides, because
/// it is an object's key in the record.
fn column_names(before: &[String], fields: &ColumnTree, behind: &[&str]) -> Vec<String> {
    let mut of_fields = Vec::new();
    paths(fields, "", &mut of_fields);
    let mut taken: HashSet<String> = HashSet::new();
    let mut free = |name: String, next: &dyn Fn(&str, usize) -> String| {
        let mut candidate = name.clone();
        let mut tries = 1;
        while taken.contains(&candidate) {
            tries += 1;
            candidate = next(&name, tries);
        }
        taken.insert(candidate.clone());
        candidate
    };
    let of_fields: Vec<String> =
        of_fields.into_iter().map(|name| free(name, &|name, n| format!("{name} ({n})"))).collect();
    let mut own = |name: &str| {
        let key = name.split('.').next().unwrap_or(name);
        let mut lead = String::new();
        while fields.contains_key(&format!("{lead}{key}")) {
            lead.push('_');
        }
        free(format!("{lead}{name}"), &|name, n| format!("{}{name}", "_".repeat(n - 1)))
    };
    let before: Vec<String> = before.iter().map(|name| own(name)).collect();
    let behind: Vec<String> = behind.iter().map(|name| own(name)).collect();
    before.into_iter().chain(of_fields).chain(behind).collect()
}

fn paths(nodes: &ColumnTree, path: &str, found: &mut Vec<String>) {
    for (name, node) in nodes {
        let path = join_path(path, name);
        if node.column {
            found.push(path.clone());
        }
        paths(&node.parts, &path, found);
    }
}
