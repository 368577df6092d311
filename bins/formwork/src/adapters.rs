//! The adapters that are opened before the services are built on them: opening them takes time, or can fail.

use blobs::ObjectBlobs;
use ocr_tesseract::Tesseract;
use search_index::TantivyLexicalIndex;
use store_diesel::Database;

use crate::metrics::Metrics;
use crate::vectors::Vectors;

/// Opened adapters.
#[derive(Debug)]
pub struct Adapters {
    /// Where all services keep their records.
    pub database: Database,
    /// The index of words.
    pub words: TantivyLexicalIndex,
    /// The index of vectors.
    pub(crate) vectors: Vectors,
    /// OCR, if its program is there.
    pub tesseract: Option<Tesseract>,
    /// The contents of files.
    pub blobs: ObjectBlobs,
    /// Where requests and calls are recorded, if metrics are served.
    pub metrics: Option<Metrics>,
}
