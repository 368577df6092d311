//! The columns of tables, from the forms that the responses were made with.

use std::collections::HashSet;

use forms_core::{Field, FieldType, FormSchema};
use indexmap::IndexMap;

use super::Extras;

/// What becomes of lists of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One table; lists of objects are JSON in a cell.
    Flat,
    /// Lists of objects have tables of their own, and so has the evidence.
    Split,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// `responses`, the dotted path of a list, or `evidence`.
    pub name: String,
    /// Names of the columns, each once.
    pub columns: Vec<String>,
}

/// The tables of responses: how many, and with which columns.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) tables: Vec<Table>,
    pub(super) fields: Nodes,
    /// Whether the first table has a column for fields that no known form has.
    pub(super) rest: bool,
    /// The table of the evidence, where it has one.
    pub(super) evidence_table: Option<usize>,
    pub(super) extras: Extras,
}

/// Fields by their names, in the order of their columns.
pub(super) type Nodes = IndexMap<String, Node>;

/// A field of one or more forms.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// It has a column of its own.
    pub(super) column: bool,
    /// Texts in that column are days.
    pub(super) date: bool,
    /// The fields of an object, in columns beside it.
    pub(super) parts: Nodes,
    /// The items of a list of objects, in a table of their own.
    pub(super) rows: Option<Rows>,
}

/// A list of objects with a table of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Which table.
    pub(super) table: usize,
    pub(super) fields: Nodes,
}

/// Columns of the evidence's table after the response's id.
const EVIDENCE: [&str; 9] =
    ["path", "value", "document", "page", "quote", "start", "end", "support", "confidence"];
/// Columns of the first table that tell how a response came about.
const META: [&str; 5] = [
    "meta.files",
    "meta.generation_duration",
    "meta.scraping_duration",
    "meta.total_duration",
    "meta.reused_from",
];

impl Layout {
    /// The tables for responses that were made with `forms`, the leading one first. Columns stand in the
    /// order of the first form, those that only later ones have behind. Unless the forms are `complete`, a
    /// column more takes what none of them has.
    #[must_use]
    pub fn new(forms: &[FormSchema], complete: bool, shape: Shape, extras: Extras) -> Self {
        let mut fields = Nodes::new();
        for form in forms {
            merge(&mut fields, &form.fields, shape);
        }
        let mut layout = Self { tables: Vec::new(), fields, rest: !complete, evidence_table: None, extras };
        let mut own_behind = Vec::new();
        if layout.rest {
            own_behind.push("other");
        }
        if extras.meta {
            own_behind.extend(META);
        }
        if extras.evidence && shape == Shape::Flat {
            own_behind.push("evidence");
        }
        if extras.context {
            own_behind.push("context");
        }
        let before = ["gid".to_owned(), "sid".to_owned()];
        let columns = headers(&before, &layout.fields, &own_behind);
        layout.tables.push(Table { name: "responses".to_owned(), columns });
        let gid = ["gid".to_owned()];
        lists(&mut layout.fields, "", &gid, &mut layout.tables);
        if extras.evidence && shape == Shape::Split {
            layout.evidence_table = Some(layout.tables.len());
            let columns = gid.into_iter().chain(EVIDENCE.map(str::to_owned)).collect();
            layout.tables.push(Table { name: "evidence".to_owned(), columns });
        }
        layout
    }

    /// The tables, that of the responses first.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }
}

/// Adds the fields that are not there yet.
fn merge(nodes: &mut Nodes, fields: &[Field], shape: Shape) {
    let mut written: Vec<&Field> = fields.iter().collect();
    written.sort_by_key(|field| field.position);
    for field in written {
        nodes.entry(field.name.clone()).or_default().add(field, shape);
    }
}

impl Node {
    fn add(&mut self, field: &Field, shape: Shape) {
        match (&field.kind, shape) {
            (FieldType::Object(parts), _) if !parts.is_empty() => merge(&mut self.parts, parts, shape),
            (FieldType::Array(items), Shape::Split) => match &items.kind {
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

/// Gives each list of objects its table. `keys` are the columns that say whose row it is.
fn lists(nodes: &mut Nodes, path: &str, keys: &[String], tables: &mut Vec<Table>) {
    for (name, node) in nodes {
        let path = joined(path, name);
        lists(&mut node.parts, &path, keys, tables);
        if let Some(rows) = &mut node.rows {
            let mut keys = keys.to_vec();
            keys.push(format!("{path}#"));
            rows.table = tables.len();
            let columns = headers(&keys, &rows.fields, &[]);
            tables.push(Table { name: path.clone(), columns });
            lists(&mut rows.fields, &path, &keys, tables);
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The names of a table's columns. A field keeps its name; of two that would have the same, the later is
/// numbered. Names of the service's own get leading underscores until they are free.
fn headers(before: &[String], fields: &Nodes, behind: &[&str]) -> Vec<String> {
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
    let mut own = |name: &str| free(name.to_owned(), &|name, n| format!("{}{name}", "_".repeat(n - 1)));
    let before: Vec<String> = before.iter().map(|name| own(name)).collect();
    let behind: Vec<String> = behind.iter().map(|name| own(name)).collect();
    before.into_iter().chain(of_fields).chain(behind).collect()
}

fn paths(nodes: &Nodes, path: &str, found: &mut Vec<String>) {
    for (name, node) in nodes {
        let path = joined(path, name);
        if node.column {
            found.push(path.clone());
        }
        paths(&node.parts, &path, found);
    }
}
