//! Creates new items: their fingerprints, and the positions of ready-made chunks in their text.

use std::collections::HashMap;

use files_core::File;
use gen_core::CallerContext;
use language::Language;
use language::detect::detect_reliably;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use shared_core::{hex, new_id};

use super::KnowledgeService;
use super::new_data::NewPassage;
use crate::{Chunk, Content, Contents, ItemError, ItemId, NewItem, Source};

/// Separator of the texts of ready-made chunks.
pub(super) const SEPARATOR: &str = "\n\n";
/// Bytes of ready-made chunks from which their language is detected. Chosen by hand; no measurement recorded.
const LANGUAGE_SAMPLE: usize = 8_192;

impl KnowledgeService {
    pub(super) fn of_file(&self, payer: &CallerContext, file: &File) -> NewItem {
        self.parsed(payer, Source::File { id: file.id }, file.name.clone(), content_of(file), false)
    }

    pub(super) fn parsed(
        &self,
        payer: &CallerContext,
        source: Source,
        name: String,
        content: Content,
        fresh: bool,
    ) -> NewItem {
        let (bytes, fingerprint) = (content.bytes, content.sha256.clone());
        self.item_of(payer, source, name, bytes, fingerprint, Contents::Document { content, fresh })
    }

    pub(super) fn of_web(&self, payer: &CallerContext, url: &str) -> NewItem {
        let source = Source::Web { url: url.trim().to_owned() };
        let name = url.trim().to_owned();
        self.item_of(payer, source, name, 0, fingerprint(&json!({ "url": url.trim() })), Contents::Remote)
    }

    /// The item of ready-made chunks with one title and meta.
    pub(super) fn ready_made(&self, payer: &CallerContext, passages: Vec<NewPassage>) -> NewItem {
        let bytes = passages.iter().map(|passage| passage.content.len() as u64).sum();
        let Some(NewPassage { title, meta, .. }) = passages.first() else {
            let nothing = Contents::Unusable(empty());
            return self.item_of(payer, Source::Chunks, String::new(), 0, String::new(), nothing);
        };
        let (title, meta) = (title.clone(), meta.clone());
        let pages: Vec<Value> =
            passages.iter().map(|passage| json!([passage.page, passage.content])).collect();
        let mut canonical = json!({ "title": title, "meta": meta, "chunks": pages });
        canonical.sort_all_objects();
        let chunks = place_passages(passages);
        let matter = if chunks.is_empty() {
            Contents::Unusable(empty())
        } else {
            Contents::Chunks { language: language(&chunks), chunks }
        };
        let item = self.item_of(payer, Source::Chunks, title, bytes, fingerprint(&canonical), matter);
        NewItem { meta, ..item }
    }

    fn item_of(
        &self,
        payer: &CallerContext,
        source: Source,
        name: String,
        bytes: u64,
        fingerprint: String,
        matter: Contents,
    ) -> NewItem {
        NewItem {
            id: ItemId(new_id("item", self.ports.clock.now(), self.ports.ids.as_ref())),
            key: payer.key.clone(),
            source,
            name,
            meta: Map::new(),
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

/// The fingerprint of a text: the hash of its content with its title and meta. Texts that differ only in
/// these are found by different filters, and cited under different titles.
pub(super) fn print_of_text(sha256: &str, title: &str, meta: &Map<String, Value>) -> String {
    let mut canonical = json!({ "title": title, "meta": meta, "sha256": sha256 });
    canonical.sort_all_objects();
    fingerprint(&canonical)
}

/// SHA-256 over JSON, lower-case hex.
fn fingerprint(canonical: &Value) -> String {
    hex(&Sha256::digest(canonical.to_string()))
}

/// Groups passages by title and meta, in the order of their first occurrence.
pub(super) fn by_title(passages: Vec<NewPassage>) -> Vec<Vec<NewPassage>> {
    let mut groups: Vec<Vec<NewPassage>> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for passage in passages {
        let mut meta = Value::Object(passage.meta.clone());
        meta.sort_all_objects();
        let group = *known.entry((passage.title.clone(), meta.to_string())).or_insert(groups.len());
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
        NewPassage { title: title.into(), content: content.into(), page: Some(1), meta }
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
