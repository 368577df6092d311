//! How the fields of two versions of a form differ, and what that means for the values of their runs.

use std::collections::BTreeMap;

use forms_core::labels::{concepts, fit, words};
use forms_core::{Field, FieldType, FormSchema};
use indexmap::IndexMap;
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
    /// The fields in which `later` differs from `earlier`. Fields of the same object, or of rows of the same list, are
    /// recognised by another name; an object or list itself is not.
    #[must_use]
    pub fn between(earlier: &FormSchema, later: &FormSchema) -> Self {
        let (before, after) = (leaves(earlier), leaves(later));
        let mut changes = Self {
            dropped: before.keys().filter(|path| !after.contains_key(*path)).cloned().collect(),
            added: after.keys().filter(|path| !before.contains_key(*path)).cloned().collect(),
            ..Self::default()
        };
        for path in changes.dropped.clone() {
            let old = before.get(&path);
            let is_fitting = |added: &&String| {
                let new = after.get(*added).filter(|_| parent(added) == parent(&path));
                old.zip(new).is_some_and(|(old, new)| is_renamed(old, new))
            };
            let fitting: Vec<String> = changes.added.iter().filter(is_fitting).cloned().collect();
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
            add_name(&mut renamed, &tokens(before), last(after));
        }
        renamed
    }

    /// Lines the values of the later version up with those of the earlier one: renamed fields under their earlier names,
    /// and dropped ones with the outcome [`CellOutcome::Dropped`] where the truth has a value.
    pub fn align(&self, before: &mut Vec<Cell>, after: &mut Vec<Cell>) {
        for cell in after.iter_mut() {
            if let Some((earlier, _)) = self.renamed.iter().find(|(_, later)| *later == cell.field) {
                cell.path = with_name(&cell.path, last(&cell.field), last(earlier));
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

/// The fields that have values of their own, by path.
fn leaves(form: &FormSchema) -> IndexMap<String, &Field> {
    let mut found = IndexMap::new();
    form.fields.iter().for_each(|field| collect(field, field, &member("", &field.name), &mut found));
    found
}

/// Adds a field, or an item of one, or what is in it.
fn collect<'a>(field: &'a Field, within: &'a Field, path: &str, found: &mut IndexMap<String, &'a Field>) {
    match &within.kind {
        FieldType::Object(parts) => {
            parts.iter().for_each(|part| collect(part, part, &member(path, &part.name), found));
        }
        FieldType::Array(item) if within.map_value().is_none() => collect(field, item, path, found),
        _ => drop(found.insert(path.to_owned(), field)),
    }
}

fn member(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The path of the object or list that a field is in.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The last token of a path, as it is written there.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn name(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn tokens(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(name).collect()
}

/// Adds the value at a path under another name, in each row of the lists on it.
fn add_name(object: &mut Map<String, Value>, path: &[String], token: &str) {
    match path {
        [] => {}
        [only] => {
            if let Some(value) = object.get(only).cloned() {
                object.entry(name(token)).or_insert(value);
            }
        }
        [first, rest @ ..] => match object.get_mut(first) {
            Some(Value::Object(part)) => add_name(part, rest, token),
            Some(Value::Array(rows)) => {
                let rows = rows.iter_mut().filter_map(Value::as_object_mut);
                rows.for_each(|row| add_name(row, rest, token));
            }
            _ => {}
        },
    }
}

/// A pointer with another name of its field, which may be followed by the index of an item.
fn with_name(pointer: &str, from: &str, to: &str) -> String {
    let mut tokens: Vec<&str> = pointer.split('/').collect();
    if let Some(token) = tokens.iter_mut().rfind(|token| **token == from) {
        *token = to;
    }
    tokens.join("/")
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
    fn fields_of_rows_and_objects_are_compared_under_their_earlier_names() {
        let text = json!({"type": "string"});
        let of = |price: Value, city: Value| {
            form(json!({
                "lines": {"type": "array", "items": {"type": "object", "properties": price}},
                "seller": {"type": "object", "properties": city}
            }))
        };
        let old = of(json!({"name": text, "price": {"type": "number"}}), json!({"city": text}));
        let new = of(
            json!({"name": text, "amount": {"type": "number", "aliases": ["Price"]}}),
            json!({"town": {"type": "string", "aliases": ["City"]}}),
        );
        let changes = FormChanges::between(&old, &new);
        let renamed = [("/lines/price", "/lines/amount"), ("/seller/city", "/seller/town")];
        assert_eq!(changes.renamed, renamed.map(|(from, to)| (from.to_owned(), to.to_owned())));
        assert_eq!((changes.dropped.len(), changes.added.len()), (0, 0));
        // An alias of a field elsewhere is no other name.
        let elsewhere = form(json!({
            "price": {"type": "number"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"name": text}}},
            "seller": {"type": "object", "properties": {"city": text}}
        }));
        assert_eq!(FormChanges::between(&old, &elsewhere).dropped, ["/lines/price"]);
        let truth = json!({"lines": [{"name": "a", "price": 1}, {"name": "b", "price": 2}], "seller": {"city": "York"}});
        let record = json!({"lines": [{"name": "a", "amount": 1}, {"name": "b", "amount": 3}], "seller": {"town": "York"}});
        let truth = truth.as_object().unwrap();
        let mut before = compare(&old, truth, Some(truth));
        let mut after = compare(&new, &changes.renamed_truth(truth), record.as_object());
        changes.align(&mut before, &mut after);
        let mut comparison = Comparison::default();
        let found = comparison.add_group(0, before, after, &BTreeMap::new());
        let paths: Vec<&str> =
            found.iter().filter_map(|change| change.after.as_ref()).map(|cell| cell.path.as_str()).collect();
        assert_eq!((paths, comparison.worse, comparison.better), (vec!["/lines/1/price"], 1, 0));
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
