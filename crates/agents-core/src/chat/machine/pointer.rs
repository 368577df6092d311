//! JSON pointers into a form and its values. `/list/-` points after a list's last item, as in JSON Patch (RFC
//! 6902).

pub(crate) use forms_core::value_at as get;
use forms_core::{Field, FieldType, FormSchema, pointer_tokens};
use serde_json::{Map, Value};

/// The token that points after the last item.
pub(crate) const NEXT_ITEM: &str = "-";
/// Most items of a list in a conversation. Bounds the state.
pub(crate) const MAX_ITEMS: usize = 1_000;

/// The pointer to a member of the value at `path`.
pub(crate) fn child(path: &str, token: &str) -> String {
    format!("{path}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// The pointer after the last item of the list at `path`.
pub(crate) fn next_item(path: &str) -> String {
    format!("{path}/{NEXT_ITEM}")
}

/// The list of a pointer such as `/list/-`; `None` for other pointers.
pub(crate) fn list_of_next_item(path: &str) -> Option<&str> {
    path.strip_suffix("/-")
}

/// The index of the item of `list` that a pointer points to or into.
pub(crate) fn item_of(path: &str, list: &str) -> Option<usize> {
    path.strip_prefix(list)?.strip_prefix('/')?.split('/').next()?.parse().ok()
}

/// Whether the field at a pointer and all its ancestors apply under the values.
pub(crate) fn applies(form: &FormSchema, values: &Map<String, Value>, path: &str) -> bool {
    let nothing = Map::new();
    let (mut fields, mut siblings) = (form.fields.as_slice(), values);
    // The value reached so far, and the item field when it is a list.
    let (mut here, mut item): (Option<&Value>, Option<&Field>) = (None, None);
    for token in pointer_tokens(path) {
        let field = if let Some(item) = item.take() {
            here = here.and_then(Value::as_array).and_then(|items| items.get(token.parse::<usize>().ok()?));
            item
        } else {
            let Some(field) = fields.iter().find(|field| field.name == token) else { return false };
            if !field.applies(siblings, values) {
                return false;
            }
            here = siblings.get(&token);
            field
        };
        match &field.kind {
            FieldType::Object(parts) => {
                fields = parts;
                siblings = here.and_then(Value::as_object).unwrap_or(&nothing);
            }
            FieldType::Array(inner) => item = Some(inner),
            _ => {}
        }
    }
    true
}

/// Sets the value at a pointer. Creates objects and lists on the way; an item index may be at most the list's
/// length. Returns `false` when the pointer does not fit the form or the list is full.
pub(crate) fn put(values: &mut Map<String, Value>, form: &FormSchema, path: &str, value: Value) -> bool {
    let mut tokens = pointer_tokens(path);
    let Some(first) = tokens.next() else { return false };
    let Some(mut field) = form.fields.iter().find(|field| field.name == first) else { return false };
    let mut place = values.entry(first).or_insert(Value::Null);
    for token in tokens {
        match &field.kind {
            FieldType::Object(parts) => {
                let Some(part) = parts.iter().find(|part| part.name == token) else { return false };
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                let Value::Object(object) = place else { return false };
                place = object.entry(token).or_insert(Value::Null);
                field = part;
            }
            FieldType::Array(item) => {
                if !place.is_array() {
                    *place = Value::Array(Vec::new());
                }
                let Value::Array(items) = place else { return false };
                let index = if token == NEXT_ITEM { Some(items.len()) } else { token.parse().ok() };
                let Some(index) = index.filter(|index| *index <= items.len() && *index < MAX_ITEMS) else {
                    return false;
                };
                if index == items.len() {
                    items.push(Value::Null);
                }
                let Some(entry) = items.get_mut(index) else { return false };
                place = entry;
                field = item;
            }
            _ => return false,
        }
    }
    *place = value;
    true
}

/// Removes the value at a pointer, and objects that become empty, except list items.
pub(crate) fn take(values: &mut Map<String, Value>, path: &str) -> Option<Value> {
    let tokens: Vec<String> = pointer_tokens(path).collect();
    let (first, rest) = tokens.split_first()?;
    if rest.is_empty() {
        return values.remove(first);
    }
    let taken = take_in(values.get_mut(first)?, rest)?;
    if values.get(first).and_then(Value::as_object).is_some_and(Map::is_empty) {
        values.remove(first);
    }
    Some(taken)
}

fn take_in(place: &mut Value, tokens: &[String]) -> Option<Value> {
    let (token, rest) = tokens.split_first()?;
    match place {
        Value::Object(object) if rest.is_empty() => object.remove(token),
        Value::Object(object) => {
            let taken = take_in(object.get_mut(token)?, rest)?;
            if object.get(token).and_then(Value::as_object).is_some_and(Map::is_empty) {
                object.remove(token);
            }
            Some(taken)
        }
        Value::Array(items) => {
            let index = token.parse::<usize>().ok().filter(|index| *index < items.len())?;
            if rest.is_empty() { Some(items.remove(index)) } else { take_in(items.get_mut(index)?, rest) }
        }
        _ => None,
    }
}
