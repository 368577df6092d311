//! A searchable index and its statistics.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kb_core::{IndexError, IndexMark};
use parking_lot::Mutex;
use tantivy::directory::MmapDirectory;
use tantivy::directory::error::OpenReadError;
use tantivy::schema::IndexRecordOption;
use tantivy::store::Compressor;
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{
    DocSet as _, Index, IndexReader, IndexSettings, ReloadPolicy, Searcher, TERMINATED, TantivyError,
};

use super::failure::{DamageError, to_index_error};
use super::schema::{Fields, mark};
use super::tokenizer::{ChunkTokenizer, TOKENIZER};

/// Chunks sampled per base and segment for the average length. Chosen by hand; no measurement recorded.
const SAMPLE: u32 = 2048;
/// Attempts of the integrity check when a file is missing. Chosen by hand; no measurement recorded.
const CHECKS: usize = 3;
/// Bases whose statistics are cached. Protects memory.
const BASES: usize = 4096;

/// An open index.
pub(super) struct LiveIndex {
    pub(super) folder: PathBuf,
    pub(super) index: Index,
    pub(super) fields: Fields,
    reader: IndexReader,
    statistics: Mutex<StatisticsCache>,
}

/// Statistics by base, for one generation of the reader.
#[derive(Debug, Default)]
struct StatisticsCache {
    generation: u64,
    bases: HashMap<i64, BaseStatistics>,
}

/// BM25 statistics of a base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BaseStatistics {
    /// Number of chunks. It includes deleted ones that are not yet merged away.
    pub(super) chunks: u64,
    /// Mean number of terms in a chunk.
    pub(super) average: f32,
}

impl fmt::Debug for LiveIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl LiveIndex {
    /// Creates an index in an empty folder.
    pub(super) fn create(folder: &Path) -> Result<Self, IndexError> {
        let (schema, _) = Fields::schema();
        // No field is stored, so there is nothing to compress.
        let settings = IndexSettings {
            docstore_compression: Compressor::None,
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let directory = MmapDirectory::open(folder).map_err(|error| to_index_error(error.into()))?;
        let index = Index::create(directory, schema, settings).map_err(to_index_error)?;
        Self::from_index(folder, index)
    }

    /// Opens the index in a folder. [`LiveIndex::check`] verifies its files.
    pub(super) fn open(folder: &Path) -> Result<(Self, IndexMark), IndexError> {
        let index = Index::open_in_dir(folder).map_err(to_index_error)?;
        let metas = index.load_metas().map_err(to_index_error)?;
        let damaged = |what: String| Err(IndexError::Damaged(Box::new(DamageError(what))));
        let Some(mark) = metas.payload.as_deref().and_then(mark) else {
            return damaged("the index has another format version".to_owned());
        };
        if metas.schema != Fields::schema().0 {
            return damaged("the index has another schema".to_owned());
        }
        if !metas.segments.is_empty() && index.directory().list_managed_files().is_empty() {
            return damaged("the list of index files is missing".to_owned());
        }
        Ok((Self::from_index(folder, index)?, mark))
    }

    /// Reads all files and compares their checksums, until `stopped` is set.
    pub(super) fn check(&self, stopped: &AtomicBool) -> Result<(), IndexError> {
        let damaged = |what: String| Err(IndexError::Damaged(Box::new(DamageError(what))));
        for _ in 0..CHECKS {
            match self.damaged_file(stopped) {
                // A merge may have replaced it meanwhile. A file that is really lost is missing in the next
                // attempt too.
                Err(TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_))) => {}
                Ok(None) => return Ok(()),
                Ok(Some(file)) => return damaged(format!("{} is damaged", file.display())),
                Err(error) => return Err(to_index_error(error)),
            }
        }
        damaged("index files are missing".to_owned())
    }

    /// The first file with a wrong checksum. Only files that the index manages are checked: not every segment
    /// has every kind.
    fn damaged_file(&self, stopped: &AtomicBool) -> Result<Option<PathBuf>, TantivyError> {
        let directory = self.index.directory();
        let kept = directory.list_managed_files();
        for file in self.index.load_metas()?.list_segment_files().intersection(&kept) {
            if stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !directory.validate_checksum(file)? {
                return Ok(Some(file.clone()));
            }
        }
        Ok(None)
    }

    /// Size of its files in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
    }

    fn from_index(folder: &Path, mut index: Index) -> Result<Self, IndexError> {
        let tokenizers = TokenizerManager::default();
        tokenizers.register(TOKENIZER, TextAnalyzer::builder(ChunkTokenizer::default()).build());
        index.set_tokenizers(tokenizers);
        let builder = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = builder.doc_store_cache_num_blocks(0).try_into().map_err(to_index_error)?;
        let (_, fields) = Fields::schema();
        Ok(Self { folder: folder.to_owned(), index, fields, reader, statistics: Mutex::default() })
    }

    /// Makes the last commit and the merges since then visible to searches.
    pub(super) fn reload(&self) -> Result<(), IndexError> {
        self.reader.reload().map_err(to_index_error)
    }

    /// Whether segments were merged that searches do not see yet.
    pub(super) fn is_behind(&self) -> Result<bool, IndexError> {
        let mut stored = self.index.searchable_segment_ids().map_err(to_index_error)?;
        let searcher = self.reader.searcher();
        let mut seen: Vec<_> =
            searcher.segment_readers().iter().map(|segment| segment.segment_id()).collect();
        stored.sort();
        seen.sort();
        Ok(stored != seen)
    }

    /// A snapshot of the present state.
    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The statistics of a base, cached for this generation.
    pub(super) fn statistics(&self, searcher: &Searcher, base: i64) -> Result<BaseStatistics, TantivyError> {
        let generation = searcher.generation().generation_id();
        if let Some(known) = self.lock_cache(generation).bases.get(&base) {
            return Ok(*known);
        }
        let statistics = self.count_statistics(searcher, base)?;
        let mut remembered = self.lock_cache(generation);
        if remembered.bases.len() >= BASES {
            remembered.bases.clear();
        }
        remembered.bases.insert(base, statistics);
        Ok(statistics)
    }

    fn lock_cache(&self, generation: u64) -> parking_lot::MutexGuard<'_, StatisticsCache> {
        let mut remembered = self.statistics.lock();
        if remembered.generation != generation {
            *remembered = StatisticsCache { generation, bases: HashMap::new() };
        }
        remembered
    }

    /// Counts the chunks of a base. Their mean length is estimated from an evenly spread sample.
    fn count_statistics(&self, searcher: &Searcher, base: i64) -> Result<BaseStatistics, TantivyError> {
        let term = self.fields.base(base);
        let (mut chunks, mut terms) = (0, 0.0);
        for segment in searcher.segment_readers() {
            let index = segment.inverted_index(self.fields.words())?;
            let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic)? else { continue };
            let lengths = segment.get_fieldnorms_reader(self.fields.words())?;
            let count = postings.doc_freq();
            let (mut looked, mut sum) = (0_u32, 0_u64);
            let step = if count <= SAMPLE { 0 } else { segment.max_doc() / SAMPLE };
            let mut doc = postings.doc();
            while doc != TERMINATED && looked < count {
                sum += u64::from(lengths.fieldnorm(doc));
                looked += 1;
                doc = if step <= 1 { postings.advance() } else { postings.seek(doc.saturating_add(step)) };
            }
            chunks += u64::from(count);
            terms += sum as f64 / f64::from(looked.max(1)) * f64::from(count);
        }
        Ok(BaseStatistics { chunks, average: (terms / chunks.max(1) as f64) as f32 })
    }
}

/// An index that a rebuild can replace.
pub(super) type SharedIndex = Arc<LiveIndex>;
