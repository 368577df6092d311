//! Conditions in remarks such as "only if the animal is vaccinated". They must clearly refer to one boolean
//! or enum field named before; otherwise the text stays a remark.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::snake_case::written_in_ascii;
use super::words::{Lexicon, longest_at, text_from, words};

/// The condition that a remark states, as text.
pub(super) fn stated_condition(remark: &str, lexicon: Lexicon) -> Option<String> {
    let found = words(remark);
    let count = longest_at(&found, 0, lexicon.list("only_if"));
    (count > 0 && found.len() > count).then(|| text_from(remark, &found, count).to_owned())
}

/// The `when` for a stated condition, if exactly one field of `before` matches.
pub(super) fn to_when(stated: &str, before: &Map<String, Value>, lexicon: Lexicon) -> Option<Value> {
    let said = parts(stated, lexicon);
    if said.iter().any(|word| lexicon.has("not_plain", word)) || stated.contains([',', ';', '<', '>', '/']) {
        return None;
    }
    let mut found =
        before.iter().flat_map(|(name, definition)| matching_values(name, definition, &said, lexicon));
    match (found.next(), found.next()) {
        (Some((name, value)), None) => Some(json!({ name: value })),
        _ => None,
    }
}

/// The values of a field that the condition mentions.
fn matching_values<'f>(
    name: &'f str,
    definition: &'f Value,
    said: &HashSet<String>,
    lexicon: Lexicon,
) -> Vec<(&'f str, Value)> {
    let mut own = parts(name, lexicon);
    own.retain(|word| !lexicon.has("small_word", word));
    match definition.get("type").and_then(Value::as_str) {
        Some("boolean") if !own.is_empty() && own.is_subset(said) => vec![(name, json!(true))],
        Some("string") if !own.is_disjoint(said) => {
            let options = definition.get("enum").and_then(Value::as_array).into_iter().flatten();
            let options = options.filter_map(Value::as_str).filter(|option| {
                let option = parts(option, lexicon);
                !option.is_empty() && option.is_subset(said)
            });
            options.map(|option| (name, json!(option))).collect()
        }
        _ => Vec::new(),
    }
}

/// The normalised words of a text or a name.
fn parts(text: &str, lexicon: Lexicon) -> HashSet<String> {
    let plain = written_in_ascii(text, lexicon);
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::schema::generate_schema;
    use forms_core::validate_schema;

    fn condition(content: &str, field: &str) -> Value {
        let schema = Value::Object(generate_schema(content).unwrap());
        assert_eq!(validate_schema(&schema), [], "{content}");
        assert!(schema[field].is_object(), "{content}: {schema}");
        schema[field]["when"].clone()
    }

    #[test]
    fn a_plain_remark_on_one_field_becomes_its_condition() {
        for (content, field, when) in [
            (
                "name, vaccinated (yes/no), vaccination date (only if the animal is vaccinated)",
                "vaccination_date",
                json!({"vaccinated": true}),
            ),
            (
                "- Contact method: email, phone or letter\n- Phone number (only if the contact method is phone)",
                "phone_number",
                json!({"contact_method": "phone"}),
            ),
            (
                "Name, geimpft (ja/nein), Impfdatum (nur wenn das Tier geimpft ist)",
                "impfdatum",
                json!({"geimpft": true}),
            ),
        ] {
            assert_eq!(condition(content, field), when, "{content}");
        }
    }

    #[test]
    fn a_remark_that_is_less_plain_stays_a_remark() {
        for (content, field) in [
            ("vaccinated (yes/no), reason (only if the animal is not vaccinated)", "reason"),
            ("vaccinated (yes/no), insured (yes/no), number (only if vaccinated or insured)", "number"),
            ("vaccinated (yes/no), reason (only if known)", "reason"),
            ("vaccination date (only if the animal is vaccinated), vaccinated (yes/no)", "vaccination_date"),
            ("smoker (yes/no), brand (if smoker)", "brand"),
        ] {
            assert_eq!(condition(content, field), Value::Null, "{content}");
        }
    }
}
