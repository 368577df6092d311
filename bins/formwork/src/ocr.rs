//! OCR as the settings choose. The program is found once, at start-up.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use document::{OcrLimits, Recognition, TextRecogniser};
use ocr_tesseract::{Tesseract, TesseractSettings};
use parser_pool::ParserPool;
use sandbox::Launcher;
use shared_core::Clock;

use crate::settings::OcrSettings;

/// The program, started by the launcher; `None` when OCR is off or none is installed.
///
/// # Errors
/// One sentence for the operator, when a configured program or language cannot be used.
pub async fn find(settings: &OcrSettings, launcher: Launcher) -> anyhow::Result<Option<Tesseract>> {
    if settings.is_off() {
        return Ok(None);
    }
    let named = Some(&settings.program).filter(|program| !program.is_empty()).map(PathBuf::from);
    let search = || settings.search.as_deref().and_then(Tesseract::search);
    let is_set = named.is_some() || !settings.languages.is_empty();
    let Some(program) = named.or_else(search) else { return Ok(None) };
    let found = Tesseract::find(TesseractSettings {
        program,
        launcher: Some(launcher),
        data: Some(&settings.data).filter(|folder| !folder.is_empty()).map(PathBuf::from),
        languages: settings.languages.clone(),
        page_time: Duration::from_secs(settings.page_seconds),
        memory_bytes: settings.memory_bytes,
    });
    match found.await {
        Ok(tesseract) => Ok(Some(tesseract)),
        Err(error) if is_set => Err(error).context("OCR cannot be used as configured"),
        Err(error) => {
            tracing::warn!(%error, "OCR is off: the program that was found cannot be used");
            Ok(None)
        }
    }
}

/// OCR with the program. Parser processes render the pages and lay out their text.
pub(crate) fn recognition(
    recogniser: Arc<dyn TextRecogniser>,
    settings: &OcrSettings,
    parsers: &ParserPool,
    clock: Arc<dyn Clock>,
) -> Recognition {
    let limits = OcrLimits {
        dpi: settings.dpi,
        pages: settings.pages,
        at_once: settings.at_once(),
        document_seconds: settings.document_seconds,
    };
    let parsers = Arc::new(parsers.clone());
    Recognition::new(parsers.clone(), parsers, recogniser, clock, limits)
}
