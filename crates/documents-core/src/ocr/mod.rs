//! Pages that are pictures: the port of what reads them, and what it reads.
//!
//! Words that were recognised go through the same layout as the glyphs of a PDF ([`crate::parse_recognised`]);
//! [`Recognition`] brings parser, renderer and recogniser together.

mod numbers;
mod recognition;

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Rect;

pub use numbers::PageNumbers;
pub use recognition::{OcrLimits, OpenSource, RecognisedDocument, Recognition};

/// Words of a page that are taken; a full newspaper page has some 6,000.
pub const MAX_RECOGNISED_WORDS: usize = 20_000;
/// Characters of a recognised word that are taken.
pub const MAX_WORD_CHARS: usize = 200;

/// A word that was read in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecognisedWord {
    /// What it says.
    pub text: String,
    /// Where it is, in pixels from the top left of the picture.
    pub rect: Rect,
    /// How sure the recogniser is, 0 to 100.
    pub confidence: f32,
    /// The line that it stands on: words of one line follow each other, and have a number that no other line of
    /// the page has.
    pub line: u32,
}

/// What was read on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecognisedPage {
    /// From 1.
    pub number: u32,
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// Its words in the order of reading.
    pub words: Vec<RecognisedWord>,
}

/// Why a picture was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OcrError {
    /// There is no program, or it does not start.
    #[error("the program for OCR does not start")]
    Unavailable(#[source] shared_core::BoxError),
    /// It took too long.
    #[error("OCR took longer than {0} seconds")]
    Timeout(u64),
    /// It ended without an answer, or with one that cannot be understood.
    #[error("OCR gave no answer that can be understood")]
    Failed(#[source] shared_core::BoxError),
}

/// Reads text in pictures.
#[async_trait]
pub trait TextRecogniser: fmt::Debug + Send + Sync + 'static {
    /// The words of a picture, a PNG in shades of grey that was made with `dpi` pixels to the inch. Dropping the
    /// future stops the work.
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError>;

    /// What its answers depend on beside the picture, such as its version and languages: where it differs, pages
    /// are read anew.
    fn identity(&self) -> String;
}
