//! Reads which chunks a lexical index has, beside the process that uses it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use kb_core::{IndexError, IndexMark};
use tantivy::TantivyError;

use super::failure::{catch_panics, to_index_error};
use super::folder::current_folder;
use super::live_index::LiveIndex;
use super::schema::{ITEM, SEQUENCE};

/// The content of a lexical index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexContent {
    /// What the index includes.
    pub mark: IndexMark,
    /// By item number, the sequence number of the item and its number of chunks. Chunks of an item with several
    /// sequence numbers are counted by each.
    pub chunks: BTreeMap<(i64, i64), u64>,
}

impl IndexContent {
    /// Compares the files of the index in a folder with their checksums and counts its chunks; `None` when there is no
    /// index. It blocks.
    ///
    /// # Errors
    /// [`IndexError::Damaged`], or when the files cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, IndexError> {
        let Some(current) = current_folder(folder) else { return Ok(None) };
        catch_panics(|| {
            let (live, mark) = LiveIndex::open(&current)?;
            live.check(&AtomicBool::new(false))?;
            let chunks = count_chunks(&live).map_err(to_index_error)?;
            Ok(Some(Self { mark, chunks }))
        })
    }
}

fn count_chunks(live: &LiveIndex) -> Result<BTreeMap<(i64, i64), u64>, TantivyError> {
    let mut counts = BTreeMap::new();
    for segment in live.searcher().segment_readers() {
        let (items, sequences) = (segment.fast_fields().i64(ITEM)?, segment.fast_fields().i64(SEQUENCE)?);
        for document in segment.doc_ids_alive() {
            if let Some(key) = items.first(document).zip(sequences.first(document)) {
                *counts.entry(key).or_default() += 1;
            }
        }
    }
    Ok(counts)
}
