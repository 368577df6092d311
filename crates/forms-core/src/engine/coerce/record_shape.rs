//! Normalises records in other shapes than requested: wrapped, flat instead of nested, nested instead of
//! flat, columns instead of rows.

use std::borrow::Cow;

use language::fold::fold_letters;
use serde_json::{Map, Value};

use super::super::node::{NestedFields, pointer_token};
use super::members::ObjectMembers;
use crate::Field;

/// Levels of wrappers that are searched. Chosen by hand; no measurement is recorded.
const MAX_WRAPPERS: usize = 3;
/// Members of an object that are searched. Bounds the time.
const MAX_LOOKED: usize = 64;
/// Members with unknown names, including nested ones, that are searched for absent fields. Bounds the time.
const MAX_FLAT: usize = 512;
/// Names under which models wrap a single value beside remarks, best first.
const INNER: [&str; 7] = ["value", "val", "text", "content", "answer", "amount", "data"];

/// The object with the form's fields as its members, and its pointer in the answer.
pub(super) fn locate_record<'o>(
    fields: &[Field],
    object: &'o Map<String, Value>,
) -> (Cow<'o, Map<String, Value>>, String) {
    if fields.iter().all(|field| object.contains_key(&field.name)) {
        return (Cow::Borrowed(object), String::new());
    }
    if count_known_fields(fields, object) > 0 {
        return (arrange_members(fields, object), String::new());
    }
    let Some((count, inner, path)) = find_inner_record(fields, object, MAX_WRAPPERS) else {
        return (arrange_members(fields, object), String::new());
    };
    // Members spread over several objects win if they are more than those of one inner object.
    let here = arrange_members(fields, object);
    if count_known_fields(fields, &here) > count {
        (here, String::new())
    } else {
        (arrange_members(fields, inner), path)
    }
}

/// Whether the object, or one inside it, has any of the form's fields.
pub(super) fn is_record(fields: &[Field], object: &Map<String, Value>) -> bool {
    count_known_fields(fields, object) > 0 || find_inner_record(fields, object, MAX_WRAPPERS).is_some()
}

fn count_known_fields(fields: &[Field], object: &Map<String, Value>) -> usize {
    let members = ObjectMembers::new(fields, object);
    fields.iter().filter(|field| members.get(&field.name).is_some()).count()
}

/// The inner object with the most of the form's fields.
fn find_inner_record<'o>(
    fields: &[Field],
    object: &'o Map<String, Value>,
    depth: usize,
) -> Option<(usize, &'o Map<String, Value>, String)> {
    let depth = depth.checked_sub(1)?;
    let mut best: Option<(usize, &Map<String, Value>, String)> = None;
    for (name, value) in object.iter().take(MAX_LOOKED) {
        let (inner, path) = match value {
            Value::Object(inner) => (inner, format!("/{}", pointer_token(name))),
            Value::Array(items) => match items.as_slice() {
                [Value::Object(inner)] => (inner, format!("/{}/0", pointer_token(name))),
                _ => continue,
            },
            _ => continue,
        };
        let here = count_known_fields(fields, inner);
        let found = match here {
            0 => find_inner_record(fields, inner, depth)
                .map(|(count, inner, rest)| (count, inner, path + &rest)),
            _ => Some((here, inner, path)),
        };
        if let Some(found) = found
            && best.as_ref().is_none_or(|(count, ..)| found.0 > *count)
        {
            best = Some(found);
        }
    }
    best
}

/// A member whose name is no field's.
struct UnplacedMember<'o> {
    /// The names from the top, folded and joined.
    path: String,
    /// The folded name.
    name: String,
    value: &'o Value,
}

/// The object with members moved to where absent fields expect them; unchanged when there are none.
fn arrange_members<'o>(fields: &[Field], object: &'o Map<String, Value>) -> Cow<'o, Map<String, Value>> {
    let members = ObjectMembers::new(fields, object);
    let absent: Vec<&Field> = fields.iter().filter(|field| members.get(&field.name).is_none()).collect();
    if absent.is_empty() || members.unknown_members().next().is_none() {
        return Cow::Borrowed(object);
    }
    let strays = unplaced_members(fields, &members);
    let mut moved = Vec::new();
    for field in absent {
        let own = fold_letters(&field.name);
        let found = match NestedFields::of(field) {
            NestedFields::Parts(parts) => gather_object(fields, &own, parts, &strays),
            _ => by_path(&strays, &own).or_else(|| by_name(&strays, &own)).cloned(),
        };
        moved.extend(found.map(|value| (field.name.clone(), value)));
    }
    if moved.is_empty() {
        return Cow::Borrowed(object);
    }
    let mut object = object.clone();
    object.extend(moved);
    Cow::Owned(object)
}

fn unplaced_members<'o>(fields: &[Field], members: &ObjectMembers<'o>) -> Vec<UnplacedMember<'o>> {
    let mut strays = Vec::new();
    for (key, value, own) in members.unknown_members() {
        // What a field takes under a sloppy name is no stray.
        if fields.iter().any(|field| fold_letters(&field.name) == *own) {
            continue;
        }
        strays.push(UnplacedMember { path: own.clone(), name: own.clone(), value });
        for (name, value) in value.as_object().into_iter().flatten().take(MAX_LOOKED) {
            let name = fold_letters(name);
            strays.push(UnplacedMember { path: format!("{own}{name}"), name, value });
        }
        if strays.len() > MAX_FLAT || key.is_empty() {
            break;
        }
    }
    strays
}

fn by_path<'o>(strays: &[UnplacedMember<'o>], path: &str) -> Option<&'o Value> {
    single_value(strays.iter().filter(|stray| stray.path == path))
}

fn by_name<'o>(strays: &[UnplacedMember<'o>], name: &str) -> Option<&'o Value> {
    single_value(strays.iter().filter(|stray| stray.name == name))
}

fn single_value<'o, 's>(mut found: impl Iterator<Item = &'s UnplacedMember<'o>>) -> Option<&'o Value>
where
    'o: 's,
{
    let first = found.next()?;
    found.next().is_none().then_some(first.value).filter(|value| !value.is_null())
}

/// Builds an object from scattered members: `buyer_name`, or `name` if no other field has a member of that
/// name.
fn gather_object(
    fields: &[Field],
    own: &str,
    parts: &[Field],
    strays: &[UnplacedMember<'_>],
) -> Option<Value> {
    let mut object = Map::new();
    for part in parts {
        let name = fold_letters(&part.name);
        let shared = || count_holders(fields, &name) > 1;
        let found = by_path(strays, &format!("{own}{name}"))
            .or_else(|| by_name(strays, &name).filter(|_| !name.is_empty() && !shared()));
        object.extend(found.map(|value| (part.name.clone(), value.clone())));
    }
    (!object.is_empty()).then_some(Value::Object(object))
}

/// The number of fields and members of fields with a name.
fn count_holders(fields: &[Field], name: &str) -> usize {
    let parts = |field: &Field| match NestedFields::of(field) {
        NestedFields::Parts(parts) => parts.iter().filter(|part| fold_letters(&part.name) == name).count(),
        _ => 0,
    };
    fields.iter().map(|field| usize::from(fold_letters(&field.name) == name) + parts(field)).sum()
}

/// The value inside `{"value": …, "confidence": …}` or `{"total": 12}` for a field `total`.
pub(super) fn unwrap_value<'v>(field: &Field, value: &'v Value) -> Option<&'v Value> {
    let object = value.as_object()?;
    let named =
        |wanted: &str| object.iter().find(|(name, _)| fold_letters(name) == wanted).map(|(_, value)| value);
    if object.len() > MAX_LOOKED {
        return None;
    }
    let own = fold_letters(&field.name);
    INNER.iter().find_map(|name| named(name)).or_else(|| named(&own).filter(|_| object.len() == 1))
}

/// The items of a list given as an object: under one name, numbered, or as columns.
pub(super) fn list_items(item: &Field, object: &Map<String, Value>) -> Option<Vec<Value>> {
    let parts = match NestedFields::of(item) {
        NestedFields::Parts(parts) => parts,
        _ => &[],
    };
    if count_known_fields(parts, object) > 0 {
        return rows_from_columns(object);
    }
    let numbered = object.len() > 1
        && object.keys().enumerate().all(|(at, key)| [at, at + 1].iter().any(|n| *key == n.to_string()));
    if numbered {
        return Some(object.values().cloned().collect());
    }
    let mut lists = object.values().filter_map(Value::as_array);
    match (lists.next(), lists.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    }
}

/// Rows from columns of equal length.
fn rows_from_columns(object: &Map<String, Value>) -> Option<Vec<Value>> {
    let columns: Option<Vec<(&String, &Vec<Value>)>> =
        object.iter().map(|(name, value)| Some((name, value.as_array()?))).collect();
    let columns = columns?;
    let length = columns.first()?.1.len();
    if length == 0 || columns.iter().any(|(_, column)| column.len() != length) {
        return None;
    }
    let row = |at: usize| -> Map<String, Value> {
        columns.iter().filter_map(|(name, column)| Some(((*name).clone(), column.get(at)?.clone()))).collect()
    };
    Some((0..length).map(|at| Value::Object(row(at))).collect())
}

/// The entries of a list given as one text: split at lines, semicolons or bullets. Commas split only three or
/// more short entries.
pub(super) fn split_entries(text: &str) -> Vec<&str> {
    let by = |marks: &[char]| -> Vec<&str> {
        let entries =
            text.split(marks).map(|entry| entry.trim().trim_start_matches(['-', '*', '•', '·']).trim());
        entries.filter(|entry| !entry.is_empty()).collect()
    };
    let firm = by(&['\n', ';', '•', '|']);
    if firm.len() > 1 {
        return firm;
    }
    let loose = by(&[',', '、']);
    // Up to four words; longer ones are clauses of a sentence. Chosen by hand; no measurement is recorded.
    let short = |entry: &&str| entry.split_whitespace().nth(4).is_none();
    if loose.len() > 2 && loose.iter().all(short) { loose } else { vec![text.trim()] }
}
