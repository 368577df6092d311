//! The OCR program as an adapter: finds, checks and runs it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use document::{OcrError, RecognisedWord, TextRecogniser};
use programs::with_sources;

use crate::error::FindError;
use crate::process::run;
use crate::settings::TesseractSettings;
use crate::{languages, tsv};

/// Executable name that is searched for.
const NAME: &str = "tesseract";
/// Page segmentation modes (`--psm`): automatic without orientation detection, and with it.
const UPRIGHT: &str = "3";
const TURNED: &str = "1";
/// Mean confidence below which a page may be rotated: upright text is well above, rotated text below.
const UNSURE: f32 = 70.0;
/// Minimum words for that decision.
const SOME_WORDS: usize = 5;

/// A checked OCR program. Clones share its permits.
#[derive(Clone, Debug)]
pub struct Tesseract(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: TesseractSettings,
    version: String,
    languages: Vec<String>,
    /// Whether the orientation data is installed.
    detects_orientation: bool,
}

impl Tesseract {
    /// Finds the program in the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        programs::find_program(search, &[NAME])
    }

    /// Asks the program for its version and languages. Without configured languages it uses all installed
    /// ones if they are three at most, else English alone.
    ///
    /// # Errors
    /// [`FindError`].
    pub async fn find(settings: TesseractSettings) -> Result<Self, FindError> {
        let unusable = |error: &OcrError| FindError::Unusable {
            program: settings.program.clone(),
            reason: with_sources(error),
        };
        let ask = async |option: &str| run(&settings, &[option.to_owned()], &[]).await;
        let (version, listed) = tokio::join!(ask("--version"), ask("--list-langs"));
        let (version, listed) =
            (version.map_err(|error| unusable(&error))?, listed.map_err(|error| unusable(&error))?);
        // Old versions print it to standard error.
        let said = if version.output.is_empty() { version.stderr } else { version.output };
        let version = said.lines().next().and_then(|line| line.strip_prefix("tesseract ")).map(str::trim);
        let version = version.filter(|version| !version.is_empty()).ok_or_else(|| FindError::Unusable {
            program: settings.program.clone(),
            reason: "it does not report its version".to_owned(),
        })?;
        let listed = if listed.output.is_empty() { listed.stderr } else { listed.output };
        let languages =
            languages::select_languages(&settings.languages, &languages::parse_languages(&listed))?;
        let version = version.chars().take(64).collect();
        let turns = languages::has_orientation_data(&listed);
        Ok(Self(Arc::new(Inner { version, languages, detects_orientation: turns, settings })))
    }

    /// Its version, such as `5.3.0`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.0.version
    }

    /// The languages that it recognises. The first one has priority.
    #[must_use]
    pub fn languages(&self) -> &[String] {
        &self.0.languages
    }

    /// Path of the executable.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.0.settings.program
    }
}

impl Tesseract {
    /// Recognises a page with one segmentation mode, within a time limit.
    async fn read(
        &self,
        png: &[u8],
        dpi: u32,
        segmentation: &str,
        time: Duration,
    ) -> Result<Vec<RecognisedWord>, OcrError> {
        let (dpi, languages) = (dpi.to_string(), self.0.languages.join("+"));
        let arguments = [
            "stdin",
            "stdout",
            "-l",
            &languages,
            "--psm",
            segmentation,
            "--dpi",
            &dpi,
            "-c",
            "tessedit_create_tsv=1",
        ];
        let settings = TesseractSettings { page_time: time, ..self.0.settings.clone() };
        let said = run(&settings, &arguments.map(str::to_owned), png).await?;
        tsv::words(&said.output).ok_or_else(|| {
            tracing::debug!(complaint = said.stderr, "the answer of an OCR process is not TSV");
            OcrError::Failed("the answer is not TSV".into())
        })
    }
}

#[async_trait]
impl TextRecogniser for Tesseract {
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError> {
        let begun = Instant::now();
        let time = self.0.settings.page_time;
        let upright = self.read(&png, dpi, UPRIGHT, time).await?;
        let left = time.saturating_sub(begun.elapsed());
        if !self.0.detects_orientation
            || upright.len() < SOME_WORDS
            || confidence(&upright) >= UNSURE
            || left.is_zero()
        {
            return Ok(upright);
        }
        // The page may be rotated. The first result stays when the orientation cannot be detected.
        match self.read(&png, dpi, TURNED, left).await {
            Ok(turned) if confidence(&turned) > confidence(&upright) => Ok(turned),
            Ok(_) => Ok(upright),
            Err(error) => {
                tracing::debug!(%error, "the orientation of a page was not detected");
                Ok(upright)
            }
        }
    }

    fn identity(&self) -> String {
        let turns = if self.0.detects_orientation { " osd" } else { "" };
        format!("tesseract {} {}{turns}", self.0.version, self.0.languages.join("+"))
    }
}

/// Mean confidence of the words.
fn confidence(words: &[RecognisedWord]) -> f32 {
    let sum: f32 = words.iter().map(|word| word.confidence).sum();
    if words.is_empty() { 0.0 } else { sum / words.len() as f32 }
}
