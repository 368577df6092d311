//! Validation rules of requests. Paths are those of the request body.

use serde_json::{Map, Value};
use shared_core::{Timestamp, Violation};

use super::external_ids::repeated_ids;
use super::limits::KnowledgeLimits;
use super::new_data::{EntryAttributes, NewData, NewPassage, UrlEntry};
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
/// Maximum bytes of the meta of a request in all its entries together. Protects memory.
pub const MAX_SHARED_META: usize = 16 << 20;
/// Maximum characters of an external id. Protects the index of them.
pub const MAX_EXTERNAL_ID: usize = 256;
/// Maximum characters of a ready-made chunk. Protects memory.
pub const MAX_CHUNK: usize = 100_000;
/// Maximum page number of a chunk.
pub const MAX_PAGE: u32 = 1_000_000_000;
/// Maximum results of a search. Protects memory.
pub const MAX_RESULTS: usize = 100;
/// Maximum sum of `offset` and `limit` of a search. Protects time.
pub const MAX_WINDOW: usize = 1_000;
/// Maximum bases of a search. Protects time.
pub const MAX_BASES: usize = 20;
/// Maximum facets of a search. Protects time.
pub const MAX_FACETS: usize = 10;
/// Maximum values of a facet. Protects memory.
pub const MAX_FACET_VALUES: usize = 100;
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

    /// The attributes that the entries of a request share.
    pub(super) fn shared(&mut self, data: &NewData, now: Timestamp) {
        self.attributes("", &data.shared, now);
        let bytes = serde_json::to_string(&data.shared.meta).map_or(usize::MAX, |text| text.len());
        if !data.shared.meta.is_empty() && bytes.saturating_mul(data.len()) > MAX_SHARED_META {
            let rule = format!("'meta' may have at most {MAX_SHARED_META} bytes in all entries together");
            self.fail("/meta", rule);
        }
    }

    pub(super) fn data(&mut self, data: &NewData, limits: &KnowledgeLimits, now: Timestamp) {
        if data.len() == 0 {
            self.fail("", "one of 'file_ids', 'urls', 'texts' and 'chunks' must have something in it");
        }
        if data.len() > limits.added {
            self.fail("", format!("one request may add at most {} files, texts and chunks", limits.added));
            return;
        }
        for (index, file) in data.files.iter().enumerate() {
            self.attributes(&format!("/file_ids/{index}"), &file.attributes, now);
        }
        for (index, UrlEntry { url, attributes }) in data.urls.iter().enumerate() {
            let path = format!("/urls/{index}");
            self.attributes(&path, attributes, now);
            if url.trim().is_empty() || is_longer(url, MAX_REFERENCE) {
                self.fail(path, format!("each of 'urls' must have 1 to {MAX_REFERENCE} characters"));
            }
        }
        for (index, text) in data.texts.iter().enumerate() {
            let path = format!("/texts/{index}");
            self.title(&format!("{path}/title"), "title", &text.title);
            self.attributes(&path, &text.attributes, now);
        }
        for (index, chunk) in data.chunks.iter().enumerate() {
            self.passage(&format!("/chunks/{index}"), chunk, now);
        }
        self.0.extend(repeated_ids(data).into_iter().take(MAX_VIOLATIONS.saturating_sub(self.0.len())));
    }

    fn passage(&mut self, path: &str, chunk: &NewPassage, now: Timestamp) {
        self.title(&format!("{path}/title"), "title", &chunk.title);
        self.length(&format!("{path}/content"), "content", &chunk.content, MAX_CHUNK);
        self.attributes(path, &chunk.attributes, now);
        if chunk.page.is_some_and(|page| !(1..=MAX_PAGE).contains(&page)) {
            self.fail(format!("{path}/page"), format!("'page' must be 1 to {MAX_PAGE}"));
        }
    }

    /// The attributes of an entry at `path`.
    pub(super) fn attributes(&mut self, path: &str, attributes: &EntryAttributes, now: Timestamp) {
        self.meta(&format!("{path}/meta"), &attributes.meta);
        if let Some(id) = &attributes.external_id {
            self.label(&format!("{path}/externalId"), "externalId", id, MAX_EXTERNAL_ID);
        }
        self.expiry(&format!("{path}/expires"), attributes.expires, now);
    }

    pub(super) fn expiry(&mut self, path: &str, expires: Option<Timestamp>, now: Timestamp) {
        if expires.is_some_and(|expires| expires <= now) {
            self.fail(path, "'expires' must be in the future");
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
    use crate::NewText;

    fn text(title: &str, meta: Value) -> NewText {
        let meta = meta.as_object().cloned().unwrap_or_default();
        let attributes = EntryAttributes { meta, ..EntryAttributes::default() };
        NewText { title: title.into(), content: "c".into(), attributes }
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    fn broken(data: &NewData) -> Vec<String> {
        let mut check = RequestValidator::default();
        check.shared(data, at(10));
        check.data(data, &KnowledgeLimits { added: 8, ..KnowledgeLimits::default() }, at(10));
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
        let data = NewData {
            urls: vec!["1".to_owned().into(), String::new().into()],
            texts,
            chunks,
            ..NewData::default()
        };
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
        let urls = |count: usize| NewData { urls: vec!["u".to_owned().into(); count], ..NewData::default() };
        assert_eq!(broken(&urls(9)), [""]);
        assert!(broken(&urls(8)).is_empty());
    }

    #[test]
    fn ids_are_neither_empty_nor_long_and_times_are_to_come() {
        let with = |external_id: &str, expires| {
            let external_id = Some(external_id.to_owned());
            let attributes =
                EntryAttributes { external_id, expires: Some(at(expires)), ..Default::default() };
            NewText { attributes, ..text("t", json!({})) }
        };
        let long = "é".repeat(MAX_EXTERNAL_ID + 1);
        let texts = vec![with(&long[2..], 11), with(&long, 11), with(" \n", 11), with("", 11), with("x", 10)];
        let shared = EntryAttributes { expires: Some(at(9)), ..EntryAttributes::default() };
        let data = NewData { texts, shared, ..NewData::default() };
        assert_eq!(
            broken(&data),
            [
                "/expires",
                "/texts/1/externalId",
                "/texts/2/externalId",
                "/texts/3/externalId",
                "/texts/4/expires"
            ]
        );
    }

    #[test]
    fn a_meta_for_many_entries_is_bounded_in_all_together() {
        let shared = |bytes: usize| {
            let meta = json!({"a": "x".repeat(bytes)}).as_object().cloned().unwrap_or_default();
            let shared = EntryAttributes { meta, ..EntryAttributes::default() };
            let data = NewData { urls: vec!["u".to_owned().into(); 2_000], shared, ..NewData::default() };
            let mut check = RequestValidator::default();
            check.shared(&data, at(10));
            check.0.into_iter().map(|violation| violation.path).collect::<Vec<String>>()
        };
        assert_eq!(shared(MAX_SHARED_META / 2_000 - 8), [""; 0]);
        assert_eq!(shared(MAX_SHARED_META / 2_000), ["/meta"]);
    }
}
