//! A table and its columns, and the order of tables.

use std::collections::BTreeSet;

/// A table of the source.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// Tables that its rows refer to.
    pub(super) parents: BTreeSet<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether its values are bytes, which travel as `\x` and hexadecimal digits.
    pub(super) is_binary: bool,
}

impl Table {
    /// The names of the columns in SQL.
    pub(super) fn column_list(&self) -> String {
        let quoted: Vec<String> = self.columns.iter().map(|column| quote(&column.name)).collect();
        quoted.join(", ")
    }
}

/// A name in SQL.
pub(super) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The tables, those that others refer to first. Tables that refer to each other keep their order.
pub(super) fn sort_by_references(mut tables: Vec<Table>) -> Vec<Table> {
    let mut sorted: Vec<Table> = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waits = |table: &Table| {
            let others = table.parents.iter().filter(|parent| **parent != table.name);
            others.clone().any(|parent| !sorted.iter().any(|done| done.name == *parent))
        };
        let next = tables.iter().position(|table| !waits(table)).unwrap_or_default();
        sorted.push(tables.remove(next));
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, parents: &[&str]) -> Table {
        let parents = parents.iter().map(|&parent| parent.to_owned()).collect();
        Table { name: name.to_owned(), columns: Vec::new(), parents }
    }

    #[test]
    fn parents_come_first() {
        let sorted = sort_by_references(vec![
            table("files", &["blobs", "workspaces"]),
            table("tree", &["tree"]),
            table("blobs", &["workspaces"]),
            table("workspaces", &[]),
        ]);
        let names: Vec<&str> = sorted.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["tree", "workspaces", "blobs", "files"]);
    }
}
