//! OCR of the command line. The program is looked up when the first page needs it.

use std::sync::Arc;

use document::Recognition;
use parser_pool::ParserPool;
use sandbox::Launcher;
use shared_core::SystemClock;
use tokio::sync::OnceCell;

use crate::ocr;
use crate::settings::OcrSettings;

/// Finds the program once for all files.
#[derive(Debug)]
pub(super) struct Ocr {
    settings: OcrSettings,
    launcher: Launcher,
    pool: ParserPool,
    found: OnceCell<Option<Recognition>>,
}

impl Ocr {
    /// Does not look up the program yet.
    pub(super) fn new(settings: OcrSettings, launcher: Launcher, pool: ParserPool) -> Self {
        Self { settings, launcher, pool, found: OnceCell::new() }
    }

    /// OCR with the program; `None` when OCR is off or none is installed.
    ///
    /// # Errors
    /// When a configured program or language cannot be used.
    pub(super) async fn recognition(&self) -> anyhow::Result<Option<&Recognition>> {
        let found = self.found.get_or_try_init(|| async {
            let program = ocr::find(&self.settings, self.launcher.clone()).await?;
            let clock = Arc::new(SystemClock);
            Ok(program.map(|program| ocr::recognition(Arc::new(program), &self.settings, &self.pool, clock)))
        });
        found.await.map(Option::as_ref)
    }
}
