//! From a model's text to one JSON object: as it is, or repaired. It must not know forms.

mod repair;

use serde_json::{Map, Value};

/// Bytes of an answer that are read.
const MAX_ANSWER: usize = 16 * 1024 * 1024;

/// The object that an answer states.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) object: Map<String, Value>,
    /// Whether it ended before its own end.
    pub(super) cut: bool,
}

/// Reads an answer: plain JSON, JSON in a fence or amid prose, JSON with slips, JSON cut off.
/// `None` when there is no object in it.
pub(super) fn parse(text: &str) -> Option<Answer> {
    let text =
        text.get(..MAX_ANSWER.min(text.len())).unwrap_or_default().trim_start_matches('\u{feff}').trim();
    if let Ok(value) = serde_json::from_str(text) {
        return object(value).map(|object| Answer { object, cut: false });
    }
    let mut empty = None;
    for (at, _) in text.match_indices('{').take(repair::MAX_STARTS) {
        let repaired = repair::object(text.get(at..)?);
        if !repaired.object.is_empty() {
            return Some(Answer { object: repaired.object, cut: repaired.cut });
        }
        empty = empty.or((!repaired.cut).then_some(Answer { object: repaired.object, cut: false }));
    }
    empty
}

/// A value that arrives as text though it is a list or an object.
pub(super) fn nested(text: &str) -> Option<Value> {
    let text = text.trim();
    let looks =
        (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('{') && text.ends_with('}'));
    looks.then(|| serde_json::from_str(text).ok()).flatten()
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        Value::Array(items) => match <[Value; 1]>::try_from(items) {
            Ok([Value::Object(object)]) => Some(object),
            _ => None,
        },
        Value::String(text) => match nested(&text) {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Option<(Value, bool)> {
        parse(text).map(|answer| (Value::Object(answer.object), answer.cut))
    }

    #[test]
    fn an_object_is_found_in_whatever_surrounds_it() {
        let wanted = Some((json!({"a": 1, "b": "x"}), false));
        for text in [
            r#"{"a": 1, "b": "x"}"#,
            "\u{feff} {\"a\": 1, \"b\": \"x\"}\n",
            "```json\n{\"a\": 1, \"b\": \"x\"}\n```",
            "Here you are: {\"a\": 1, \"b\": \"x\"} I hope it helps {not}.",
            "An empty {} first, then {\"a\": 1, \"b\": \"x\"}",
            r#"[{"a": 1, "b": "x"}]"#,
            r#""{\"a\": 1, \"b\": \"x\"}""#,
            r#"{"a": 1, "b": "x",}"#,
            "{'a': 1, 'b': 'x'}",
            r#"{a: 1, b: "x"}"#,
            "{\"a\": 1 // one\n, /* two */ \"b\": \"x\"}",
            r#"{"a": 1 "b": "x"}"#,
            "{“a”: 1, “b”: “x”}",
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_cut_answer_keeps_what_is_complete() {
        for text in [
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": "hal"#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}"#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d"#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d":"#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": 12"#,
            r#"{"a": 1, "b": [{"c": 2}, {"c": 3}], "d": tru"#,
        ] {
            assert_eq!(read(text), Some((json!({"a": 1, "b": [{"c": 2}, {"c": 3}]}), true)), "{text}");
        }
    }

    #[test]
    fn slips_in_values_are_read_for_what_they_mean() {
        let text = "{\"a\": True, \"b\": None, \"c\": NaN, \"d\": 1e999, \"e\": \"two\nlines\", \"f\": \"\\ud800\", \
                    \"g\": +5, \"h\": .5, \"i\": 1,234, \"j\": abc def, \"k\": \"\\q\\u00e9\\ud83d\\ude00\"}";
        assert_eq!(
            read(text).unwrap().0,
            json!({"a": true, "b": null, "c": null, "d": "1e999", "e": "two\nlines", "f": "\u{fffd}", "g": "+5",
                   "h": ".5", "i": "1,234", "j": "abc def", "k": "qé😀"})
        );
    }

    /// Whether `part` has nothing that `whole` has not.
    fn is_within(part: &Value, whole: &Value) -> bool {
        match (part, whole) {
            (Value::Object(part), Value::Object(whole)) => {
                part.iter().all(|(key, value)| whole.get(key).is_some_and(|known| is_within(value, known)))
            }
            (Value::Array(part), Value::Array(whole)) => {
                part.len() <= whole.len()
                    && part.iter().zip(whole).all(|(part, whole)| is_within(part, whole))
            }
            _ => part == whole,
        }
    }

    #[test]
    fn wherever_an_answer_is_cut_nothing_wrong_is_read() {
        let whole = json!({"a": 12.5, "b": "x \"y\" {z} \\", "c": [1, -20, 300], "d": {"e": null, "f": [true, false]},
                           "g": [{"h": "é😀", "i": "2"}, {"h": "", "i": "33"}], "j": "last"});
        for text in [whole.to_string(), serde_json::to_string_pretty(&whole).unwrap()] {
            for (at, _) in text.char_indices() {
                if let Some(answer) = parse(&text[..at]) {
                    let read = Value::Object(answer.object);
                    assert!(answer.cut && is_within(&read, &whole), "{} gave {read}", &text[..at]);
                }
            }
        }
    }

    #[test]
    fn an_answer_with_a_character_lost_is_read_or_refused() {
        let text = json!({"a": 12.5, "b": "x \"y\"", "c": [1, {"d": null}], "e": {"f": true}}).to_string();
        for (at, c) in text.char_indices() {
            let damaged = format!("{}{}", &text[..at], &text[at + c.len_utf8()..]);
            parse(&damaged);
            parse(&format!("{}{}{}", &text[..at], "\"", &text[at..]));
        }
    }

    #[test]
    fn what_holds_no_object_is_none() {
        for text in ["", "null", "[1, 2]", "[]", "\"x\"", "no braces here", "]]]]", "\0"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("{}"), Some((json!({}), false)));
    }

    #[test]
    fn bombs_end_quickly_and_shallowly() {
        for bomb in
            ["{\"a\":".repeat(200_000), "{".repeat(200_000), "[".repeat(200_000), "{\"a\":[".repeat(100_000)]
        {
            if let Some(answer) = parse(&bomb) {
                assert!(serde_json::to_string(&answer.object).unwrap().len() < 100_000);
            }
        }
        let quotes = "{\"".repeat(50_000);
        parse(&quotes);
    }
}
