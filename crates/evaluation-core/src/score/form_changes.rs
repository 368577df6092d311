//! How the fields of two versions of a form differ, and what that means for the values of their runs.

use std::collections::BTreeMap;

use forms_core::labels::{concepts, fit, words};
use forms_core::{Field, FieldType, FormSchema};
use serde_json::{Map, Value};

use super::cells::{Cell, CellOutcome};
use super::report::weight;

/// How well a new field must fit the name of a dropped one to be taken for it. Chosen by hand: an alias or another spelling
/// of the name does.
const RENAMED: f32 = 0.9;

/// Fields that a later version of a form has in place of those of an earlier one, by JSON pointers without indexes of lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormChanges {
    /// Fields that the later version does not have.
    pub dropped: Vec<String>,
    /// Fields that the earlier version does not have.
    pub added: Vec<String>,
    /// Fields that have another name: before and after.
    pub renamed: Vec<(String, String)>,
    /// Dropped fields that are not compared.
    pub(crate) ignored: Vec<String>,
}

impl FormChanges {
    /// The fields in which `later` differs from `earlier`. Only fields outside lists and objects are recognised by another
    /// name.
    #[must_use]
    pub fn between(earlier: &FormSchema, later: &FormSchema) -> Self {
        let (before, after) = (leaves(earlier), leaves(later));
        let mut changes = Self {
            dropped: before.iter().filter(|path| !after.contains(path)).cloned().collect(),
            added: after.iter().filter(|path| !before.contains(path)).cloned().collect(),
            ..Self::default()
        };
        for path in changes.dropped.clone() {
            let old = top_field(earlier, &path);
            let added = changes.added.iter();
            let fitting: Vec<String> = added
                .filter(|path| {
                    let new = top_field(later, path);
                    old.zip(new).is_some_and(|(old, new)| is_renamed(old, new))
                })
                .cloned()
                .collect();
            if let [only] = fitting.as_slice() {
                changes.dropped.retain(|dropped| *dropped != path);
                changes.added.retain(|added| added != only);
                changes.renamed.push((path, only.clone()));
            }
        }
        changes
    }

    /// Does not compare dropped fields that may be dropped, or whose weight is 0.
    pub fn allow(&mut self, allowed: &[String], weights: &BTreeMap<String, f64>) {
        let is_compared = |path: &String| !allowed.contains(path) && weight(weights, path) > 0.0;
        let (compared, ignored) = std::mem::take(&mut self.dropped).into_iter().partition(is_compared);
        (self.dropped, self.ignored) = (compared, ignored);
    }

    /// The true record with the names of the later version.
    #[must_use]
    pub fn renamed_truth(&self, truth: &Map<String, Value>) -> Map<String, Value> {
        let mut renamed = truth.clone();
        for (before, after) in &self.renamed {
            if let Some(value) = truth.get(&name(before)) {
                renamed.entry(name(after)).or_insert_with(|| value.clone());
            }
        }
        renamed
    }

    /// Lines the values of the later version up with those of the earlier one: renamed fields under their earlier names,
    /// and dropped ones with the outcome [`CellOutcome::Dropped`] where the truth has a value.
    pub fn align(&self, before: &mut Vec<Cell>, after: &mut Vec<Cell>) {
        for cell in after.iter_mut() {
            if let Some((earlier, _)) = self.renamed.iter().find(|(_, later)| *later == cell.field) {
                let rest = cell.path.get(cell.field.len()..).unwrap_or_default().to_owned();
                cell.path = format!("{earlier}{rest}");
                cell.field.clone_from(earlier);
            }
        }
        let has_value = |cell: &Cell| !matches!(cell.outcome, CellOutcome::Empty | CellOutcome::Invented);
        let dropped = before.iter().filter(|cell| self.dropped.contains(&cell.field) && has_value(cell));
        let dropped: Vec<Cell> = dropped
            .map(|cell| Cell { value: Value::Null, outcome: CellOutcome::Dropped, ..cell.clone() })
            .collect();
        before.retain(|cell| match self.dropped.contains(&cell.field) {
            // There is no value to lose.
            true => has_value(cell),
            false => !self.ignored.contains(&cell.field),
        });
        after.extend(dropped);
    }
}

/// The paths of the fields that have values of their own.
fn leaves(form: &FormSchema) -> Vec<String> {
    let mut found = Vec::new();
    form.fields.iter().for_each(|field| collect(field, &member("", &field.name), &mut found));
    found
}

fn collect(field: &Field, path: &str, found: &mut Vec<String>) {
    match &field.kind {
        FieldType::Object(parts) => {
            parts.iter().for_each(|part| collect(part, &member(path, &part.name), found));
        }
        FieldType::Array(item) if field.map_value().is_none() => collect(item, path, found),
        _ => found.push(path.to_owned()),
    }
}

fn member(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The name that the pointer to a field outside objects has.
fn name(path: &str) -> String {
    path.trim_start_matches('/').replace("~1", "/").replace("~0", "~")
}

fn top_field<'a>(form: &'a FormSchema, path: &str) -> Option<&'a Field> {
    form.fields.iter().find(|field| member("", &field.name) == path)
}

/// Whether a field is an earlier one of the same type with another name.
fn is_renamed(old: &Field, new: &Field) -> bool {
    if std::mem::discriminant(&old.kind) != std::mem::discriminant(&new.kind) {
        return false;
    }
    let description = new.description.as_deref().unwrap_or_default();
    let known = concepts(&new.name, description).with_aliases(new.aliases.iter().map(String::as_str));
    fit(&known, &words(&old.name.replace('_', " "))) >= RENAMED
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::score::{Comparison, compare};

    fn form(fields: Value) -> FormSchema {
        FormSchema::parse(fields.as_object().unwrap()).unwrap()
    }

    fn earlier() -> FormSchema {
        let text = json!({"type": "string"});
        form(json!({
            "invoice_number": text, "note": text, "total": {"type": "number"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"name": text, "price": {"type": "number"}}}}
        }))
    }

    fn later() -> FormSchema {
        let text = json!({"type": "string"});
        form(json!({
            "reference": {"type": "string", "aliases": ["Invoice No"]}, "total": {"type": "number"}, "iban": text,
            "lines": {"type": "array", "items": {"type": "object", "properties": {"name": text}}}
        }))
    }

    #[test]
    fn fields_are_dropped_added_or_have_another_name() {
        let changes = FormChanges::between(&earlier(), &later());
        assert_eq!(changes.dropped, ["/note", "/lines/price"]);
        assert_eq!(changes.added, ["/iban"]);
        assert_eq!(changes.renamed, [("/invoice_number".to_owned(), "/reference".to_owned())]);
        assert_eq!(FormChanges::between(&later(), &later()), FormChanges::default());
        // Another type is another field.
        let number = form(json!({"reference": {"type": "integer", "aliases": ["Invoice No"]}}));
        assert!(FormChanges::between(&earlier(), &number).renamed.is_empty());
    }

    #[test]
    fn a_dropped_value_is_worse_and_a_renamed_one_is_compared_under_its_earlier_name() {
        let truth = json!({
            "invoice_number": "A-1", "note": "x", "total": 5, "lines": [{"name": "a", "price": 1}, {"name": "b", "price": null}]
        });
        let truth = truth.as_object().unwrap();
        let (old, new) = (earlier(), later());
        let record = json!({"reference": "A-1", "total": 5, "lines": [{"name": "a"}, {"name": "b"}]});
        let compared = |allowed: &[String]| {
            let mut changes = FormChanges::between(&old, &new);
            changes.allow(allowed, &BTreeMap::new());
            let mut before = compare(&old, truth, Some(truth));
            let mut after = compare(&new, &changes.renamed_truth(truth), record.as_object());
            changes.align(&mut before, &mut after);
            let mut comparison = Comparison::default();
            let found = comparison.add_group(0, before, after, &BTreeMap::new());
            let paths: Vec<String> = found
                .into_iter()
                .filter_map(|change| change.after)
                .map(|cell| format!("{} {}", cell.path, cell.outcome.name()))
                .collect();
            (paths, comparison.worse, comparison.better)
        };
        let all = ["/note dropped".to_owned(), "/lines/0/price dropped".to_owned()];
        assert_eq!(compared(&[]), (all.to_vec(), 2, 0));
        assert_eq!(compared(&["/note".to_owned()]), (all[1..].to_vec(), 1, 0));
    }
}
