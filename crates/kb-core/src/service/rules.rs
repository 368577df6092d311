//! Validation rules of requests. Paths are those of the request body.

use serde_json::{Map, Value};
use shared_core::Violation;

use super::limits::KnowledgeLimits;
use super::new_data::{NewData, NewPassage, NewText};
use crate::{Base, KnowledgeError};

/// Maximum characters of a base's name. Protects memory.
pub const MAX_NAME: usize = 200;
/// Maximum characters of a base's description. Protects memory.
pub const MAX_DESCRIPTION: usize = 10_000;
/// Accepted chunk sizes, in tokens. The README (Chunking) measures 100 to 600.
/// Chosen by hand; no measurement recorded.
pub const CHUNK_TOKENS: std::ops::RangeInclusive<u32> = 50..=2_000;
/// Maximum characters of an item's title. Protects memory.
pub const MAX_TITLE: usize = 1_024;
/// Maximum characters of a file reference or web URL.
pub const MAX_REFERENCE: usize = gen_core::MAX_REFERENCE;
/// Maximum bytes of an item's meta as JSON. Each search result carries it. Protects memory.
pub const MAX_META: usize = 16 << 10;
/// Maximum nesting of a meta. Protects the stack.
pub const MAX_META_DEPTH: usize = 16;
/// Maximum characters of a ready-made chunk. Protects memory.
pub const MAX_CHUNK: usize = 100_000;
/// Maximum page number of a chunk.
pub const MAX_PAGE: u32 = 1_000_000_000;
/// Maximum results of a search. Protects memory.
pub const MAX_RESULTS: usize = 100;
/// Maximum characters of a query. Protects time.
pub const MAX_QUERY: usize = 10_000;
/// Maximum results that are reranked. Bounds the size of the call.
pub const MAX_RERANK_DEPTH: usize = 200;
/// Maximum neighbours that a search joins before and after a result. Protects memory.
pub const MAX_NEIGHBOURS: u32 = 10;
/// Maximum characters of a field's name in a filter. Protects memory.
pub const MAX_FIELD: usize = 256;
/// Maximum ids of one deletion. Protects time.
pub const MAX_IDS: usize = 1_000;
/// Maximum violations that are reported. Protects memory.
const MAX_VIOLATIONS: usize = 100;

/// Collects the violations of a request.
#[derive(Debug, Default)]
pub(super) struct RequestValidator(Vec<Violation>);

impl RequestValidator {
    pub(super) fn fail(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        if self.0.len() < MAX_VIOLATIONS {
            self.0.push(Violation::new(path, rule));
        }
    }

    /// Succeeds when there is no violation.
    pub(super) fn done(self) -> Result<(), KnowledgeError> {
        if self.0.is_empty() { Ok(()) } else { Err(KnowledgeError::Invalid(self.0)) }
    }

    pub(super) fn base(&mut self, base: &Base) {
        self.label("/name", "name", &base.name, MAX_NAME);
        self.length("/description", "description", &base.description, MAX_DESCRIPTION);
        if !CHUNK_TOKENS.contains(&base.chunking.tokens) {
            let rule = format!("'tokens' must be {} to {}", CHUNK_TOKENS.start(), CHUNK_TOKENS.end());
            self.fail("/chunking/tokens", rule);
        }
        if !(1..=MAX_RERANK_DEPTH as u64).contains(&u64::from(base.rerank.depth)) {
            self.fail("/rerankDepth", format!("'rerankDepth' must be 1 to {MAX_RERANK_DEPTH}"));
        }
    }

    pub(super) fn data(&mut self, data: &NewData, limits: &KnowledgeLimits) {
        let count = data.files.len() + data.urls.len() + data.texts.len() + data.chunks.len();
        if count == 0 {
            self.fail("", "one of 'file_ids', 'urls', 'texts' and 'chunks' must have something in it");
        }
        if count > limits.added {
            self.fail("", format!("one request may add at most {} files, texts and chunks", limits.added));
            return;
        }
        for (index, url) in data.urls.iter().enumerate() {
            if url.trim().is_empty() || is_longer(url, MAX_REFERENCE) {
                let rule = format!("each of 'urls' must have 1 to {MAX_REFERENCE} characters");
                self.fail(format!("/urls/{index}"), rule);
            }
        }
        data.texts.iter().enumerate().for_each(|(index, text)| self.text(&format!("/texts/{index}"), text));
        data.chunks
            .iter()
            .enumerate()
            .for_each(|(index, chunk)| self.passage(&format!("/chunks/{index}"), chunk));
    }

    fn text(&mut self, path: &str, text: &NewText) {
        self.title(&format!("{path}/title"), "title", &text.title);
        self.meta(&format!("{path}/meta"), &text.meta);
    }

    fn passage(&mut self, path: &str, chunk: &NewPassage) {
        self.title(&format!("{path}/title"), "title", &chunk.title);
        self.length(&format!("{path}/content"), "content", &chunk.content, MAX_CHUNK);
        self.meta(&format!("{path}/meta"), &chunk.meta);
        if chunk.page.is_some_and(|page| !(1..=MAX_PAGE).contains(&page)) {
            self.fail(format!("{path}/page"), format!("'page' must be 1 to {MAX_PAGE}"));
        }
    }

    pub(super) fn title(&mut self, path: &str, name: &str, title: &str) {
        self.label(path, name, title, MAX_TITLE);
    }

    pub(super) fn meta(&mut self, path: &str, meta: &Map<String, Value>) {
        if meta.is_empty() {
            return;
        }
        if meta.values().any(|value| is_deeper(value, MAX_META_DEPTH - 1)) {
            self.fail(path, format!("'meta' may be nested at most {MAX_META_DEPTH} levels deep"));
        } else if serde_json::to_string(meta).map_or(true, |text| text.len() > MAX_META) {
            self.fail(path, format!("'meta' may have at most {MAX_META} bytes as JSON"));
        }
    }

    fn label(&mut self, path: &str, name: &str, text: &str, most: usize) {
        if text.trim().is_empty() || is_longer(text, most) {
            self.fail(path, format!("'{name}' must have 1 to {most} characters, and not only white space"));
        }
    }

    fn length(&mut self, path: &str, name: &str, text: &str, most: usize) {
        if is_longer(text, most) {
            self.fail(path, format!("'{name}' may have at most {most} characters"));
        }
    }
}

fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}

/// Whether arrays and objects in `value` are nested more than `levels` deep. It recurses no deeper than the
/// parser that made the value.
fn is_deeper(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper(item, levels - 1)),
        Value::Object(parts) => levels == 0 || parts.values().any(|part| is_deeper(part, levels - 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(title: &str, meta: Value) -> NewText {
        let meta = meta.as_object().cloned().unwrap_or_default();
        NewText { title: title.into(), content: "c".into(), meta }
    }

    fn broken(data: &NewData) -> Vec<String> {
        let mut check = RequestValidator::default();
        check.data(data, &KnowledgeLimits { added: 8, ..KnowledgeLimits::default() });
        check.0.into_iter().map(|violation| violation.path).collect()
    }

    #[test]
    fn every_broken_rule_is_told_with_its_place() {
        let deep = (0..MAX_META_DEPTH).fold(json!(1), |inner, _| json!({ "a": inner }));
        let texts = vec![
            text(" ", json!({})),
            text(&"t".repeat(MAX_TITLE), json!({"a": "x".repeat(MAX_META)})),
            text(&"é".repeat(MAX_TITLE + 1), json!({ "a": deep })),
        ];
        let passage =
            |content: String, page| NewPassage { title: "t".into(), content, page, ..NewPassage::default() };
        let chunks =
            vec![passage("é".repeat(MAX_CHUNK), Some(1)), passage("c".repeat(MAX_CHUNK + 1), Some(0))];
        let data = NewData { urls: vec!["1".into(), String::new()], texts, chunks, ..NewData::default() };
        assert_eq!(
            broken(&data),
            [
                "/urls/1",
                "/texts/0/title",
                "/texts/1/meta",
                "/texts/2/title",
                "/texts/2/meta",
                "/chunks/1/content",
                "/chunks/1/page"
            ]
        );
    }

    #[test]
    fn a_request_adds_something_and_not_too_much() {
        assert_eq!(broken(&NewData::default()), [""]);
        let urls = |count: usize| NewData { urls: vec!["u".into(); count], ..NewData::default() };
        assert_eq!(broken(&urls(9)), [""]);
        assert!(broken(&urls(8)).is_empty());
    }
}
