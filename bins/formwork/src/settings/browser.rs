//! Settings of the browser.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::Switch;

/// The program that is none.
const OFF: &str = "off";

/// The browser for pages that need scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserSettings {
    /// The program Chromium; looked for on `PATH` when empty, `off` for none.
    pub program: String,
    /// Whether it keeps its own sandbox.
    pub sandbox: Switch,
    /// Browsers at the same time, one for each page.
    pub processes: usize,
    /// Seconds that a page may take.
    pub page_seconds: u64,
    /// Seconds of the page's own clock for its scripts.
    pub script_seconds: u64,
    /// Bytes of memory of one browser.
    pub memory_bytes: u64,
    /// Bytes of a page's traffic.
    pub traffic_bytes: u64,
    /// Where the program is looked for: the value of `PATH`. Not a setting.
    #[serde(skip)]
    pub search: Option<OsString>,
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            program: String::new(),
            sandbox: Switch::On,
            processes: 1,
            page_seconds: 30,
            script_seconds: 5,
            memory_bytes: 1 << 30,
            traffic_bytes: 64 << 20,
            search: None,
        }
    }
}

impl BrowserSettings {
    /// Whether there is to be no browser.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.program == OFF
    }
}
