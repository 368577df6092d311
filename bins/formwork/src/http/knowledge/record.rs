//! Bases and items as answers show them.

use kb_core::{Base, Chunk, Item, ItemError, Progress, Source};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::lists::AnyObject;

/// A knowledge base.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KnowledgeBaseRecord {
    knowledge_id: String,
    name: String,
    description: String,
    /// Files, texts and other pieces of data in it.
    files: u64,
    /// Chunks that can be found.
    chunks: u64,
    /// Bytes of its files as they were given.
    bytes: u64,
    #[serde(rename = "created_timestamp")]
    created: String,
    /// When it, or what it holds, was changed last.
    #[serde(rename = "updated_timestamp")]
    updated: String,
    user_name: String,
    /// The model of its vectors; null when it is searched by words alone.
    embedding_model: Option<String>,
    /// The model whose vectors serve searches now; it follows `embeddingModel` once everything has vectors of it.
    serving_model: Option<String>,
    chunking: ChunkingRecord,
    /// How many files are in each state.
    status: StatusCounts,
    /// Languages that occur in it (ISO 639-1).
    languages: Vec<String>,
}

/// How documents are cut.
#[derive(Debug, Serialize, JsonSchema)]
struct ChunkingRecord {
    /// Tokens that a chunk has at the most, as estimated.
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

impl From<Base> for KnowledgeBaseRecord {
    fn from(base: Base) -> Self {
        let counts = base.counts;
        Self {
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
            status: StatusCounts {
                queued: counts.queued,
                processing: counts.processing,
                ready: counts.ready,
                failed: counts.failed,
            },
            languages: base.languages,
        }
    }
}

/// A file, text or other piece of data in a knowledge base.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KnowledgeFileRecord {
    #[serde(flatten)]
    file: KnowledgeFileFields,
    /// Chunks that can be found.
    chunks: u64,
}

/// The same with its text.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct KnowledgeFileWithContent {
    #[serde(flatten)]
    file: KnowledgeFileFields,
    chunks: Chunks,
    /// Its text as it was parsed, in Markdown; empty until it is ready.
    content: String,
}

/// How many chunks can be found; with `chunks=true`, the chunks themselves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Chunks {
    Count(u64),
    List(Vec<ChunkRecord>),
}

impl KnowledgeFileWithContent {
    /// An item with the text of its chunks, and with them when `listed`.
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

/// What is told of a piece of data, but for its chunks.
#[derive(Debug, Serialize, JsonSchema)]
struct KnowledgeFileFields {
    id: String,
    #[serde(rename = "knowledgeId")]
    knowledge_id: String,
    /// The file that it was made from, which may have been deleted since; null for all else.
    file_id: Option<i64>,
    name: String,
    /// `queued`, `processing`, `ready` or `failed`.
    status: &'static str,
    /// Why it failed; while it waits to be tried again, the last failure; when it is ready, that only a part of it is
    /// found.
    error: Option<FileError>,
    /// Size of what was given.
    bytes: u64,
    /// Always `home`.
    folder: &'static str,
    meta: AnyObject,
    created_timestamp: String,
    updated_timestamp: String,
    /// `file`, `text`, `chunks` or `web`.
    source: &'static str,
    /// Address of a page of the web; null for all else.
    url: Option<String>,
    /// How far the work is.
    progress: ProgressRecord,
    /// Its language (ISO 639-1), where it could be told.
    language: Option<String>,
    /// The model that all its chunks have vectors of.
    #[serde(rename = "embeddingModel")]
    embedding_model: Option<String>,
}

/// Why a piece of data failed.
#[derive(Debug, Serialize, JsonSchema)]
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

/// Chunks that have what they need, of all.
#[derive(Debug, Serialize, JsonSchema)]
struct ProgressRecord {
    done: u64,
    /// 0 until it is known.
    total: u64,
}

/// What an event tells of a piece of data.
#[derive(Debug, Serialize)]
pub(super) struct FileProgress {
    id: String,
    name: String,
    status: &'static str,
    error: Option<FileError>,
    progress: ProgressRecord,
}

impl From<Item> for FileProgress {
    fn from(item: Item) -> Self {
        Self {
            id: item.id.0,
            name: item.name,
            status: item.status.name(),
            error: item.error.map(FileError::from),
            progress: item.progress.into(),
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
        let (source, file_id, url) = match item.source {
            Source::File { id } => ("file", Some(id.0), None),
            Source::Text => ("text", None, None),
            Source::Chunks => ("chunks", None, None),
            Source::Web { url } => ("web", None, Some(url)),
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
        }
    }
}

/// A passage of a piece of data.
#[derive(Debug, Serialize, JsonSchema)]
struct ChunkRecord {
    /// Its place, from 0.
    position: u32,
    /// The page it begins on, from 1.
    page: Option<u32>,
    /// The headings that it stands under, one per line.
    heading: String,
    text: String,
    /// Its first character in `content`, in Unicode characters.
    start: u64,
    /// After its last character.
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
