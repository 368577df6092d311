//! How two schemas of a form differ, as lines of text.

use serde_json::{Map, Value};

/// One line for each field that was added (`+`), dropped (`-`) or changed (`~`), with its JSON pointer without indexes.
pub(super) fn diff(before: &Value, after: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    fields(before, after, "", &mut lines);
    lines
}

fn fields(before: &Value, after: &Value, place: &str, lines: &mut Vec<String>) {
    let none = Map::new();
    let (before, after) = (before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none));
    let path = |name: &str| format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
    for (name, old) in before.iter().filter(|(name, _)| !after.contains_key(*name)) {
        lines.push(format!("- {} {}", path(name), kind(old)));
    }
    for (name, new) in after {
        match before.get(name) {
            None => lines.push(format!("+ {} {}", path(name), kind(new))),
            Some(old) => field(old, new, &path(name), lines),
        }
    }
    let kept = |one: &Map<String, Value>, other: &Map<String, Value>| -> Vec<String> {
        one.keys().filter(|name| other.contains_key(*name)).cloned().collect()
    };
    let order = kept(after, before);
    if order != kept(before, after) {
        let place = if place.is_empty() { "/" } else { place };
        lines.push(format!("~ {place} order: {}", order.join(", ")));
    }
}

fn field(old: &Value, new: &Value, path: &str, lines: &mut Vec<String>) {
    let none = Map::new();
    let (before, after) = (old.as_object().unwrap_or(&none), new.as_object().unwrap_or(&none));
    let added = after.keys().filter(|key| !before.contains_key(*key));
    for key in before.keys().chain(added) {
        let (one, other) = (before.get(key), after.get(key));
        match key.as_str() {
            _ if one == other => {}
            "properties" => fields(&old["properties"], &new["properties"], path, lines),
            "items" => field(&old["items"], &new["items"], path, lines),
            _ => lines.push(format!("~ {path} {key}: {} → {}", shown(one), shown(other))),
        }
    }
}

fn kind(field: &Value) -> &str {
    field["type"].as_str().unwrap_or("string")
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "none".to_owned(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_that_differs_is_a_line() {
        let before = json!({
            "number": {"type": "string"}, "total": {"type": "number", "minimum": 0}, "note": {"type": "string"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"a/b": {"type": "string"}}}}
        });
        let after = json!({
            "total": {"type": "number", "required": true}, "number": {"type": "string"}, "iban": {"type": "string"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"a/b": {"type": "date"}}}}
        });
        assert_eq!(
            diff(&before, &after),
            [
                "- /note string",
                "~ /total minimum: 0 → none",
                "~ /total required: none → true",
                "+ /iban string",
                "~ /lines/a~1b type: \"string\" → \"date\"",
                "~ / order: total, number, lines"
            ]
        );
        assert!(diff(&before, &before).is_empty());
    }
}
