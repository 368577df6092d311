//! Settings of OCR.

use std::ffi::OsString;

use document::OcrLimits;
use serde::{Deserialize, Serialize};

use super::processors::processors;

/// Value that turns OCR off.
const OFF: &str = "off";

/// OCR of scanned pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OcrSettings {
    /// The `tesseract` program; looked up on `PATH` when empty, `off` for none.
    pub program: String,
    /// Languages, such as `eng+deu`; when empty, all installed ones if there are at most three, else English.
    pub languages: String,
    /// Folder of the language data; the program's default when empty.
    pub data: String,
    /// Resolution of rendered pages in pixels per inch.
    pub dpi: u32,
    /// Maximum number of pages of a document.
    pub pages: usize,
    /// Maximum number of concurrent pages, one process each; 0 means half of the processors.
    pub processes: usize,
    /// Time limit of a page in seconds.
    pub page_seconds: u64,
    /// Seconds after which no further page of a document is started.
    pub document_seconds: u64,
    /// Maximum memory of a process in bytes.
    pub memory_bytes: u64,
    /// Search path of the program: the value of `PATH`. Not a setting.
    #[serde(skip)]
    pub search: Option<OsString>,
}

impl Default for OcrSettings {
    fn default() -> Self {
        let limits = OcrLimits::default();
        Self {
            program: String::new(),
            languages: String::new(),
            data: String::new(),
            dpi: limits.dpi,
            pages: limits.pages,
            processes: 0,
            page_seconds: 60,
            document_seconds: limits.document_seconds,
            memory_bytes: 1 << 30,
            search: None,
        }
    }
}

impl OcrSettings {
    /// Whether OCR is off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.program == OFF
    }

    /// Number of concurrent pages: half of the processors unless set, at least one.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.processes > 0 { self.processes } else { (processors() / 2).max(1) }
    }
}
