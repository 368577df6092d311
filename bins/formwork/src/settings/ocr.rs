//! Settings of OCR.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::processors;

/// The program that is none.
const OFF: &str = "off";

/// OCR of pages that are pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OcrSettings {
    /// The program `tesseract`; looked for on `PATH` when empty, `off` for none.
    pub program: String,
    /// Languages, such as `eng+deu`; when empty, all that are installed if they are three at the most, else English.
    pub languages: String,
    /// Folder of the data of the languages; the program's own when empty.
    pub data: String,
    /// Pixels to the inch of the pages that are read.
    pub dpi: u32,
    /// Pages of a document that are read.
    pub pages: usize,
    /// Pages that are read at the same time, a process each; 0 means half of the processors.
    pub processes: usize,
    /// Seconds that a page may take.
    pub page_seconds: u64,
    /// Seconds after which no further page of a document is begun.
    pub document_seconds: u64,
    /// Bytes of memory that a process may use.
    pub memory_bytes: u64,
    /// Where the program is looked for: the value of `PATH`. Not a setting.
    #[serde(skip)]
    pub search: Option<OsString>,
}

impl Default for OcrSettings {
    fn default() -> Self {
        Self {
            program: String::new(),
            languages: String::new(),
            data: String::new(),
            dpi: 200,
            pages: 200,
            processes: 0,
            page_seconds: 60,
            document_seconds: 900,
            memory_bytes: 1 << 30,
            search: None,
        }
    }
}

impl OcrSettings {
    /// Whether OCR is switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.program == OFF
    }

    /// Pages that are read at the same time: half of the processors unless set, one at least.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.processes > 0 { self.processes } else { (processors() / 2).max(1) }
    }
}
