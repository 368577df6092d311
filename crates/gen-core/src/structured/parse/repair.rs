//! A forgiving reader of JSON: it takes trailing commas, missing commas, comments, single and curly
//! quotes, bare words, numbers beyond range, raw control characters, and an early end.

use serde_json::{Map, Value};

use super::Parsed;
use crate::structured::keywords::token;

/// Nesting that is read; deeper values are dropped.
const MAX_DEPTH: usize = 32;
/// Beginnings of objects that are tried.
pub(super) const MAX_STARTS: usize = 16;

/// Reads the object or list that `text` begins with.
pub(super) fn value(text: &str) -> Parsed {
    let mut reader = Reader { rest: text, depth: 0, cut: false, lost: false, path: Vec::new() };
    let value = match reader.bump() {
        Some('[') => Value::Array(reader.array()),
        _ => Value::Object(reader.object()),
    };
    let cut_at = reader.path.iter().map(|name| format!("/{}", token(name))).collect();
    Parsed { value, cut: reader.cut || reader.lost, cut_at }
}

/// Whether it is a list or an object that is not empty.
pub(super) fn has_content(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    /// Set when the text ends inside a value; nothing is added after that.
    cut: bool,
    /// Set when something was passed over that may have been a member.
    lost: bool,
    /// Names and indices of the members that are being read; where the cut is, once there is one.
    path: Vec<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Skips spaces and comments; marks the cut at the end of the text.
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
                // The object was never closed, but what holds it is.
                Some(']') => return members,
                Some(_) => {}
            }
            let Some(key) = self.key() else { return members };
            if self.space() == Some(':') {
                self.bump();
            } else if !self.cut {
                // No colon: what it was to be cannot be told.
                self.lost = true;
                self.pass();
                continue;
            }
            if self.space() == Some('}') {
                continue;
            }
            self.path.push(key.clone());
            let value = self.value().map(|value| self.with_thousands(value));
            // Of a value that was cut, only what is complete in a list or an object is kept.
            if let Some(value) = value.filter(|value| !self.cut || has_content(value)) {
                members.insert(key, value);
            }
            if self.cut {
                return members;
            }
            self.path.pop();
        }
    }

    /// Passes over what is no member, up to the next separator: members of what it holds are not the
    /// object's own.
    fn pass(&mut self) {
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

    /// Joins `1` and `,234` where a number was written with separators.
    fn with_thousands(&mut self, value: Value) -> Value {
        if !value.is_number() {
            return value;
        }
        let length =
            self.rest.find(|c: char| c != ',' && c != '.' && !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let more = self.rest.get(..length).unwrap_or_default().trim_end_matches(',');
        let next = self.rest.get(more.len()..).and_then(|rest| rest.trim_start().chars().next());
        if more.len() < 4 || !matches!(next, Some(',' | '}')) {
            return value;
        }
        self.rest = self.rest.get(more.len()..).unwrap_or_default();
        Value::String(format!("{value}{more}"))
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
            // An item that was cut would be a wrong row, so it goes.
            if self.cut {
                return items;
            }
            self.path.pop();
            items.extend(value);
        }
    }

    fn key(&mut self) -> Option<String> {
        match self.peek()? {
            quote @ ('"' | '\'' | '“' | '‘') => self.string(quote),
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
        match self.space()? {
            quote @ ('"' | '\'' | '“' | '‘') => self.string(quote).map(Value::String),
            open @ ('{' | '[') => {
                if self.depth >= MAX_DEPTH {
                    // Nothing in a form is this deep; the rest is not worth reading.
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
            _ => self.bare(),
        }
    }

    /// A string after its opening quote; `None` when it was cut.
    fn string(&mut self, quote: char) -> Option<String> {
        self.bump();
        let closing = match quote {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        let mut text = String::new();
        while let Some(c) = self.bump() {
            match c {
                c if c == closing => return Some(text),
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

    /// The character of `\uXXXX`, with its second half where it is a surrogate pair.
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

    /// A number, a word that means true, false or nothing, or bare text up to the next separator.
    fn bare(&mut self) -> Option<Value> {
        let separators = self.rest.find([',', '}', ']', '\n', '"']).unwrap_or(self.rest.len());
        // Looked for before the separator alone, so that a long answer is not read over and over.
        let near = self.rest.get(..separators).unwrap_or_default();
        let end = [" //", " /*"].iter().filter_map(|start| near.find(start)).min().unwrap_or(separators);
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        // Without a separator after it, nobody knows how it would have gone on.
        self.cut |= rest.is_empty();
        let word = word.trim();
        Some(match word {
            "" | "null" | "None" | "NaN" | "nan" | "undefined" | "Infinity" | "-Infinity" => Value::Null,
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            _ => serde_json::from_str(word).ok().filter(Value::is_number).unwrap_or_else(|| word.into()),
        })
    }
}
