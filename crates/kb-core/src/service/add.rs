//! Putting data into a base: files, addresses, texts, and chunks that come ready-made.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use files_core::{BlobKey, File, FileId, FilesError, Located};
use futures_util::stream::{self, StreamExt as _};
use gen_core::Payer;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, StoreError, Violation, hex, new_id};

use super::KnowledgeService;
use super::bases::not_found;
use super::rules::Check;
use crate::analysis::detect;
use crate::{
    Added, BaseId, Chunk, Content, Item, ItemError, ItemId, KnowledgeError, Matter, NewItem, Source,
};

/// References that are looked up, and texts that are written, at the same time.
const AT_ONCE: usize = 16;
/// Bytes of ready-made chunks that their language is told by.
const LANGUAGE_SAMPLE: usize = 8_192;

/// What is to be added to a base, as it was sent. It becomes items in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewData {
    /// Ids of files.
    pub files: Vec<String>,
    /// Ids or own URLs of files, or addresses of the web.
    pub urls: Vec<String>,
    /// Documents.
    pub texts: Vec<NewText>,
    /// Ready-made chunks. Those of one title and meta are one item, in their order.
    pub chunks: Vec<NewPassage>,
}

/// A document as text, plain or Markdown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewText {
    /// Its title.
    pub title: String,
    /// The text.
    pub content: String,
    /// What the user keeps with it.
    pub meta: Map<String, Value>,
}

/// A chunk that comes ready-made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPassage {
    /// The title of what it is a part of.
    pub title: String,
    /// The text.
    pub content: String,
    /// The page that it begins on, from 1.
    pub page: Option<u32>,
    /// What the user keeps with it.
    pub meta: Map<String, Value>,
}

impl KnowledgeService {
    /// Adds data to a base, on the account of `payer`. Answers an item for each piece, in order: a new one, or
    /// the one that has the same content. The work on them goes on in the background.
    ///
    /// # Errors
    /// When the base is unknown, a value breaks a rule or names no file, the base would have too many items, or
    /// a store fails; nothing is added then.
    pub async fn add(
        &self,
        payer: &Payer,
        base: &BaseId,
        data: NewData,
    ) -> Result<Vec<Item>, KnowledgeError> {
        self.get(&payer.scope, base).await?;
        let mut check = Check::default();
        check.data(&data, &self.limits);
        check.done()?;
        let mut items = self.referenced(payer, "/file_ids", &data.files).await?;
        items.extend(self.referenced(payer, "/urls", &data.urls).await?);
        let mut kept = Vec::new();
        if let Err(error) = self.texts(payer, data.texts, &mut items, &mut kept).await {
            self.ports.files.release(&kept).await;
            return Err(error);
        }
        for passages in by_title(data.chunks) {
            items.push(self.ready_made(payer, passages));
        }
        self.put(payer, base, items, kept).await
    }

    /// Adds files that were just stored.
    ///
    /// # Errors
    /// As for [`KnowledgeService::add`].
    pub async fn add_files(
        &self,
        payer: &Payer,
        base: &BaseId,
        files: &[File],
    ) -> Result<Vec<Item>, KnowledgeError> {
        let items = files.iter().map(|file| self.of_file(payer, file)).collect();
        self.put(payer, base, items, Vec::new()).await
    }

    /// Stores items; `kept` are the bytes that were written for them.
    async fn put(
        &self,
        payer: &Payer,
        base: &BaseId,
        items: Vec<NewItem>,
        kept: Vec<BlobKey>,
    ) -> Result<Vec<Item>, KnowledgeError> {
        let added = match self.store(payer, base, items).await {
            Ok(added) => added,
            Err(error) => {
                self.ports.files.release(&kept).await;
                return Err(error);
            }
        };
        self.stored();
        // Where the content was there already, what was written is superfluous.
        let used: HashSet<&BlobKey> =
            added.iter().filter_map(|added| Some(&added.item.content.as_ref()?.blob)).collect();
        let superfluous: Vec<BlobKey> = kept.into_iter().filter(|blob| !used.contains(blob)).collect();
        self.ports.files.release(&superfluous).await;
        Ok(added.into_iter().map(|added| added.item).collect())
    }

    async fn store(
        &self,
        payer: &Payer,
        base: &BaseId,
        items: Vec<NewItem>,
    ) -> Result<Vec<Added>, KnowledgeError> {
        let there = self.get(&payer.scope, base).await?.counts.items();
        if there.saturating_add(items.len() as u64) > self.limits.items {
            return Err(KnowledgeError::TooMany(self.limits.items));
        }
        let stored = self.ports.items.add(&payer.scope, base, items, self.ports.clock.now()).await;
        stored.map_err(|error| match error {
            StoreError::Missing("knowledge base") => not_found(base),
            StoreError::Missing("file") => {
                let message = "a file was deleted while it was added";
                KnowledgeError::UnknownFiles(vec![Violation::new("/file_ids", message)])
            }
            other => other.into(),
        })
    }

    /// The items of references to files.
    async fn referenced(
        &self,
        payer: &Payer,
        path: &str,
        references: &[String],
    ) -> Result<Vec<NewItem>, KnowledgeError> {
        let found = stream::iter(references).map(|reference| self.found(&payer.scope, reference));
        let found: Vec<Found> = found.buffered(AT_ONCE).collect().await;
        let (mut items, mut unknown, mut check) = (Vec::new(), Vec::new(), Check::default());
        for (index, (found, reference)) in found.into_iter().zip(references).enumerate() {
            let place = format!("{path}/{index}");
            match found? {
                Reference::File(file) => items.push(self.of_file(payer, &file)),
                Reference::Web if path == "/urls" => items.push(self.of_web(payer, reference)),
                Reference::Unknown => {
                    unknown.push(Violation::new(place, format!("there is no file '{reference}'")));
                }
                Reference::Invalid(rule) if path == "/urls" => {
                    check.fail(place, rule.replace("'url'", "each of 'urls'"));
                }
                Reference::Web | Reference::Invalid(_) => {
                    check.fail(place, "each of 'file_ids' must be a positive integer");
                }
            }
        }
        check.done()?;
        if unknown.is_empty() { Ok(items) } else { Err(KnowledgeError::UnknownFiles(unknown)) }
    }

    async fn found(&self, scope: &Scope, reference: &str) -> Found {
        let found = match self.ports.files.locate(reference) {
            Located::File(id) => self.ports.files.get(scope, id).await,
            // A token grants reading, not use in another workspace's work.
            Located::Token(token) => match self.ports.files.by_token(&token).await {
                Ok(file) if file.workspace != scope.workspace => Err(FilesError::NotFound),
                other => other,
            },
            Located::Web(_) => return Ok(Reference::Web),
            Located::Invalid(rule) => return Ok(Reference::Invalid(rule)),
        };
        match found {
            Ok(file) => Ok(Reference::File(Box::new(file))),
            Err(FilesError::NotFound) => Ok(Reference::Unknown),
            Err(error) => Err(KnowledgeError::Files(error)),
        }
    }

    /// The file with this id, given as text.
    pub(super) async fn file(
        &self,
        scope: &Scope,
        path: &str,
        reference: &str,
    ) -> Result<File, KnowledgeError> {
        let unknown = || {
            let message = format!("there is no file '{reference}'");
            KnowledgeError::UnknownFiles(vec![Violation::new(path, message)])
        };
        let id = FileId::parse(reference).ok_or_else(unknown)?;
        self.ports.files.get(scope, id).await.map_err(|error| match error {
            FilesError::NotFound => unknown(),
            other => KnowledgeError::Files(other),
        })
    }

    /// Writes texts, and makes their items. What was written is in `kept`, also when it fails.
    async fn texts(
        &self,
        payer: &Payer,
        texts: Vec<NewText>,
        items: &mut Vec<NewItem>,
        kept: &mut Vec<BlobKey>,
    ) -> Result<(), KnowledgeError> {
        let written = stream::iter(texts).map(|text| async move {
            let content = self.written(text.content).await;
            (text.title, text.meta, content)
        });
        let mut written = written.buffered(AT_ONCE);
        let mut failure = None;
        while let Some((title, meta, content)) = written.next().await {
            match content {
                Ok(content) => {
                    kept.push(content.blob.clone());
                    let item = self.parsed(payer, Source::Text, title, content, true);
                    items.push(NewItem { meta, ..item });
                }
                // The others are written to their end, so that they are known.
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// Keeps a text's bytes.
    pub(super) async fn written(&self, text: String) -> Result<Content, KnowledgeError> {
        let staged = self.ports.files.keep("text.md".to_owned(), Bytes::from(text)).await;
        let staged = staged.map_err(KnowledgeError::Files)?;
        let (blob, sha256, bytes) = (staged.blob().clone(), staged.sha256().to_owned(), staged.bytes());
        Ok(Content { blob, sha256, bytes })
    }

    fn of_file(&self, payer: &Payer, file: &File) -> NewItem {
        self.parsed(payer, Source::File { id: file.id }, file.name.clone(), content_of(file), false)
    }

    fn parsed(&self, payer: &Payer, source: Source, name: String, content: Content, fresh: bool) -> NewItem {
        let (bytes, fingerprint) = (content.bytes, content.sha256.clone());
        self.item_of(payer, source, name, bytes, fingerprint, Matter::Document { content, fresh })
    }

    fn of_web(&self, payer: &Payer, url: &str) -> NewItem {
        let message = "web addresses cannot be fetched by this version".to_owned();
        let error = ItemError { code: "fetch_unavailable".to_owned(), message };
        let source = Source::Web { url: url.trim().to_owned() };
        let name = url.trim().to_owned();
        self.item_of(
            payer,
            source,
            name,
            0,
            fingerprint(&json!({ "url": url.trim() })),
            Matter::Unusable(error),
        )
    }

    /// The item of ready-made chunks of one title and meta.
    fn ready_made(&self, payer: &Payer, passages: Vec<NewPassage>) -> NewItem {
        let bytes = passages.iter().map(|passage| passage.content.len() as u64).sum();
        let Some(NewPassage { title, meta, .. }) = passages.first() else {
            let nothing = Matter::Unusable(empty());
            return self.item_of(payer, Source::Chunks, String::new(), 0, String::new(), nothing);
        };
        let (title, meta) = (title.clone(), meta.clone());
        let pages: Vec<Value> =
            passages.iter().map(|passage| json!([passage.page, passage.content])).collect();
        let mut canonical = json!({ "title": title, "meta": meta, "chunks": pages });
        canonical.sort_all_objects();
        let chunks = placed(passages);
        let matter = if chunks.is_empty() {
            Matter::Unusable(empty())
        } else {
            Matter::Chunks { language: language(&chunks), chunks }
        };
        let item = self.item_of(payer, Source::Chunks, title, bytes, fingerprint(&canonical), matter);
        NewItem { meta, ..item }
    }

    fn item_of(
        &self,
        payer: &Payer,
        source: Source,
        name: String,
        bytes: u64,
        fingerprint: String,
        matter: Matter,
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

/// What a reference leads to.
enum Reference {
    File(Box<File>),
    Web,
    Unknown,
    Invalid(&'static str),
}

type Found = Result<Reference, KnowledgeError>;

/// A file's bytes, to be referred to.
pub(super) fn content_of(file: &File) -> Content {
    Content { blob: file.blob.clone(), sha256: file.sha256.clone(), bytes: file.bytes }
}

fn empty() -> ItemError {
    ItemError { code: "document_empty".to_owned(), message: "there is no text in it".to_owned() }
}

/// SHA-256 over JSON, lower-case hex.
fn fingerprint(canonical: &Value) -> String {
    hex(&Sha256::digest(canonical.to_string()))
}

/// Passages of one title and meta together, in the order in which the first of each came.
fn by_title(passages: Vec<NewPassage>) -> Vec<Vec<NewPassage>> {
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

/// Passages with their places in the text that they make together, parted by blank lines. Blank ones are left
/// out: nothing could find them.
fn placed(passages: Vec<NewPassage>) -> Vec<Chunk> {
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

/// What parts the texts of ready-made chunks.
pub(super) const SEPARATOR: &str = "\n\n";

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
    detect(&sample).map(str::to_owned)
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
        let chunks = placed(vec![
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
