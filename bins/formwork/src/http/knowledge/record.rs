//! The JSON shapes of knowledge bases and items.

use kb_core::{Base, Chunk, Item, ItemError, Progress, Source};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::Timestamp;

use super::index_position;
use crate::http::lists::AnyObject;

/// A knowledge base.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KnowledgeBaseRecord {
    knowledge_id: String,
    name: String,
    description: String,
    /// Number of files, texts and other items.
    files: u64,
    /// Number of searchable chunks.
    chunks: u64,
    /// Total size of its sources in bytes.
    bytes: u64,
    #[serde(rename = "created_timestamp")]
    created: String,
    /// Time of the last change to it or to its contents.
    #[serde(rename = "updated_timestamp")]
    updated: String,
    user_name: String,
    /// The embedding model; null when the base has lexical search only.
    embedding_model: Option<String>,
    /// The model whose vectors serve searches now. It becomes `embeddingModel` once every item has vectors of
    /// that model.
    serving_model: Option<String>,
    /// The share of the nearest ten that searches by vectors find, as this server measured it on the vectors of the
    /// knowledge base; null while all vectors are compared, before the first search, and with pgvector.
    #[schemars(range(min = 0.0, max = 1.0))]
    vector_recall: Option<f32>,
    chunking: ChunkingRecord,
    /// The model that reranks the results of searches; null when they are not reranked.
    rerank_model: Option<String>,
    /// Number of the best results that are reranked.
    rerank_depth: u32,
    /// Number of files in each state.
    status: StatusCounts,
    /// Languages of its contents (ISO 639-1).
    languages: Vec<String>,
    /// Position of the last change that made something of it searchable, for `wait_for` of searches.
    #[serde(rename = "index_position")]
    position: Option<i64>,
}

/// How documents are chunked.
#[derive(Debug, Serialize, JsonSchema)]
struct ChunkingRecord {
    /// Maximum estimated number of tokens of a chunk.
    tokens: u32,
}

/// Files by state.
#[derive(Debug, Serialize, JsonSchema)]
struct StatusCounts {
    queued: u64,
    processing: u64,
    ready: u64,
    failed: u64,
}

impl KnowledgeBaseRecord {
    /// Of a base whose vector searches have this recall.
    pub(super) fn new(base: Base, vector_recall: Option<f32>) -> Self {
        let counts = base.counts;
        Self {
            vector_recall,
            knowledge_id: base.id.0,
            name: base.name,
            description: base.description,
            files: counts.items(),
            chunks: counts.chunks,
            bytes: counts.bytes,
            created: base.created.record_text(),
            updated: base.updated.record_text(),
            user_name: base.author.name,
            embedding_model: base.embedding,
            serving_model: base.serving,
            chunking: ChunkingRecord { tokens: base.chunking.tokens },
            rerank_model: base.rerank.model,
            rerank_depth: base.rerank.depth,
            status: StatusCounts {
                queued: counts.queued,
                processing: counts.processing,
                ready: counts.ready,
                failed: counts.failed,
            },
            languages: base.languages,
            position: index_position::of(base.written),
        }
    }
}

/// An item of a knowledge base: a file, text or other piece of data.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KnowledgeFileRecord {
    #[serde(flatten)]
    file: KnowledgeFileFields,
    /// Number of searchable chunks.
    chunks: u64,
}

/// An item with its text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KnowledgeFileWithContent {
    #[serde(flatten)]
    file: KnowledgeFileFields,
    chunks: Chunks,
    /// Its parsed text in Markdown; empty until it is ready.
    content: String,
}

/// The number of searchable chunks; with `chunks=true`, the chunks themselves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "KnowledgeFileChunks")]
enum Chunks {
    Count(u64),
    List(Vec<ChunkRecord>),
}

impl KnowledgeFileWithContent {
    /// An item with the text of its chunks, and with the chunks themselves when `listed`.
    pub(super) fn new(item: Item, chunks: Vec<Chunk>, listed: bool) -> Self {
        let content = item.text_of(&chunks);
        let chunks = match listed {
            true => Chunks::List(chunks.into_iter().map(ChunkRecord::from).collect()),
            false => Chunks::Count(item.chunks),
        };
        Self { file: item.into(), chunks, content }
    }
}

impl From<Item> for KnowledgeFileRecord {
    fn from(item: Item) -> Self {
        Self { chunks: item.chunks, file: item.into() }
    }
}

/// The fields of an item except its chunks.
#[derive(Debug, Serialize, JsonSchema)]
struct KnowledgeFileFields {
    id: String,
    #[serde(rename = "knowledgeId")]
    knowledge_id: String,
    /// The file that it was made from, which may have been deleted since; null for other sources.
    file_id: Option<i64>,
    name: String,
    /// `queued`, `processing`, `ready` or `failed`.
    status: &'static str,
    /// The last failure, also while the item waits for a retry. For a ready item: only part of it is
    /// searchable.
    error: Option<FileError>,
    /// Size of the source in bytes.
    bytes: u64,
    /// Always `home`.
    folder: &'static str,
    meta: AnyObject,
    created_timestamp: String,
    updated_timestamp: String,
    /// `file`, `text`, `chunks` or `web`.
    source: &'static str,
    /// URL of a web page; null for other sources.
    url: Option<String>,
    /// Progress of the processing.
    progress: ProgressRecord,
    /// Its language (ISO 639-1), if detected.
    language: Option<String>,
    /// The model of the vectors that all its chunks have.
    #[serde(rename = "embeddingModel")]
    embedding_model: Option<String>,
    /// Position of its last change that concerns searches, for `wait_for` of searches; null before it is
    /// searchable.
    index_position: Option<i64>,
    /// Your own identifier of it; null if it was added without one.
    #[serde(rename = "externalId")]
    external_id: Option<String>,
    /// From when on searches no longer find it, as RFC 3339; null for never.
    #[schemars(extend("format" = "date-time"))]
    expires: Option<String>,
}

/// Why an item failed.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KnowledgeFileError")]
struct FileError {
    /// Stable, in snake case.
    code: String,
    /// One sentence.
    message: String,
}

impl From<ItemError> for FileError {
    fn from(ItemError { code, message }: ItemError) -> Self {
        Self { code, message }
    }
}

/// Chunks that are complete, and all chunks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "IndexingProgress")]
struct ProgressRecord {
    done: u64,
    /// 0 until known.
    total: u64,
}

/// The data of a `file` event.
#[derive(Debug, Serialize)]
pub(super) struct FileProgress {
    id: String,
    name: String,
    status: &'static str,
    error: Option<FileError>,
    progress: ProgressRecord,
    index_position: Option<i64>,
}

impl From<Item> for FileProgress {
    fn from(item: Item) -> Self {
        Self {
            id: item.id.0,
            name: item.name,
            status: item.status.name(),
            error: item.error.map(FileError::from),
            progress: item.progress.into(),
            index_position: index_position::of(item.position),
        }
    }
}

impl From<Progress> for ProgressRecord {
    fn from(Progress { done, total }: Progress) -> Self {
        Self { done, total }
    }
}

impl From<Item> for KnowledgeFileFields {
    fn from(item: Item) -> Self {
        let source = item.source.name();
        let (file_id, url) = match item.source {
            Source::File { id } => (Some(id.0), None),
            Source::Web { url } => (None, Some(url)),
            Source::Text | Source::Chunks => (None, None),
        };
        Self {
            id: item.id.0,
            knowledge_id: item.base.0,
            file_id,
            name: item.name,
            status: item.status.name(),
            error: item.error.map(FileError::from),
            bytes: item.bytes,
            folder: "home",
            meta: item.meta,
            created_timestamp: item.created.record_text(),
            updated_timestamp: item.updated.record_text(),
            source,
            url,
            progress: item.progress.into(),
            language: item.language,
            embedding_model: item.embedded,
            index_position: index_position::of(item.position),
            external_id: item.external_id,
            expires: item.expires.map(Timestamp::rfc3339),
        }
    }
}

/// A chunk of an item.
#[derive(Debug, Serialize, JsonSchema)]
struct ChunkRecord {
    /// Its position in the item, from 0.
    position: u32,
    /// The page it begins on, from 1.
    page: Option<u32>,
    /// The headings above it, one per line.
    heading: String,
    text: String,
    /// Offset of its first character in `content`, in Unicode characters.
    start: u64,
    /// Offset after its last character.
    end: u64,
}

impl From<Chunk> for ChunkRecord {
    fn from(chunk: Chunk) -> Self {
        Self {
            position: chunk.position,
            page: chunk.page,
            heading: chunk.heading,
            text: chunk.text,
            start: chunk.start,
            end: chunk.end,
        }
    }
}
