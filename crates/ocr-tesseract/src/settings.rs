//! How the program is run.

use std::path::PathBuf;
use std::time::Duration;

use sandbox::Launcher;

/// How the program is run.
#[derive(Clone, Debug)]
pub struct TesseractSettings {
    /// Path of the executable.
    pub program: PathBuf,
    /// Starts the program in a sandbox; without one it has the rights of the caller.
    pub launcher: Option<Launcher>,
    /// Folder of the language data; the program's default when `None`.
    pub data: Option<PathBuf>,
    /// Languages to recognise, such as `eng+deu`. When empty, [`Tesseract::find`](crate::Tesseract::find) selects them.
    pub languages: String,
    /// Wall-clock and CPU time for a page.
    pub page_time: Duration,
    /// Address space of a process, in bytes.
    pub memory_bytes: u64,
}
