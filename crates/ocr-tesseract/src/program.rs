//! The program: where it is, what it can, and how it is asked.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use documents_core::{OcrError, RecognisedWord, TextRecogniser};

use crate::process::run;
use crate::{languages, tsv};

/// Its name where it is searched for.
const NAME: &str = "tesseract";
/// Automatic segmentation of the page, without orientation.
const SEGMENTATION: &str = "3";

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
}

impl Tesseract {
    /// The program's place among the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        std::env::split_paths(search)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(NAME))
            .find(|program| is_executable(program))
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
        let said = if version.output.is_empty() { version.complaint } else { version.output };
        let version = said.lines().next().and_then(|line| line.strip_prefix("tesseract ")).map(str::trim);
        let version = version.filter(|version| !version.is_empty()).ok_or_else(|| FindError::Unusable {
            program: settings.program.clone(),
            reason: "it does not tell its version".to_owned(),
        })?;
        let listed = if listed.output.is_empty() { listed.complaint } else { listed.output };
        let languages = languages::chosen(&settings.languages, &languages::installed(&listed))?;
        let version = version.chars().take(64).collect();
        Ok(Self(Arc::new(Inner { version, languages, settings })))
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

#[async_trait]
impl TextRecogniser for Tesseract {
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError> {
        let dpi = dpi.to_string();
        let languages = self.0.languages.join("+");
        let arguments = [
            "stdin",
            "stdout",
            "-l",
            &languages,
            "--psm",
            SEGMENTATION,
            "--dpi",
            &dpi,
            "-c",
            "tessedit_create_tsv=1",
        ];
        let arguments = arguments.map(str::to_owned);
        let said = run(&self.0.settings, &arguments, &png).await?;
        tsv::words(&said.output).ok_or_else(|| {
            tracing::debug!(complaint = said.complaint, "a process for OCR gave an answer of another kind");
            OcrError::Failed("the answer is not TSV".into())
        })
    }

    fn identity(&self) -> String {
        format!("tesseract {} {}", self.0.version, self.0.languages.join("+"))
    }
}

fn is_executable(program: &Path) -> bool {
    std::fs::metadata(program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// An error with what it comes from.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
