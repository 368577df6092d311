//! What is in the index, and how.

use kb_core::{ChunkKey, IndexMark, IndexedChunk};
use serde::{Deserialize, Serialize};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{TantivyDocument, Term};

use super::tokenizer::{TOKENIZER, pack_chunk};

/// Counts the changes of what is in the index, and of how texts become terms: an index of another format is none.
const FORMAT: u32 = 1;

/// The name of the column of items.
pub(super) const ITEM: &str = "item";
/// The name of the column of positions.
pub(super) const POSITION: &str = "position";
/// The name of the column of sequence numbers.
pub(super) const SEQUENCE: &str = "sequence";

/// The fields. Chunks are not stored: what is found is read from the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    words: Field,
    item: Field,
    position: Field,
    sequence: Field,
}

impl Fields {
    /// The schema, always the same.
    pub(super) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        // No positions: nothing asks for phrases.
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

    /// What all chunks of an item have.
    pub(super) fn item(&self, item: i64) -> Term {
        Term::from_field_i64(self.item, item)
    }

    /// What all chunks of a base have.
    pub(super) fn base(&self, base: i64) -> Term {
        Term::from_field_text(self.words, &prefix(base))
    }

    /// A term of a base.
    pub(super) fn term(&self, prefix: &str, term: &str) -> Term {
        Term::from_field_text(self.words, &format!("{prefix}{term}"))
    }
}

/// What stands before each term of a base.
pub(super) fn prefix(base: i64) -> String {
    format!("{base:x} ")
}

/// What a commit carries.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    format: u32,
    sequence: i64,
    generation: i64,
}

/// Writes a mark for a commit.
pub(super) fn payload(mark: IndexMark) -> String {
    let IndexMark { sequence, generation } = mark;
    format!(r#"{{"format":{FORMAT},"sequence":{sequence},"generation":{generation}}}"#)
}

/// The mark that a commit carries; none when it is of another format.
pub(super) fn mark(payload: &str) -> Option<IndexMark> {
    let Payload { format, sequence, generation } = serde_json::from_str(payload).ok()?;
    (format == FORMAT).then_some(IndexMark { sequence, generation })
}
