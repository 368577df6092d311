//! PDF: the glyphs of each page come from hayro; the layout is our own.

mod glyphs;
mod layout;
mod lines;
mod words;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use kurbo::{Affine, Rect as KurboRect};

use crate::builder::Builder;
use crate::model::{Document, Format};
use crate::{Limits, ParseError};
use glyphs::GlyphCollector;

/// Reads the text layer of a PDF.
pub(crate) fn parse_pdf(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ParseError::Encrypted,
        LoadPdfError::Decryption(_) => ParseError::Damaged("its encryption is not valid".to_owned()),
        LoadPdfError::Invalid => ParseError::Damaged("it is not a PDF that can be read".to_owned()),
    })?;
    let mut builder = Builder::new(Format::Pdf, limits);
    set_metadata(&pdf, &mut builder);
    let cache = InterpreterCache::new();
    let mut glyphs_left = limits.glyphs;
    for (index, page) in pdf.pages().iter().enumerate() {
        if index >= limits.pages || builder.is_full() || glyphs_left == 0 {
            builder.truncate();
            break;
        }
        let size = page.render_dimensions();
        let mut collector = GlyphCollector::new(size, glyphs_left);
        // One page's damage must not take the others with it.
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            let transform = Affine::new(page.initial_transform(true).as_coeffs());
            let bounds = KurboRect::new(0.0, 0.0, f64::from(size.0), f64::from(size.1));
            let mut context =
                Context::new(transform, bounds, &cache, pdf.xref(), InterpreterSettings::default());
            interpret_page(page, &mut context, &mut collector);
        }));
        glyphs_left = glyphs_left.saturating_sub(collector.seen());
        let glyphs = if drawn.is_ok() { collector.finish() } else { Vec::new() };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        write::page(&mut builder, number, size, layout::lines_of(glyphs));
    }
    let document = builder.finish();
    if document.text.is_empty() { Err(ParseError::NoText) } else { Ok(document) }
}

fn set_metadata(pdf: &Pdf, builder: &mut Builder) {
    let text =
        |bytes: &Option<Box<[u8]>>| bytes.as_deref().map(pdf_string).filter(|text| !text.trim().is_empty());
    let found = pdf.metadata();
    let metadata = &mut builder.document_mut().metadata;
    metadata.title = text(&found.title);
    metadata.author = text(&found.author);
}

/// A text string: UTF-16 or UTF-8 by its mark, else Latin-1, which PDFDocEncoding mostly is.
fn pdf_string(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0xEF, 0xBB, 0xBF, ..] => {
            crate::encoding::decode(bytes, None).into_owned()
        }
        _ => bytes.iter().copied().map(char::from).collect(),
    };
    text.replace('\0', "").chars().take(1_000).collect()
}
