//! The ports under test, and the fixtures of the suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use files_core::{BlobKey, FileId, FileRepository, NewFile};
use jobs_core::{Claim, JobQueue};
use serde_json::{Map, Value, json};
use shared_core::{Author, Revision, Scope, Timestamp};

use crate::{
    AddedItem, Base, BaseId, BaseRepository, ChangeFeed, Chunk, ChunkRepository, Chunking, Content, Contents,
    Counts, EmbeddingRepository, IngestRepository, IngestResult, Item, ItemChange, ItemError, ItemId,
    ItemRepository, NewItem, QUEUE, Replacement, RerankSettings, Source, Task, VectorStore,
};

/// The ports, the job queue of the items, and the files with shared contents.
#[derive(Clone, Debug)]
pub struct Stores {
    /// The repository of bases under test.
    pub bases: Arc<dyn BaseRepository>,
    /// The repository of items under test.
    pub items: Arc<dyn ItemRepository>,
    /// The repository of the work on items under test.
    pub ingest: Arc<dyn IngestRepository>,
    /// The repository of chunks under test.
    pub chunks: Arc<dyn ChunkRepository>,
    /// The repository of embeddings under test.
    pub embeddings: Arc<dyn EmbeddingRepository>,
    /// Changes.
    pub feed: Arc<dyn ChangeFeed>,
    /// Vectors.
    pub stock: Arc<dyn VectorStore>,
    /// The jobs of items.
    pub jobs: Arc<dyn JobQueue>,
    /// The file repository whose contents items share.
    pub files: Arc<dyn FileRepository>,
}

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// A text with characters that stores often break.
pub(super) const ODD: &str = "Odd \u{0}\u{10ffff}\u{1f600}\u{202e} 'text' \\ %_\r\n\t";

pub(super) fn meta(value: i64) -> Map<String, Value> {
    let meta = json!({"zebra": value, "apple": [null, {"\u{0}": "é\"\\"}], "big": u64::MAX});
    meta.as_object().cloned().unwrap_or_default()
}

/// The id of a base. It differs between workspaces, as it does outside of tests.
pub(super) fn base_id(scope: &Scope, name: &str) -> BaseId {
    BaseId(format!("kb-{}-{name}", scope.workspace))
}

/// A base, for suites of what belongs to bases.
#[must_use]
pub fn base(scope: &Scope) -> Base {
    new_base(scope, "base", None, 1)
}

pub(super) fn new_base(scope: &Scope, name: &str, embedding: Option<&str>, micros: i64) -> Base {
    Base {
        id: base_id(scope, name),
        number: -1,
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        name: ODD.into(),
        description: "'; DROP TABLE kb_bases; --".into(),
        embedding: embedding.map(str::to_owned),
        serving: None,
        chunking: Chunking { tokens: 123 },
        rerank: RerankSettings { model: Some("r\u{0}@x".into()), depth: 7 },
        counts: Counts { ready: 9, ..Counts::default() },
        languages: vec!["xx".into()],
        written: 99,
        revision: Revision::FIRST,
        created: at(micros),
        updated: at(micros),
    }
}

/// Chunks whose texts begin with a word.
pub(super) fn chunks(word: &str, count: u32) -> Vec<Chunk> {
    let chunk = |position| Chunk {
        position,
        page: (position % 2 == 0).then_some(position + 1),
        start: u64::from(position) * 10,
        end: u64::from(position) * 10 + 9,
        heading: if position == 1 { ODD.into() } else { String::new() },
        text: format!("{word} {position} {ODD}"),
    };
    (0..count).map(chunk).collect()
}

pub(super) fn new_item(scope: &Scope, name: &str, matter: Contents) -> NewItem {
    NewItem {
        id: ItemId(format!("item-{}-{name}", scope.workspace)),
        key: Some("key_1".into()),
        source: Source::Text,
        name: format!("{name} {ODD}"),
        meta: meta(1),
        bytes: 100,
        external_id: None,
        expires: None,
        fingerprint: format!("print of {name}"),
        matter,
    }
}

pub(super) fn chunked(scope: &Scope, name: &str, count: u32) -> NewItem {
    let language = Some("de".to_owned());
    new_item(scope, name, Contents::Chunks { chunks: chunks(name, count), language })
}

pub(super) fn content(name: &str) -> Content {
    Content { blob: BlobKey(format!("blob-{name}")), sha256: format!("sha-{name}"), bytes: 7 }
}

pub(super) fn document(scope: &Scope, name: &str) -> NewItem {
    let matter = Contents::Document { content: content(&format!("{}-{name}", scope.workspace)), fresh: true };
    NewItem { source: Source::File { id: FileId(7) }, ..new_item(scope, name, matter) }
}

pub(super) fn error(code: &str) -> ItemError {
    ItemError { code: code.into(), message: ODD.into() }
}

pub(super) fn finished(word: &str, count: u32, embedded: Option<&str>) -> IngestResult {
    IngestResult {
        chunks: Some(chunks(word, count)),
        language: Some("en".into()),
        embedded: embedded.map(str::to_owned),
        failure: None,
        remark: None,
    }
}

pub(super) fn replacement(name: &str) -> ItemChange {
    let (source, content) = (Source::Text, content(name));
    let fingerprint = format!("print of {name}");
    ItemChange {
        replacement: Some(Replacement { source, content, fresh: true, fingerprint }),
        ..ItemChange::default()
    }
}

impl Stores {
    pub(super) async fn base(&self, scope: &Scope, name: &str, embedding: Option<&str>) -> Base {
        self.bases.insert(scope, &new_base(scope, name, embedding, 1)).await.expect("inserts")
    }

    pub(super) async fn look(&self, scope: &Scope, base: &Base) -> Base {
        self.bases.find(scope, &base.id).await.expect("finds").expect("is there")
    }

    pub(super) async fn find(&self, scope: &Scope, item: &Item) -> Item {
        self.items.find(scope, &item.id).await.expect("finds").expect("is there")
    }

    pub(super) async fn add(&self, scope: &Scope, base: &Base, items: Vec<NewItem>) -> Vec<AddedItem> {
        let added = self.items.add(scope, &base.id, items, u64::MAX, at(5)).await.expect("adds");
        added.expect("there is room")
    }

    pub(super) async fn add_one(&self, scope: &Scope, base: &Base, item: NewItem) -> Item {
        self.add(scope, base, vec![item]).await.remove(0).item
    }

    /// Claims all available jobs; returns the tokens of those of the base by place.
    pub(super) async fn claim(&self, base: &Base, now: i64) -> BTreeMap<u32, i64> {
        let claim = Claim {
            queue: QUEUE,
            worker: "suite",
            now: at(now),
            until: at(now + 1),
            count: 5_000,
            per_owner: 5_000,
            per_workspace: 5_000,
            owners: None,
        };
        let claimed = self.jobs.claim(&claim).await.expect("claims");
        let own = claimed.into_iter().filter(|job| job.job.key.owner == base.id.0);
        own.map(|job| (job.job.key.position, job.token)).collect()
    }

    pub(super) async fn task(&self, item: &Item) -> Task {
        let found = self.ingest.task(&item.workspace, &item.base, item.place).await.expect("asks");
        found.expect("is there")
    }

    /// Finishes the work on an item, and returns the item.
    pub(super) async fn finish(&self, scope: &Scope, base: &Base, item: &Item, done: &IngestResult) -> Item {
        let tokens = self.claim(base, 500).await;
        let task = self.task(item).await;
        self.ingest.finish(&task, tokens[&item.place], done, at(11)).await.expect("finishes");
        self.find(scope, item).await
    }

    pub(super) async fn file(&self, scope: &Scope, name: &str) -> files_core::File {
        let Content { blob, sha256, bytes } = content(name);
        let new = NewFile {
            name: name.into(),
            bytes,
            content_type: "text/plain".into(),
            sha256,
            token: format!("token-{name}"),
            blob,
            created: at(1),
        };
        self.files.insert(scope, vec![new]).await.expect("inserts").remove(0)
    }
}
