//! Parses a model's answer into its object: JSON, repaired if necessary; among several objects the one with
//! the form's fields; or lines of names and values.

use gen_core::structured::{self, ParsedJson, RootKind};
use language::fold::fold_letters;
use serde_json::{Map, Value};

use super::super::node::{NestedFields, pointer_token};
use super::record_shape;
use crate::Field;

// They bound the time.
/// Bytes of an answer without JSON that is parsed by lines, and of one name.
const MAX_PROSE: usize = 200_000;
const MAX_NAME: usize = 256;

/// The object of an answer; `None` when it contains no record.
pub(in super::super) fn parse_object(fields: &[Field], text: &str) -> Option<ParsedJson> {
    let knows =
        |value: &Value| value.as_object().is_some_and(|object| record_shape::is_record(fields, object));
    structured::parse_where(text, RootKind::Object, knows)
        .or_else(|| {
            // The opening brace is missing: it was part of the prompt, or was lost.
            let members = text.trim_start().starts_with('"').then(|| format!("{{{text}"))?;
            structured::parse_where(&members, RootKind::Object, knows)
        })
        .or_else(|| parse_named_lines(fields, text))
}

/// Fields as `name: value` lines, with or without list or table markup. A last line without an end is open:
/// its value may be truncated.
fn parse_named_lines(fields: &[Field], text: &str) -> Option<ParsedJson> {
    let text = text.get(..text.floor_char_boundary(MAX_PROSE))?;
    let names: Vec<String> = fields.iter().map(|field| fold_letters(&field.name)).collect();
    let mut object = Map::new();
    let mut open = None;
    for raw in text.split_inclusive('\n') {
        let is_open = !raw.ends_with(['\n', '|', '`', '*']);
        let line = raw.trim().trim_start_matches(['-', '*', '•', '|', '#', ' ']);
        let Some((name, value)) = line.split_once([':', '|']).filter(|(name, _)| name.len() <= MAX_NAME)
        else {
            continue;
        };
        let name = fold_letters(name);
        let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '|' | '`' | '"'));
        let field = fields.iter().zip(&names).find(|(_, known)| !name.is_empty() && **known == name);
        if let Some((field, _)) =
            field.filter(|(field, _)| matches!(NestedFields::of(field), NestedFields::None))
        {
            if is_open && !object.contains_key(&field.name) {
                open = Some(format!("/{}", pointer_token(&field.name)));
                continue;
            }
            object.entry(field.name.clone()).or_insert_with(|| Value::from(value));
        }
    }
    let cut = open.is_some();
    let is_record = cut || !object.is_empty();
    let parsed = || ParsedJson { value: Value::Object(object), cut, cut_at: open.unwrap_or_default() };
    is_record.then(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormSchema;
    use serde_json::json;

    fn fields() -> Vec<Field> {
        let schema = json!({"vendor": {"type": "string"}, "paid_on": {"type": "date"}, "rows": {"type": "array", "items": {"type": "string"}}});
        FormSchema::parse(schema.as_object().unwrap()).unwrap().fields
    }

    fn read(text: &str) -> Option<Value> {
        parse_object(&fields(), text).map(|parsed| parsed.value)
    }

    #[test]
    fn lines_of_names_and_values_are_a_record() {
        let wanted = Some(json!({"vendor": "ACME: Tools", "paid_on": "3 May 2025"}));
        assert_eq!(read("Found:\n- **Vendor**: ACME: Tools\n* Paid on: 3 May 2025\nrows: none"), wanted);
        let open = parse_object(&fields(), "Vendor: ACME\nPaid on: 3 May 2025").unwrap();
        assert_eq!((open.value, open.cut_at.as_str()), (json!({"vendor": "ACME"}), "/paid_on"));
        let open = parse_object(&fields(), r#""vendor": "ACM"#).unwrap();
        assert_eq!((open.value, open.cut_at.as_str()), (json!({}), "/vendor"));
        assert_eq!(read(r#""vendor": "ACME"}"#), Some(json!({"vendor": "ACME"})));
        assert_eq!(
            read("| Field | Value |\n|---|---|\n| vendor | ACME: Tools |\n| paid_on | 3 May 2025 |"),
            wanted
        );
        assert_eq!(read("I am sorry: there is nothing."), None);
    }

    #[test]
    fn of_several_objects_the_one_with_the_fields_is_read() {
        assert_eq!(
            read(r#"Like {"name": "x"}: {"data": {"vendor": "A"}}"#),
            Some(json!({"data": {"vendor": "A"}}))
        );
        assert_eq!(read(r#"{"name": "x"} only"#), Some(json!({"name": "x"})));
    }
}
