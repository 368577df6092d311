//! OCR: the port of text recognisers and its data.
//!
//! Recognised words pass through the same layout as the glyphs of a PDF ([`crate::parse_recognised`]);
//! [`Recognition`] combines parser, renderer and recogniser.

mod numbers;
mod recognition;

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Rect;

pub use numbers::PageNumbers;
pub use recognition::{OcrLimits, OpenSource, RecognisedDocument, Recognition};

/// Maximum words of a page; a full newspaper page has some 6,000. Protects memory.
pub const MAX_RECOGNISED_WORDS: usize = 20_000;
/// Maximum characters of a recognised word. Protects memory.
pub const MAX_WORD_CHARS: usize = 200;

/// A word read by OCR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecognisedWord {
    /// The characters as recognised.
    pub text: String,
    /// Its position, in pixels from the top left of the image.
    pub rect: Rect,
    /// Confidence of the recogniser, 0 to 100.
    pub confidence: f32,
    /// Number of its line, unique on the page. The words of a line are adjacent.
    pub line: u32,
}

/// OCR result of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecognisedPage {
    /// Page number, from 1.
    pub number: u32,
    /// Width of the image in pixels.
    pub width: u32,
    /// Height of the image in pixels.
    pub height: u32,
    /// Its words in reading order.
    pub words: Vec<RecognisedWord>,
}

/// Why an image was not recognised.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OcrError {
    /// The program is missing, or does not start.
    #[error("the program for OCR does not start")]
    Unavailable(#[source] shared_core::BoxError),
    /// The time limit in seconds has passed.
    #[error("OCR took longer than {0} seconds")]
    Timeout(u64),
    /// It exited without an answer, or with an invalid one.
    #[error("OCR gave no answer that can be understood")]
    Failed(#[source] shared_core::BoxError),
}

/// Recognises text in images.
#[async_trait]
pub trait TextRecogniser: fmt::Debug + Send + Sync + 'static {
    /// The words of an image: a grayscale PNG that was rendered with `dpi` pixels per inch. Dropping the
    /// future cancels the work.
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError>;

    /// Everything else that its results depend on, such as its version and languages. When it changes, pages
    /// are recognised again.
    fn identity(&self) -> String;
}
