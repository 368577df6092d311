//! Pictures: documents of one page that only OCR can read.

use crate::builder::Builder;
use crate::model::{Document, Format};
use crate::{Limits, PageNumbers, ParseError, RecognisedPage, pdf, render};

/// The longer side of a picture's page in points, that of A4: pictures do not tell how large they would be on
/// paper.
const LONGER_SIDE: f64 = 842.0;

/// Why a picture has no text by itself.
pub(crate) fn refused(bytes: &[u8], kind: &str) -> ParseError {
    match render::dimensions(bytes, kind) {
        Ok(_) => ParseError::NeedsOcr(PageNumbers(vec![1])),
        Err(error) => error,
    }
}

/// What OCR read on a picture.
pub(crate) fn parse_recognised(
    bytes: &[u8],
    kind: &str,
    read: &RecognisedPage,
    limits: &Limits,
) -> Result<Document, ParseError> {
    let (width, height) = render::dimensions(bytes, kind)?;
    let scale = LONGER_SIDE / f64::from(width.max(height).max(1));
    let size = ((f64::from(width) * scale) as f32, (f64::from(height) * scale) as f32);
    let mut builder = Builder::new(Format::Image, limits);
    builder.document_mut().metadata.page_count = Some(1);
    Ok(pdf::picture(builder, read, size, limits))
}
