//! Parses or repairs a model's text to one JSON value. It must not know schemas' details.

mod repair;
#[cfg(test)]
mod tests;

use serde_json::Value;

/// Maximum bytes of an answer that are read; more than any model writes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// The kind of root value to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// An object.
    Object,
    /// A list.
    Array,
    /// Any value.
    Any,
}

impl RootKind {
    /// The root kind of a schema.
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

/// The value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedJson {
    /// The value. Of a truncated answer, only what is complete: a string without its closing quote, and a
    /// number or bare word without a separator after it, are left out.
    pub value: Value,
    /// Whether a part is missing: the text ends early, or a part is unreadable.
    pub cut: bool,
    /// JSON pointer of the place where the text ends early; empty if it does not, and for the root. The lists
    /// and objects on its path are incomplete.
    pub cut_at: String,
}

impl ParsedJson {
    fn whole(value: Value) -> Self {
        Self { value, cut: false, cut_at: String::new() }
    }
}

/// Finds the value of an answer: plain JSON, JSON in a fence or in prose, malformed or truncated JSON, the
/// first of several. An answer truncated within its first member is an empty value with `cut_at`. `None` if
/// there is no such value. Takes linear time.
#[must_use]
pub fn parse(text: &str, root: RootKind) -> Option<ParsedJson> {
    parse_where(text, root, |_| true)
}

/// As [`parse`], but prefers the first of several values that `wanted` accepts, as models give examples
/// before they answer.
#[must_use]
pub fn parse_where(text: &str, root: RootKind, wanted: impl Fn(&Value) -> bool) -> Option<ParsedJson> {
    let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let text = text.get(..text.floor_char_boundary(MAX_ANSWER)).unwrap_or_default().trim_end();
    let text = strip_reasoning(text);
    if let Ok(value) = serde_json::from_str(text) {
        return unwrap_to_kind(value, root).map(ParsedJson::whole);
    }
    if let Some(value) = parse_fenced(text).and_then(|value| unwrap_to_kind(value, root)).filter(&wanted) {
        return Some(ParsedJson::whole(value));
    }
    // A fence that closes after a truncated answer is not part of it.
    let text = text.strip_suffix("```").map_or(text, str::trim_end);
    let (mut first, mut empty, mut open) = (None, None, None);
    // All attempts together: bounds the time of answers with many beginnings.
    let mut room = 2 * MAX_ANSWER;
    let mut end = 0;
    for (at, _) in text.match_indices(|c| root.takes(c)).take(repair::MAX_STARTS) {
        // What is inside a parsed value is not another candidate.
        if at < end {
            continue;
        }
        // Bounds the time for long answers with many candidates.
        let Some(left) = room.checked_sub(text.len() - at) else { break };
        room = left;
        let (repaired, length) = repair::value(text.get(at..)?);
        if repair::has_content(&repaired.value) {
            if wanted(&repaired.value) {
                return Some(repaired);
            }
            end = at + length;
            first = first.or(Some(repaired));
            continue;
        }
        match repaired.cut {
            false => empty = empty.or(Some(repaired)),
            // Truncated within its first member.
            true if !repaired.cut_at.is_empty() => open = open.or(Some(repaired)),
            true => {}
        }
    }
    open.or(first).or(empty)
}

/// The text after the reasoning that some models write.
fn strip_reasoning(text: &str) -> &str {
    let Some(thoughts) = text.strip_prefix("<think>") else { return text };
    thoughts.split_once("</think>").map_or(text, |(_, answer)| answer.trim_start())
}

/// The value in the first fence, if it is complete; the text before it may have braces too.
fn parse_fenced(text: &str) -> Option<Value> {
    let (_, inside) = text.split_once("```")?;
    let (inside, _) = inside.split_once("```")?;
    let inside = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    serde_json::from_str(inside.trim()).ok()
}

/// Parses a list or object that arrives as a string.
#[must_use]
pub fn parse_nested(text: &str) -> Option<Value> {
    let text = text.trim();
    let looks =
        (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('{') && text.ends_with('}'));
    looks.then(|| serde_json::from_str(text).ok()).flatten()
}

/// The value itself, or the value of the wanted kind that it wraps.
fn unwrap_to_kind(value: Value, root: RootKind) -> Option<Value> {
    match (root, value) {
        (RootKind::Any, value)
        | (RootKind::Object, value @ Value::Object(_))
        | (RootKind::Array, value @ Value::Array(_)) => Some(value),
        (RootKind::Object, Value::Array(items)) => merge_objects(items),
        (RootKind::Array, Value::Object(members)) if members.len() == 1 => {
            members.into_iter().next().map(|(_, value)| value).filter(Value::is_array)
        }
        (_, Value::String(text)) => {
            let value = parse_nested(&text)?;
            (value.is_object() == (root == RootKind::Object)).then_some(value)
        }
        _ => None,
    }
}

/// Merges a list of objects; of equal names the first wins.
fn merge_objects(items: Vec<Value>) -> Option<Value> {
    let mut whole = None;
    for item in items {
        let Value::Object(members) = item else { return None };
        let whole: &mut serde_json::Map<String, Value> = whole.get_or_insert_default();
        for (name, value) in members {
            whole.entry(name).or_insert(value);
        }
    }
    whole.map(Value::Object)
}
