//! Creates new items, and the positions of ready-made chunks in their text.

use std::collections::HashMap;

use files_core::File;
use gen_core::CallerContext;
use language::Language;
use language::detect::detect_reliably;
use serde_json::{Value, json};
use shared_core::{Timestamp, new_id};

use super::new_data::{EntryAttributes, NewPassage};
use super::{KnowledgeService, fingerprint};
use crate::{Chunk, Content, Contents, ItemError, ItemId, NewItem, Source};

/// Separator of the texts of ready-made chunks.
pub(super) const SEPARATOR: &str = "\n\n";
/// Bytes of ready-made chunks from which their language is detected. Chosen by hand; no measurement recorded.
const LANGUAGE_SAMPLE: usize = 8_192;

impl KnowledgeService {
    pub(super) fn of_file(&self, payer: &CallerContext, file: &File, attributes: EntryAttributes) -> NewItem {
        let content = content_of(file);
        let fingerprint = fingerprint::of_file(&content.sha256, (&attributes).into());
        let matter = Contents::Document { content, fresh: false };
        let (source, name) = (Source::File { id: file.id }, file.name.clone());
        self.item_of(payer, (source, name, attributes), file.bytes, fingerprint, matter)
    }

    /// The item of a text whose bytes were written for it.
    pub(super) fn of_text(
        &self,
        payer: &CallerContext,
        title: String,
        content: Content,
        attributes: EntryAttributes,
    ) -> NewItem {
        let fingerprint = fingerprint::of_text(&content.sha256, &title, (&attributes).into());
        let (bytes, matter) = (content.bytes, Contents::Document { content, fresh: true });
        self.item_of(payer, (Source::Text, title, attributes), bytes, fingerprint, matter)
    }

    pub(super) fn of_web(&self, payer: &CallerContext, url: &str, attributes: EntryAttributes) -> NewItem {
        let url = url.trim().to_owned();
        let fingerprint = fingerprint::of_url(&url, (&attributes).into());
        let source = Source::Web { url: url.clone() };
        self.item_of(payer, (source, url, attributes), 0, fingerprint, Contents::Remote)
    }

    /// The item of ready-made chunks with one title and equal attributes.
    pub(super) fn ready_made(&self, payer: &CallerContext, passages: Vec<NewPassage>) -> NewItem {
        let bytes = passages.iter().map(|passage| passage.content.len() as u64).sum();
        let first = passages.first().cloned().unwrap_or_default();
        let pages: Vec<Value> =
            passages.iter().map(|passage| json!([passage.page, passage.content])).collect();
        let fingerprint = fingerprint::of_chunks(&first.title, pages, (&first.attributes).into());
        let chunks = place_passages(passages);
        let matter = if chunks.is_empty() {
            Contents::Unusable(empty())
        } else {
            Contents::Chunks { language: language(&chunks), chunks }
        };
        self.item_of(payer, (Source::Chunks, first.title, first.attributes), bytes, fingerprint, matter)
    }

    fn item_of(
        &self,
        payer: &CallerContext,
        (source, name, attributes): (Source, String, EntryAttributes),
        bytes: u64,
        fingerprint: String,
        matter: Contents,
    ) -> NewItem {
        NewItem {
            id: ItemId(new_id("item", self.ports.clock.now(), self.ports.ids.as_ref())),
            key: payer.key.clone(),
            source,
            name,
            meta: attributes.meta,
            external_id: attributes.external_id,
            expires: attributes.expires,
            bytes,
            fingerprint,
            matter,
        }
    }
}

/// A reference to a file's bytes.
pub(super) fn content_of(file: &File) -> Content {
    Content { blob: file.blob.clone(), sha256: file.sha256.clone(), bytes: file.bytes }
}

fn empty() -> ItemError {
    ItemError { code: "document_empty".to_owned(), message: "the document has no text".to_owned() }
}

/// What the chunks of an item have in common: title, meta, external id and expiry.
type GroupKey = (String, String, Option<String>, Option<Timestamp>);

/// Groups passages by title and attributes, in the order of their first occurrence.
pub(super) fn by_title(passages: Vec<NewPassage>) -> Vec<Vec<NewPassage>> {
    let mut groups: Vec<Vec<NewPassage>> = Vec::new();
    let mut known: HashMap<GroupKey, usize> = HashMap::new();
    for passage in passages {
        let EntryAttributes { meta, external_id, expires } = passage.attributes.clone();
        let mut meta = Value::Object(meta);
        meta.sort_all_objects();
        let key = (passage.title.clone(), meta.to_string(), external_id, expires);
        let group = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(passage),
            None => groups.push(vec![passage]),
        }
    }
    groups
}

/// Passages with their positions in the joined text, separated by blank lines. Blank ones are left out: no
/// search could find them.
fn place_passages(passages: Vec<NewPassage>) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for NewPassage { content, page, .. } in passages {
        if content.trim().is_empty() {
            continue;
        }
        let start = chunks.last().map_or(0, |last| last.end + SEPARATOR.len() as u64);
        let end = start + content.chars().count() as u64;
        let position = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
        chunks.push(Chunk { position, page, start, end, heading: String::new(), text: content });
    }
    chunks
}

/// The language of ready-made chunks.
fn language(chunks: &[Chunk]) -> Option<String> {
    let mut sample = String::new();
    for chunk in chunks {
        sample.push_str(&chunk.text);
        sample.push('\n');
        if sample.len() > LANGUAGE_SAMPLE {
            break;
        }
    }
    detect_reliably(&sample).and_then(Language::code).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(title: &str, content: &str, meta: Value) -> NewPassage {
        let meta = meta.as_object().cloned().unwrap_or_default();
        let attributes = EntryAttributes { meta, ..EntryAttributes::default() };
        NewPassage { title: title.into(), content: content.into(), page: Some(1), attributes }
    }

    #[test]
    fn chunks_of_one_title_and_meta_are_one_item_in_their_order() {
        let groups = by_title(vec![
            passage("a", "1", json!({"x": 1, "y": 2})),
            passage("b", "2", json!({})),
            passage("a", "3", json!({"y": 2, "x": 1})),
            passage("a", "4", json!({"x": 2})),
        ]);
        let texts: Vec<Vec<&str>> =
            groups.iter().map(|group| group.iter().map(|p| p.content.as_str()).collect()).collect();
        assert_eq!(texts, [vec!["1", "3"], vec!["2"], vec!["4"]]);
    }

    #[test]
    fn chunks_of_another_external_id_or_expiry_are_an_item_of_their_own() {
        let plain = passage("a", "1", json!({}));
        let with = |external_id: Option<&str>, micros: Option<i64>| {
            let external_id = external_id.map(str::to_owned);
            let expires = micros.and_then(Timestamp::from_micros);
            let attributes = EntryAttributes { external_id, expires, ..EntryAttributes::default() };
            NewPassage { attributes, ..plain.clone() }
        };
        let groups = by_title(vec![
            with(Some("x"), None),
            plain.clone(),
            with(Some("y"), None),
            with(Some("x"), Some(1)),
            with(Some("x"), None),
        ]);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1, 1]);
    }

    #[test]
    fn offsets_count_the_characters_of_all_texts_parted_by_a_blank_line() {
        let chunks = place_passages(vec![
            passage("t", "äö", json!({})),
            passage("t", " \n", json!({})),
            passage("t", "u", json!({})),
        ]);
        let places: Vec<_> = chunks.iter().map(|chunk| (chunk.position, chunk.start, chunk.end)).collect();
        assert_eq!(places, [(0, 0, 2), (1, 4, 5)]);
        let text = ["äö", "u"].join(SEPARATOR);
        assert_eq!(text.chars().skip(4).collect::<String>(), "u");
    }
}
