//! Settings of the browser.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::Switch;

/// Value that turns the browser off.
const OFF: &str = "off";

/// The browser for pages that need scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserSettings {
    /// The Chromium program; looked up on `PATH` when empty, `off` for none.
    pub program: String,
    /// Whether Chromium's own sandbox is on.
    pub sandbox: Switch,
    /// Maximum number of concurrent browsers, one per page.
    pub processes: usize,
    /// Time limit of a page in seconds.
    pub page_seconds: u64,
    /// Virtual time for the scripts of a page, in seconds.
    pub script_seconds: u64,
    /// Maximum memory of one browser in bytes.
    pub memory_bytes: u64,
    /// Maximum traffic of a page in bytes.
    pub traffic_bytes: u64,
    /// Search path of the program: the value of `PATH`. Not a setting.
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
    /// Whether the browser is off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.program == OFF
    }
}
