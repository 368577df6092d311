//! Fingerprints of items. Items of a base with equal fingerprints are one item.
//!
//! Content that differs in its meta is found by different filters, so that the meta counts. Without meta and
//! external id, the fingerprints are those of items that were stored before these counted.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use super::new_data::EntryAttributes;
use crate::{Item, Source};

/// What distinguishes items of equal content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distinction<'a> {
    pub(super) meta: &'a Map<String, Value>,
    pub(super) external_id: Option<&'a str>,
}

impl<'a> From<&'a EntryAttributes> for Distinction<'a> {
    fn from(attributes: &'a EntryAttributes) -> Self {
        Self { meta: &attributes.meta, external_id: attributes.external_id.as_deref() }
    }
}

impl Distinction<'_> {
    fn is_none(&self) -> bool {
        self.meta.is_empty() && self.external_id.is_none()
    }

    /// The hash of a description of the content, with the distinction.
    fn hash(&self, mut content: Value) -> String {
        if let Some(id) = self.external_id {
            content["externalId"] = id.into();
        }
        content["meta"] = Value::Object(self.meta.clone());
        content.sort_all_objects();
        hash(&content)
    }
}

/// The fingerprint of a file, by the hash of its bytes.
pub(super) fn of_file(sha256: &str, distinction: Distinction<'_>) -> String {
    match distinction.is_none() {
        true => sha256.to_owned(),
        false => distinction.hash(json!({ "sha256": sha256 })),
    }
}

/// The fingerprint of a page of the web, by its trimmed URL.
pub(super) fn of_url(url: &str, distinction: Distinction<'_>) -> String {
    let page = json!({ "url": url });
    if distinction.is_none() { hash(&page) } else { distinction.hash(page) }
}

/// The fingerprint of a text, by the hash of its bytes. Its title counts, since it is cited by it.
pub(super) fn of_text(sha256: &str, title: &str, distinction: Distinction<'_>) -> String {
    distinction.hash(json!({ "title": title, "sha256": sha256 }))
}

/// The fingerprint of ready-made chunks, by pairs of page and text.
pub(super) fn of_chunks(title: &str, chunks: Vec<Value>, distinction: Distinction<'_>) -> String {
    distinction.hash(json!({ "title": title, "chunks": chunks }))
}

/// The fingerprint of an item under another title and meta. `None`: it stays, as that of chunks, which are not
/// at hand, and that of files and pages whose meta stays.
pub(super) fn relabelled(
    item: &Item,
    name: Option<&str>,
    meta: Option<&Map<String, Value>>,
) -> Option<String> {
    let external_id = item.external_id.as_deref();
    let distinction = Distinction { meta: meta.unwrap_or(&item.meta), external_id };
    match (&item.source, &item.content) {
        (Source::Text, Some(content)) if name.is_some() || meta.is_some() => {
            Some(of_text(&content.sha256, name.unwrap_or(&item.name), distinction))
        }
        (Source::File { .. }, Some(content)) if meta.is_some() => Some(of_file(&content.sha256, distinction)),
        (Source::Web { url }, _) if meta.is_some() => Some(of_url(url, distinction)),
        _ => None,
    }
}

/// SHA-256 over JSON, lower-case hex.
fn hash(canonical: &Value) -> String {
    hex(&Sha256::digest(canonical.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(meta: &Value, external_id: Option<&str>) -> EntryAttributes {
        let meta = meta.as_object().cloned().unwrap_or_default();
        EntryAttributes { meta, external_id: external_id.map(str::to_owned), expires: None }
    }

    #[test]
    fn meta_and_external_id_distinguish_equal_content_whatever_the_order_of_the_meta() {
        let one = entry(&json!({"a": 1, "b": {"c": 1, "d": 2}}), None);
        let same = entry(&json!({"b": {"d": 2, "c": 1}, "a": 1}), None);
        assert_eq!(of_file("s", (&one).into()), of_file("s", (&same).into()));
        let attributes = [
            one,
            entry(&json!({}), None),
            entry(&json!({}), Some("x")),
            entry(&json!({"externalId": "x"}), None),
        ];
        for of in [
            (|own: &EntryAttributes| of_file("s", own.into())) as fn(&EntryAttributes) -> String,
            |own| of_url("s", own.into()),
            |own| of_text("s", "t", own.into()),
            |own| of_chunks("t", vec![json!([1, "s"])], own.into()),
        ] {
            let mut prints: Vec<String> = attributes.iter().map(of).collect();
            prints.sort_unstable();
            prints.dedup();
            assert_eq!(prints.len(), attributes.len());
        }
    }

    #[test]
    fn without_attributes_a_fingerprint_is_what_it_always_was() {
        let none = entry(&json!({}), None);
        assert_eq!(of_file("s", (&none).into()), "s");
        assert_eq!(of_url("s", (&none).into()), hash(&json!({"url": "s"})));
        let text = json!({"meta": {}, "sha256": "s", "title": "t"});
        assert_eq!(of_text("s", "t", (&none).into()), hash(&text));
        let chunks = json!({"chunks": [[null, "c"]], "meta": {}, "title": "t"});
        assert_eq!(of_chunks("t", vec![json!([null, "c"])], (&none).into()), hash(&chunks));
    }
}
