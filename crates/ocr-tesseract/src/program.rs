//! The program: where it is, what it can, and how it is asked.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use documents_core::{OcrError, RecognisedWord, TextRecogniser};
use programs::with_sources;

use crate::process::run;
use crate::{languages, tsv};

/// Its name where it is searched for.
const NAME: &str = "tesseract";
/// Automatic segmentation of the page, without orientation, and with it.
const UPRIGHT: &str = "3";
const TURNED: &str = "1";
/// Mean confidence below which a page may lie on its side: upright text is well above, turned text below.
const UNSURE: f32 = 70.0;
/// Words that tell that, at least.
const SOME_WORDS: usize = 5;

/// How the program is run.
#[derive(Clone, Debug)]
pub struct TesseractSettings {
    /// The program.
    pub program: PathBuf,
    /// Folder of the data of its languages; its own when `None`.
    pub data: Option<PathBuf>,
    /// Languages to read, such as `eng+deu`; see [`Tesseract::find`] when empty.
    pub languages: String,
    /// Time for a page, by the clock and of a processor.
    pub page_time: Duration,
    /// Bytes of address space of a process.
    pub memory_bytes: u64,
}

/// Why the program cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// It does not start, or gives no answer.
    #[error("{} cannot be used for OCR: {reason}", program.display())]
    Unusable {
        /// The program.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// A language that is set is not installed.
    #[error("tesseract has no data for the language '{language}'; it has {installed}")]
    NoLanguage {
        /// The language.
        language: String,
        /// What is installed.
        installed: String,
    },
    /// No language is installed.
    #[error("tesseract has no data for any language")]
    NoLanguages,
}

/// The program, asked and ready. Clones share it.
#[derive(Clone, Debug)]
pub struct Tesseract(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: TesseractSettings,
    version: String,
    languages: Vec<String>,
    /// Whether it has the data to tell how a page lies.
    detects_orientation: bool,
}

impl Tesseract {
    /// The program's place among the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        programs::find_program(search, &[NAME])
    }

    /// Asks the program for its version and languages. Where no languages are set, it reads all that are installed
    /// if they are three at the most, else English alone.
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
        // Old versions say it among their complaints.
        let said = if version.output.is_empty() { version.stderr } else { version.output };
        let version = said.lines().next().and_then(|line| line.strip_prefix("tesseract ")).map(str::trim);
        let version = version.filter(|version| !version.is_empty()).ok_or_else(|| FindError::Unusable {
            program: settings.program.clone(),
            reason: "it does not tell its version".to_owned(),
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

    /// The languages that it reads, the first one first.
    #[must_use]
    pub fn languages(&self) -> &[String] {
        &self.0.languages
    }

    /// Where it is.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.0.settings.program
    }
}

impl Tesseract {
    /// What it reads with one way of segmentation, in at most so much time.
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
            tracing::debug!(complaint = said.stderr, "a process for OCR gave an answer of another kind");
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
        // The page may lie on its side. What was read of it stays where that cannot be told.
        match self.read(&png, dpi, TURNED, left).await {
            Ok(turned) if confidence(&turned) > confidence(&upright) => Ok(turned),
            Ok(_) => Ok(upright),
            Err(error) => {
                tracing::debug!(%error, "how a page lies was not told");
                Ok(upright)
            }
        }
    }

    fn identity(&self) -> String {
        let turns = if self.0.detects_orientation { " osd" } else { "" };
        format!("tesseract {} {}{turns}", self.0.version, self.0.languages.join("+"))
    }
}

/// How sure it is on average.
fn confidence(words: &[RecognisedWord]) -> f32 {
    let sum: f32 = words.iter().map(|word| word.confidence).sum();
    if words.is_empty() { 0.0 } else { sum / words.len() as f32 }
}
