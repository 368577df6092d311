//! How the browser is run.

use std::path::PathBuf;
use std::time::Duration;

/// Divisor of the page time after which a page yields its permit to waiting ones. Three pages that never end
/// leave room for a fourth within the time of one.
const SHARE: u32 = 3;

/// A page waits for its permit for at most this many page times.
pub(crate) const TURNS: u32 = 2;

/// How the browser is run.
#[derive(Clone, Debug)]
pub struct ChromiumSettings {
    /// Path of the executable.
    pub program: PathBuf,
    /// Whether the browser keeps its own sandbox. With it, the browser does not start as root.
    pub sandbox: bool,
    /// Wall-clock and CPU time for a page, counted from its permit. It waits for the permit for at most
    /// `TURNS` times as long.
    pub page_time: Duration,
    /// Virtual time for the page's scripts.
    pub script_time: Duration,
    /// Memory limit of a browser, in bytes.
    pub memory_bytes: u64,
    /// Maximum bytes of a page's HTML.
    pub page_bytes: u64,
    /// Maximum browsers that run at the same time.
    pub at_once: usize,
}

impl ChromiumSettings {
    /// Default settings for an executable.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            sandbox: true,
            page_time: Duration::from_secs(30),
            script_time: Duration::from_secs(5),
            memory_bytes: 1 << 30,
            page_bytes: 10 << 20,
            at_once: 1,
        }
    }

    /// Time for a page while others wait for a permit.
    pub(crate) fn share(&self) -> Duration {
        self.page_time / SHARE
    }
}
