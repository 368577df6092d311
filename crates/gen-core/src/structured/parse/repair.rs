//! A lenient JSON parser. It accepts trailing and missing commas, comments, single and curly quotes, bare
//! words, numbers beyond range, raw control characters, and truncated text.

use serde_json::{Map, Value};

use super::ParsedJson;
use crate::structured::keywords::token;

/// Maximum nesting; deeper values are dropped. Bounds the stack. Schemas have as many at most
/// (`schema_check`).
const MAX_DEPTH: usize = 32;
/// Maximum candidates for the start of the value. Bounds the time.
pub(super) const MAX_STARTS: usize = 16;

/// Characters after a quote that decide whether it closes the string. Bounds the time. Chosen by hand; no
/// measurement is recorded.
const LOOKED_AT: usize = 80;

/// Parses the object or list at the start of `text`, and returns the number of bytes read.
pub(super) fn value(text: &str) -> (ParsedJson, usize) {
    let mut reader = LenientReader {
        rest: text,
        depth: 0,
        cut: false,
        skipped_member: false,
        last_was_bare: false,
        path: Vec::new(),
    };
    let value = match reader.bump() {
        Some('[') => Value::Array(reader.array()),
        _ => Value::Object(reader.object()),
    };
    let cut_at = reader.path.iter().map(|name| format!("/{}", token(name))).collect();
    let cut = reader.cut || reader.skipped_member;
    (ParsedJson { value, cut, cut_at }, text.len() - reader.rest.len())
}

/// Whether it is a list or object with content.
pub(super) fn has_content(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    }
}

struct LenientReader<'a> {
    rest: &'a str,
    depth: usize,
    /// Set when the text ends inside a value; nothing is added after that.
    cut: bool,
    /// Whether the last value was text without quotes.
    last_was_bare: bool,
    /// Set when something that may be a member was skipped.
    skipped_member: bool,
    /// Names and indexes on the path to the current value; after truncation, the place of the truncation.
    path: Vec<String>,
}

impl LenientReader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Skips whitespace and comments; sets `cut` at the end of the text.
    fn space(&mut self) -> Option<char> {
        loop {
            self.rest =
                self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
            let comment = match () {
                () if self.rest.starts_with("//") => self.rest.find('\n'),
                () if self.rest.starts_with("/*") => self.rest.find("*/").map(|at| at + 2),
                () => break,
            };
            self.rest = comment.and_then(|end| self.rest.get(end..)).unwrap_or_default();
        }
        let next = self.peek();
        self.cut |= next.is_none();
        next
    }

    /// The members up to the closing brace.
    fn object(&mut self) -> Map<String, Value> {
        let mut members = Map::new();
        loop {
            match self.space() {
                None => return members,
                Some('}') => {
                    self.bump();
                    return members;
                }
                Some(',') => {
                    self.bump();
                    continue;
                }
                // The object was not closed, but the list around it was.
                Some(']') => return members,
                Some(_) => {}
            }
            let Some(key) = self.key() else { return members };
            if self.space() == Some(':') {
                self.bump();
            } else if !self.cut {
                // Without a colon, the meaning is unknown.
                self.skipped_member = true;
                self.skip_to_separator();
                continue;
            }
            if self.space() == Some('}') {
                continue;
            }
            self.path.push(key.clone());
            let value = self.value().map(|value| self.with_separators(value));
            // Of a truncated value, only complete parts of a list or object are kept.
            if let Some(value) = value.filter(|value| !self.cut || has_content(value)) {
                members.insert(key, value);
            }
            if self.cut {
                return members;
            }
            self.path.pop();
        }
    }

    /// Skips what is not a member, up to the next separator. Members of skipped objects are not the object's
    /// own.
    fn skip_to_separator(&mut self) {
        loop {
            let end = self.rest.find([',', '}', ']', '{', '[', '"']).unwrap_or(self.rest.len());
            self.rest = self.rest.get(end..).unwrap_or_default();
            match self.space() {
                Some('{' | '[' | '"') => drop(self.value()),
                _ => return,
            }
            if self.cut {
                return;
            }
        }
    }

    /// Joins `1` and `,234.50 €`, or `1.234` and `,50`: an unquoted number with separators. Text after a
    /// comma is the next member only if a colon follows it.
    fn with_separators(&mut self, value: Value) -> Value {
        let begun = match &value {
            Value::Number(number) => number.to_string(),
            // Only bare text; a quoted string is complete.
            Value::String(text) if self.last_was_bare && text.ends_with(|c: char| c.is_ascii_digit()) => {
                text.clone()
            }
            _ => return value,
        };
        let mut length = 0;
        while let Some(group) = self.rest.get(length..).and_then(continuation_len) {
            length += group;
        }
        // A number before a comma at the end of the text may continue after it.
        self.cut |= self.rest.trim_end() == ",";
        if length == 0 {
            return value;
        }
        let (more, rest) = self.rest.split_at(length);
        let joined = Value::String(format!("{begun}{}", more.trim_end()));
        self.rest = rest;
        self.cut |= rest.is_empty();
        joined
    }

    fn array(&mut self) -> Vec<Value> {
        let mut items = Vec::new();
        loop {
            match self.space() {
                None => return items,
                Some(']') => {
                    self.bump();
                    return items;
                }
                Some(',') => {
                    self.bump();
                    continue;
                }
                Some('}') => return items,
                Some(_) => {}
            }
            self.path.push(items.len().to_string());
            let value = self.value();
            // A truncated item would be a wrong row, so it is dropped.
            if self.cut {
                return items;
            }
            self.path.pop();
            items.push(value.unwrap_or_default());
        }
    }

    fn key(&mut self) -> Option<String> {
        match self.peek()? {
            quote @ ('"' | '\'' | '“' | '‘') => self.string(quote, |_| true),
            _ => {
                let end = self.rest.find([':', ',', '}', '{', '\n']).unwrap_or(self.rest.len());
                let (key, rest) = self.rest.split_at_checked(end)?;
                self.cut |= rest.is_empty();
                self.rest = rest;
                Some(key.trim().to_owned())
            }
        }
    }

    fn value(&mut self) -> Option<Value> {
        let first = self.space()?;
        self.last_was_bare = !matches!(first, '"' | '\'' | '“' | '‘' | '{' | '[');
        match first {
            quote @ ('"' | '\'' | '“' | '‘') => self.string(quote, closes).map(Value::String),
            open @ ('{' | '[') => {
                if self.depth >= MAX_DEPTH {
                    // No form is this deep; the rest is skipped.
                    self.rest = "";
                    self.cut = true;
                    return None;
                }
                self.bump();
                self.depth += 1;
                let value =
                    if open == '{' { Value::Object(self.object()) } else { Value::Array(self.array()) };
                self.depth -= 1;
                Some(value)
            }
            _ => self.parse_bare(),
        }
    }

    /// A string after its opening quote. `closes` decides by the following text whether a quote closes it.
    /// `None` if it is truncated.
    fn string(&mut self, quote: char, closes: fn(&str) -> bool) -> Option<String> {
        self.bump();
        let closing = match quote {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        let mut text = String::new();
        while let Some(c) = self.bump() {
            match c {
                c if c == closing && closes(self.rest) => return Some(text),
                '\\' => text.extend(self.escape()),
                c => text.push(c),
            }
        }
        self.cut = true;
        None
    }

    fn escape(&mut self) -> Option<char> {
        match self.bump()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'u' => Some(self.unicode()),
            other => Some(other),
        }
    }

    /// The character of `\uXXXX`, with the second half of a surrogate pair.
    fn unicode(&mut self) -> char {
        let Some(first) = self.hex() else { return char::REPLACEMENT_CHARACTER };
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let before = self.rest;
        let second = self.rest.strip_prefix("\\u").and_then(|rest| {
            self.rest = rest;
            self.hex()
        });
        match second {
            Some(second @ 0xDC00..=0xDFFF) => {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                self.rest = before;
                char::REPLACEMENT_CHARACTER
            }
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.rest = rest;
        Some(code)
    }

    /// A number, a word for true, false or null, or bare text up to the next separator. `None` for words such
    /// as `NaN` and `undefined`.
    fn parse_bare(&mut self) -> Option<Value> {
        let separators = self.rest.find([',', '}', ']', '\n', '"']).unwrap_or(self.rest.len());
        // The search stops at the separator, so that a long answer takes linear time.
        let near = self.rest.get(..separators).unwrap_or_default();
        let end = [" //", " /*"].iter().filter_map(|start| near.find(start)).min().unwrap_or(separators);
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        // Without a separator after it, it may be truncated.
        self.cut |= rest.is_empty();
        let word = word.trim();
        Some(match word {
            "" | "NaN" | "nan" | "undefined" | "Infinity" | "-Infinity" => return None,
            "null" | "None" => Value::Null,
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            _ => serde_json::from_str(word).ok().filter(Value::is_number).unwrap_or_else(|| word.into()),
        })
    }
}

/// The bytes of `,234` or `,50 €` at the start of `rest`, if they continue a number.
fn continuation_len(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix(',')?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).take(LOOKED_AT).count();
    let looked_at = after.get(digits..)?;
    let end = looked_at.find([',', '}', ']', '\n', ':', '"', '{', '[']).unwrap_or(looked_at.len());
    let ends_well = looked_at.get(end..)?.starts_with([',', '}', '\n']) || end == looked_at.len();
    (digits > 0 && end <= LOOKED_AT && ends_well).then_some(1 + digits + end)
}

/// Whether a quote before `rest` closes its string: a separator follows, and after a comma the next member or
/// item.
fn closes(rest: &str) -> bool {
    let near = rest.get(..rest.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
    let (gap, next) = near.split_at(near.len() - near.trim_start().len());
    let begins_member = |text: &str| {
        let name = text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        name.len() < text.len() && name.starts_with(':')
    };
    let after = |comma: &str| {
        let comma = comma.trim_start();
        comma.is_empty()
            || comma.starts_with(['"', '\'', '“', '‘', '{', '[', '}', ']', '/', ','])
            || comma.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            || ["null", "true", "false", "None", "True", "False", "NaN"]
                .iter()
                .any(|word| comma.starts_with(word))
            || begins_member(comma)
    };
    match next.chars().next() {
        None | Some('}' | ']' | ':' | '/') => true,
        Some(',') => after(next.get(1..).unwrap_or_default()),
        // The comma is missing before a name.
        Some('"' | '\'' | '“' | '‘') => {
            let inside = next.trim_start_matches(['"', '\'', '“', '‘']);
            let name = inside.find(['"', '\'', '”', '’']).and_then(|at| inside.get(at..));
            !gap.is_empty()
                && name.is_some_and(|rest| {
                    rest.trim_start_matches(['"', '\'', '”', '’']).trim_start().starts_with(':')
                })
        }
        Some(_) => gap.contains('\n') && begins_member(next),
    }
}
