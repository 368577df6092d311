//! Groups from a table: a row for each group, a column for its documents, and one for each field.

use delta_core::DocumentRef;
use forms_core::{Field, FieldType, FormSchema, read_answer};
use serde_json::{Map, Value};
use shared_core::Violation;

use crate::TrueGroup;

/// The column that names the documents of a group, separated by `;`.
const DOCUMENTS: &str = "documents";

/// The groups of a table whose first row has the names of the columns: `documents`, and fields with dots between the
/// names of their parts (`seller.name`). A cell of a list is JSON. An empty cell states that there is no value; a field
/// without a column is not known.
///
/// # Errors
/// Each cell that breaks a rule, by row and column from 1.
pub(crate) fn groups_of_rows(
    rows: &[Vec<String>],
    form: &FormSchema,
) -> Result<Vec<TrueGroup>, Vec<Violation>> {
    let broken = |rule: String| vec![Violation::new("/file", rule)];
    let (head, rows) = rows.split_first().ok_or_else(|| broken("the file has no table".to_owned()))?;
    let mut columns = Vec::new();
    for name in head.iter().map(|name| name.trim()) {
        let column = match name {
            DOCUMENTS => Column::Documents,
            "" => Column::Unnamed,
            name => {
                let path: Vec<String> = name.split('.').map(str::to_owned).collect();
                let field = field_of(&form.fields, &path);
                let field = field.ok_or_else(|| broken(format!("the form has no field '{name}'")))?;
                Column::Field(path, field)
            }
        };
        columns.push(column);
    }
    if !columns.iter().any(|column| matches!(column, Column::Documents)) {
        return Err(broken(format!("the table needs a column '{DOCUMENTS}' with ids or URLs of files")));
    }
    let mut found = Vec::new();
    let mut violations = Vec::new();
    for (number, row) in (2..).zip(rows) {
        let mut group = TrueGroup { documents: Vec::new(), record: Map::new() };
        for (place, (cell, column)) in row.iter().zip(&columns).enumerate() {
            if let Err(rule) = column.read(cell.trim(), &mut group) {
                violations
                    .push(Violation::new("/file", format!("row {number}, column {}: {rule}", place + 1)));
            }
        }
        if group.documents.is_empty() {
            violations.push(Violation::new("/file", format!("row {number} names no document")));
        }
        found.push(group);
    }
    violations.truncate(100);
    if violations.is_empty() { Ok(found) } else { Err(violations) }
}

enum Column<'f> {
    Documents,
    Field(Vec<String>, &'f Field),
    Unnamed,
}

impl Column<'_> {
    fn read(&self, cell: &str, group: &mut TrueGroup) -> Result<(), String> {
        match self {
            Self::Unnamed => {}
            Self::Documents => {
                let urls = cell.split(';').map(str::trim).filter(|url| !url.is_empty());
                let document = |url: &str| DocumentRef::new(url);
                group.documents.extend(urls.map(document));
            }
            Self::Field(path, field) => {
                let value = match &field.kind {
                    _ if cell.is_empty() => Value::Null,
                    FieldType::Array(_) | FieldType::Object(_) => {
                        let value = serde_json::from_str(cell);
                        value.map_err(|error| format!("'{}' must be JSON: {error}", field.name))?
                    }
                    _ => Value::String(cell.to_owned()),
                };
                let value = read_answer(field, &value)?.unwrap_or_default();
                put(&mut group.record, path, value);
            }
        }
        Ok(())
    }
}

fn field_of<'f>(fields: &'f [Field], path: &[String]) -> Option<&'f Field> {
    let (first, rest) = path.split_first()?;
    let field = fields.iter().find(|field| field.name == *first)?;
    match &field.kind {
        _ if rest.is_empty() => Some(field),
        FieldType::Object(parts) => field_of(parts, rest),
        _ => None,
    }
}

fn put(record: &mut Map<String, Value>, path: &[String], value: Value) {
    let Some((first, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        record.insert(first.clone(), value);
        return;
    }
    let parts = record.entry(first.clone()).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(parts) = parts {
        put(parts, rest, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn form() -> FormSchema {
        let text = json!({"type": "string"});
        let form = json!({
            "total": {"type": "number"}, "day": {"type": "date"}, "seller": {"type": "object", "properties": {"name": text}},
            "tags": {"type": "array", "items": text}
        });
        FormSchema::parse(form.as_object().unwrap()).unwrap()
    }

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn cells_are_read_as_their_fields_have_them() {
        let table = rows(&[
            &["documents", "total", "day", "seller.name", "tags"],
            &["1; 2", "1,234.50", "3 May 2024", "Ada", "[\"a\"]"],
            &["3", "", "", "", ""],
        ]);
        let groups = groups_of_rows(&table, &form()).unwrap();
        assert_eq!(groups[0].documents.len(), 2);
        let record = json!({"total": 1234.5, "day": "2024-05-03", "seller": {"name": "Ada"}, "tags": ["a"]});
        assert_eq!(json!(groups[0].record), record);
        let none = json!({"total": null, "day": null, "seller": {"name": null}, "tags": null});
        assert_eq!(json!(groups[1].record), none);
    }

    #[test]
    fn what_is_wrong_is_named_by_row_and_column() {
        let told = |table: &[&[&str]]| groups_of_rows(&rows(table), &form()).unwrap_err()[0].message.clone();
        assert_eq!(told(&[]), "the file has no table");
        assert_eq!(told(&[&["documents", "totl"]]), "the form has no field 'totl'");
        assert!(told(&[&["total"]]).contains("column 'documents'"));
        assert!(told(&[&["documents", "total"], &["1", "much"]]).starts_with("row 2, column 2: "));
        assert_eq!(told(&[&["documents", "total"], &["", "1"]]), "row 2 names no document");
        assert!(told(&[&["documents", "tags"], &["1", "a"]]).contains("must be JSON"));
    }
}
