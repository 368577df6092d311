//! The schema of the index.

use kb_core::{ChunkKey, IndexMark, IndexedChunk};
use serde::{Deserialize, Serialize};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{TantivyDocument, Term};

use super::tokenizer::{TOKENIZER, pack_chunk, prefix};

/// Format version. It grows with each change of the content or of the analysis; an index of another version
/// has to be rebuilt.
const FORMAT: u32 = 1;

/// Name of the column of item ids.
pub(super) const ITEM: &str = "item";
/// Name of the column of chunk positions.
pub(super) const POSITION: &str = "position";
/// Name of the column of sequence numbers.
pub(super) const SEQUENCE: &str = "sequence";

/// The fields. Chunks are not stored: hits are read from the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    words: Field,
    item: Field,
    position: Field,
    sequence: Field,
}

impl Fields {
    /// The schema; it is constant.
    pub(super) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        // No positions, because there are no phrase queries.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs);
        let words = schema.add_text_field("words", TextOptions::default().set_indexing_options(indexing));
        let item: NumericOptions = (INDEXED | FAST).into();
        let item = schema.add_i64_field(ITEM, item);
        let position = schema.add_u64_field(POSITION, FAST);
        let sequence = schema.add_i64_field(SEQUENCE, FAST);
        (schema.build(), Self { words, item, position, sequence })
    }

    /// The field of terms.
    pub(super) fn words(&self) -> Field {
        self.words
    }

    /// A chunk as a document.
    pub(super) fn document(&self, chunk: &IndexedChunk) -> TantivyDocument {
        let ChunkKey { item, position } = chunk.key;
        let mut document = TantivyDocument::new();
        document.add_text(self.words, pack_chunk(chunk));
        document.add_i64(self.item, item);
        document.add_u64(self.position, u64::from(position));
        document.add_i64(self.sequence, chunk.sequence);
        document
    }

    /// The term that all chunks of an item share.
    pub(super) fn item(&self, item: i64) -> Term {
        Term::from_field_i64(self.item, item)
    }

    /// The term that all chunks of a base share.
    pub(super) fn base(&self, base: i64) -> Term {
        Term::from_field_text(self.words, &prefix(base))
    }

    /// A term within a base.
    pub(super) fn term(&self, prefix: &str, term: &str) -> Term {
        Term::from_field_text(self.words, &format!("{prefix}{term}"))
    }
}

/// The payload of a commit.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    format: u32,
    sequence: i64,
    generation: i64,
}

/// Serializes a mark for a commit.
pub(super) fn payload(mark: IndexMark) -> String {
    let IndexMark { sequence, generation } = mark;
    format!(r#"{{"format":{FORMAT},"sequence":{sequence},"generation":{generation}}}"#)
}

/// The mark in a commit's payload; `None` when it has another format.
pub(super) fn mark(payload: &str) -> Option<IndexMark> {
    let Payload { format, sequence, generation } = serde_json::from_str(payload).ok()?;
    (format == FORMAT).then_some(IndexMark { sequence, generation })
}
