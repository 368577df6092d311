//! JSON as an outline: names and values in document order, numbers with their original digits.

mod notebook;

use document::{Document, Format};
use serde::de::IgnoredAny;

use crate::Limits;
use crate::outline::Outline;
use crate::plain::parse_text;

/// Parses JSON, or several consecutive values. Text that turns out not to be JSON is kept as text.
pub(crate) fn parse_json(text: &str, limits: &Limits) -> Document {
    if !is_json(text) {
        let mut document = parse_text(text, limits);
        document.format = Format::Json;
        return document;
    }
    if let Some(document) = notebook::parse_notebook(text, limits) {
        return document;
    }
    let mut walker = Walker { text, at: 0, outline: Outline::new(Format::Json, limits), nodes: limits.nodes };
    walker.walk();
    walker.outline.finish()
}

/// Whether the text is one JSON value or several.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>().all(|value| value.is_ok())
}

/// Whether the text is the beginning of a JSON object or array.
pub(crate) fn begins_json(text: &str) -> bool {
    let trimmed = text.trim_start();
    let structured = trimmed.starts_with(['{', '[']) && trimmed.len() > 1;
    let mut values = serde_json::Deserializer::from_str(trimmed).into_iter::<IgnoredAny>();
    structured
        && match values.next() {
            Some(Ok(_)) => values.all(|value| value.map_or_else(|error| error.is_eof(), |_| true)),
            Some(Err(error)) => error.is_eof(),
            None => false,
        }
}

/// Walks valid JSON without recursion.
struct Walker<'a> {
    text: &'a str,
    at: usize,
    outline: Outline,
    nodes: usize,
}

/// An open object or array.
#[derive(Clone, Copy)]
enum OpenContainer {
    Object,
    Array,
}

impl<'a> Walker<'a> {
    fn walk(&mut self) {
        let mut open: Vec<OpenContainer> = Vec::new();
        let mut name = String::new();
        let mut first = false;
        while let Some(byte) = self.peek() {
            if self.nodes == 0 || self.outline.is_full() {
                self.outline.truncate();
                return;
            }
            // The first field of an array element stands for the element, the others are one level deeper.
            let depth = open.len().saturating_sub(1 + usize::from(first));
            match byte {
                b'{' | b'[' => {
                    self.nodes -= 1;
                    self.at += 1;
                    first =
                        name.is_empty() && byte == b'{' && matches!(open.last(), Some(OpenContainer::Array));
                    self.outline.item(depth, &std::mem::take(&mut name), "");
                    open.push(if byte == b'{' { OpenContainer::Object } else { OpenContainer::Array });
                }
                b'}' | b']' => {
                    self.at += 1;
                    first = false;
                    open.pop();
                }
                b',' | b':' => self.at += 1,
                b'"' => {
                    let text = self.string();
                    if matches!(open.last(), Some(OpenContainer::Object)) && self.peek() == Some(b':') {
                        name = text;
                    } else {
                        self.nodes -= 1;
                        self.outline.item(depth, &std::mem::take(&mut name), &text);
                        first = false;
                    }
                }
                _ => {
                    self.nodes -= 1;
                    let text = self.word();
                    self.outline.item(depth, &std::mem::take(&mut name), text);
                    first = false;
                }
            }
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += blank;
        rest.get(blank).copied()
    }

    fn string(&mut self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut escaped = false;
        let end = rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let quoted = rest.get(..end.map_or(rest.len(), |end| end + 2)).unwrap_or_default();
        self.at += quoted.len().max(1);
        serde_json::from_str(quoted).unwrap_or_else(|_| quoted.trim_matches('"').to_owned())
    }

    /// A number, `true`, `false` or `null`, as written.
    fn word(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end =
            rest.find(|c: char| c.is_ascii_whitespace() || ",:]}[{\"".contains(c)).unwrap_or(rest.len());
        self.at += end.max(1);
        rest.get(..end).unwrap_or_default()
    }
}
