//! From a model's text to one JSON value: as it is, or repaired. It must not know schemas' details.

mod repair;

use serde_json::Value;

/// Bytes of an answer that are read; more than any model writes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// What kind of value an answer is looked through for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// An object.
    Object,
    /// A list.
    Array,
    /// Whatever comes first.
    Any,
}

impl Root {
    /// What a schema asks for.
    #[must_use]
    pub fn of(schema: &Value) -> Self {
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => Self::Object,
            Some("array") => Self::Array,
            _ => Self::Any,
        }
    }

    fn takes(self, open: char) -> bool {
        match self {
            Self::Object => open == '{',
            Self::Array => open == '[',
            Self::Any => matches!(open, '{' | '['),
        }
    }
}

/// The value that an answer states.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The value; of an answer that was cut off, what is complete.
    pub value: Value,
    /// Whether it ended before its own end.
    pub cut: bool,
    /// JSON pointer of the place where it ended; empty unless `cut`, and for the root itself. The
    /// lists and objects on the way are not complete.
    pub cut_at: String,
}

impl Parsed {
    fn whole(value: Value) -> Self {
        Self { value, cut: false, cut_at: String::new() }
    }
}

/// Reads an answer: plain JSON, JSON in a fence or amid prose, JSON with slips, JSON cut off, the
/// first of several. `None` when there is no such value in it. Takes time in proportion to the text.
#[must_use]
pub fn parse(text: &str, root: Root) -> Option<Parsed> {
    let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let text = text.get(..text.floor_char_boundary(MAX_ANSWER)).unwrap_or_default().trim_end();
    if let Ok(value) = serde_json::from_str(text) {
        return fitting(value, root).map(Parsed::whole);
    }
    let mut empty = None;
    for (at, _) in text.match_indices(|c| root.takes(c)).take(repair::MAX_STARTS) {
        let repaired = repair::value(text.get(at..)?);
        if repair::has_content(&repaired.value) {
            return Some(repaired);
        }
        empty = empty.or((!repaired.cut).then_some(repaired));
    }
    empty
}

/// A value that arrives as text though it is a list or an object.
#[must_use]
pub fn nested(text: &str) -> Option<Value> {
    let text = text.trim();
    let looks =
        (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('{') && text.ends_with('}'));
    looks.then(|| serde_json::from_str(text).ok()).flatten()
}

/// The value itself, or the one of the wanted kind that it wraps.
fn fitting(value: Value, root: Root) -> Option<Value> {
    match (root, value) {
        (Root::Any, value)
        | (Root::Object, value @ Value::Object(_))
        | (Root::Array, value @ Value::Array(_)) => Some(value),
        (Root::Object, Value::Array(items)) => match <[Value; 1]>::try_from(items) {
            Ok([object @ Value::Object(_)]) => Some(object),
            _ => None,
        },
        (Root::Array, Value::Object(members)) if members.len() == 1 => {
            members.into_iter().next().map(|(_, value)| value).filter(Value::is_array)
        }
        (_, Value::String(text)) => {
            let value = nested(&text)?;
            (value.is_object() == (root == Root::Object)).then_some(value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Option<(Value, bool)> {
        parse(text, Root::Object).map(|answer| (answer.value, answer.cut))
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
                if let Some(answer) = parse(&text[..at], Root::Object) {
                    let read = answer.value;
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
            drop(parse(&damaged, Root::Object));
            drop(parse(&format!("{}{}{}", &text[..at], "\"", &text[at..]), Root::Any));
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
            if let Some(answer) = parse(&bomb, Root::Object) {
                assert!(serde_json::to_string(&answer.value).unwrap().len() < 100_000);
            }
        }
        let quotes = "{\"".repeat(50_000);
        drop(parse(&quotes, Root::Any));
    }
}
