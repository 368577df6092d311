//! PDF: hayro provides the glyphs of each page; the layout analysis is our own.

mod baseline;
mod bidi;
mod bookmarks;
mod columns;
mod comb;
mod drawing_order;
mod embedded_files;
mod fallback_encoding;
mod fields;
mod figures;
mod glyphs;
mod layout;
mod lines;
mod links;
mod marks;
mod metadata;
mod meter;
mod page_layout;
mod page_rotation;
mod paragraphs;
mod placed_glyph;
mod raw;
mod reading_order;
mod recognised_words;
mod running_headers;
mod scan;
mod skew;
mod styles;
mod table_links;
mod tables;
mod tags;
mod vertical;
mod word;
mod words;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{Document, Format, PageNumbers, ParseError, RecognisedPage};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, RenderContent, interpret_page};
use hayro_syntax::object::Dict;
use hayro_syntax::page::Page;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use kurbo::{Affine, Point, Rect as KurboRect};

use crate::Limits;
use crate::builder::Builder;
use fallback_encoding::FallbackEncoding;
use fields::{Fields, MAX_ANNOTATIONS};
use glyphs::{GlyphCollector, PageGraphics};
use meter::{Meter, is_exhausted};
use page_layout::{LaidOutPage, TextSource};
use placed_glyph::PlacedGlyph;
use scan::{is_unreadable, needs_ocr};

/// Parses the structure of a PDF.
pub(crate) fn open(bytes: &[u8]) -> Result<Pdf, ParseError> {
    Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ParseError::Encrypted,
        LoadPdfError::Decryption(_) => ParseError::Damaged("its encryption is not valid".to_owned()),
        LoadPdfError::Invalid => ParseError::Damaged("it is not a PDF that can be read".to_owned()),
    })
}

/// The whole text in reading order, including hidden text; a form feed separates pages. Codes without a
/// meaning become the characters with their numbers, so that nothing is dropped.
pub(crate) fn raw_text(bytes: &[u8], limits: &Limits) -> Result<String, ParseError> {
    let pdf = open(bytes)?;
    let cache = InterpreterCache::new();
    let mut left = DrawBudget {
        glyphs: limits.glyphs,
        operations: limits.operations,
        annotations: MAX_ANNOTATIONS,
        literal: true,
    };
    let mut reader = raw::RawReader::new();
    let mut text = String::new();
    for (index, page) in pdf.pages().iter().enumerate().take(limits.pages) {
        if text.len() >= limits.text_bytes || left.glyphs == 0 || left.operations == 0 {
            break;
        }
        if index > 0 {
            text.push('\u{c}');
        }
        text.push_str(&reader.text(draw(&pdf, page, &cache, limits, &mut left).glyphs));
    }
    if text.trim().is_empty() { Err(ParseError::NoText) } else { Ok(text) }
}

/// Maximum lines of a document that are held until all its pages are known. Protects memory.
const MAX_LINES: usize = 1_000_000;

/// Parses the text layer of a PDF.
pub(crate) fn parse_pdf(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    parse_recognised(bytes, &[], limits)
}

/// Parses the text layer of a PDF, and adds the OCR results of some pages.
pub(crate) fn parse_recognised(
    bytes: &[u8],
    recognised: &[RecognisedPage],
    limits: &Limits,
) -> Result<Document, ParseError> {
    let pdf = open(bytes)?;
    let mut builder = Builder::new(Format::Pdf, limits);
    metadata::read(&pdf, &mut builder.document_mut().metadata);
    let structure = tags::read(&pdf).unwrap_or_default();
    let mut fields = Fields::default();
    let cache = InterpreterCache::new();
    let mut left = DrawBudget {
        glyphs: limits.glyphs,
        operations: limits.operations,
        annotations: MAX_ANNOTATIONS,
        literal: false,
    };
    let mut sheets: Vec<LaidOutPage> = Vec::new();
    let mut lines = 0;
    for (index, page) in pdf.pages().iter().enumerate() {
        if index >= limits.pages || left.glyphs == 0 || left.operations == 0 || lines > MAX_LINES {
            builder.truncate();
            break;
        }
        let drawn = draw(&pdf, page, &cache, limits, &mut left);
        if drawn.cut {
            builder.truncate();
        }
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let size = page.render_dimensions();
        let links = links::page_links(page, &drawn.annotations);
        let read = recognised.iter().find(|page| page.number == number);
        sheets.push(match read {
            Some(read) => {
                let layer = select_text_layer(drawn.glyphs, drawn.shown);
                LaidOutPage { links, ..recognised_words::sheet(read, size, &drawn.rules, layer) }
            }
            None => {
                let glyphs = glyphs::visible(drawn.glyphs, drawn.shown.picture_share);
                let tags = structure.of_page(number - 1, &glyphs);
                let mut flows = layout::lines_of(glyphs, &drawn.rules, tags);
                let source = if needs_ocr(size, &flows, drawn.shown) {
                    TextSource::InPicture
                } else {
                    TextSource::InLayer
                };
                if let Some(tags) = tags {
                    figures::place(tags, &mut flows, page);
                }
                LaidOutPage { number, size, source, flows, links, joined: false }
            }
        });
        fields.add(number, page, &drawn.annotations);
        lines += sheets.last().map_or(0, LaidOutPage::lines);
    }
    running_headers::remove_running_headers(&mut sheets);
    tables::join(&mut sheets, limits);
    bookmarks::mark(&pdf, &mut sheets);
    write::document(&mut builder, &sheets, limits);
    builder.document_mut().fields = fields.finish();
    embedded_files::append_invoices(&pdf, &mut builder, limits);
    let document = builder.finish();
    match (document.text.is_empty(), document.metadata.truncated) {
        (true, true) => Err(ParseError::Limit("drawing")),
        (true, false) => Err(without_text(&document)),
        (false, _) => Ok(document),
    }
}

/// Lays out the OCR result of an image of `size` points; `bare` is the document without it.
pub(crate) fn lay_out_picture(
    bare: Document,
    page: &RecognisedPage,
    size: (f32, f32),
    limits: &Limits,
) -> Document {
    let mut builder = Builder::new(bare.format, limits);
    builder.document_mut().metadata = bare.metadata;
    write::document(&mut builder, &[recognised_words::sheet(page, size, &[], Vec::new())], limits);
    builder.finish()
}

/// The page's own text layer, if it is usable: it is more reliable than OCR.
fn select_text_layer(glyphs: Vec<PlacedGlyph>, shown: PageGraphics) -> Vec<PlacedGlyph> {
    let letters = glyphs.iter().flat_map(|glyph| glyph.text.chars()).filter(|c| c.is_alphanumeric()).count();
    if is_unreadable(letters, shown) { Vec::new() } else { glyphs::visible(glyphs, shown.picture_share) }
}

/// Why a document has no text.
fn without_text(document: &Document) -> ParseError {
    let pages = document.pages_needing_ocr();
    if pages.is_empty() { ParseError::NoText } else { ParseError::NeedsOcr(PageNumbers(pages)) }
}

/// The remaining drawing operations of a document.
struct DrawBudget {
    glyphs: usize,
    operations: usize,
    annotations: usize,
    /// Whether codes without a meaning stand for the character with their number.
    literal: bool,
}

/// The result of drawing a page.
struct DrawnPage<'a> {
    glyphs: Vec<PlacedGlyph>,
    /// Pieces of straight lines.
    rules: Vec<(Point, Point)>,
    shown: PageGraphics,
    annotations: Vec<Dict<'a>>,
    /// Whether a limit ended it early.
    cut: bool,
}

/// Draws a page; a second time when a meaning is found for codes without a map.
fn draw<'a>(
    pdf: &'a Pdf,
    page: &'a Page<'a>,
    cache: &InterpreterCache<'a>,
    limits: &Limits,
    left: &mut DrawBudget,
) -> DrawnPage<'a> {
    let annotations = fields::annotations(page, &mut left.annotations);
    let (drawn, unknown) = draw_once(pdf, page, cache, limits, left, None);
    let mut drawn = match FallbackEncoding::of(page, &unknown) {
        Some(meaning) if !drawn.cut => draw_once(pdf, page, cache, limits, left, Some(&meaning)).0,
        _ => drawn,
    };
    vertical::turn_columns(&mut drawn.glyphs);
    drawn.annotations = annotations;
    drawn.glyphs.extend(fields::set_missing_appearances(page, &drawn.annotations));
    drawn
}

/// Draws a page and collects codes without a meaning. Damage of a page must not affect other pages, and what
/// was drawn before the damage is kept.
fn draw_once<'a>(
    pdf: &'a Pdf,
    page: &'a Page<'a>,
    cache: &InterpreterCache<'a>,
    limits: &Limits,
    left: &mut DrawBudget,
    meaning: Option<&FallbackEncoding>,
) -> (DrawnPage<'a>, Vec<u32>) {
    let size = page.render_dimensions();
    let room = left.glyphs.min(limits.page_glyphs);
    let mut operations = left.operations.min(limits.page_operations);
    let before = operations;
    let shown = if left.annotations > 0 { RenderContent::all() } else { RenderContent::PAGE };
    let settings = InterpreterSettings { render_content: shown, ..InterpreterSettings::default() };
    let mut collector = GlyphCollector::new(size, room, meaning, left.literal);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let transform = Affine::new(page.initial_transform(true).as_coeffs());
        let bounds = KurboRect::new(0.0, 0.0, f64::from(size.0), f64::from(size.1));
        let mut context = Context::new(transform, bounds, cache, pdf.xref(), settings);
        interpret_page(page, &mut context, &mut Meter::new(&mut collector, &mut operations));
    }));
    let seen = collector.seen();
    left.glyphs = left.glyphs.saturating_sub(seen);
    left.operations = left.operations.saturating_sub(before - operations);
    let exhausted = outcome.is_err_and(|payload| is_exhausted(payload.as_ref()));
    let unknown = collector.unknown().to_vec();
    let (glyphs, rules, shown) = collector.finish();
    (DrawnPage { glyphs, rules, shown, annotations: Vec::new(), cut: exhausted || seen > room }, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with one line in a font that is not embedded and whose letters are all 600 units wide.
    fn page_in_a_substituted_font(text: &str) -> Vec<u8> {
        let content = format!("BT /F 20 Tf 72 700 Td ({text}) Tj ET");
        let widths = "600 ".repeat(95);
        format!(
            "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
             2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
             3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R\
             /Resources<</Font<</F 5 0 R>>>>>> endobj\n\
             4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n\
             5 0 obj <</Type/Font/Subtype/TrueType/BaseFont/Unknown/Encoding/WinAnsiEncoding\
             /FirstChar 32/LastChar 126/Widths[{widths}]>> endobj\n\
             trailer <</Root 1 0 R/Size 6>>\n%%EOF\n",
            content.len()
        )
        .into_bytes()
    }

    #[test]
    fn words_in_a_substituted_font_are_not_cut_after_wide_letters() {
        let document = parse_pdf(&page_in_a_substituted_font("Wimmer mimt MMW"), &Limits::default());
        assert_eq!(
            document.map(|document| document.text.trim().to_owned()).ok().as_deref(),
            Some("Wimmer mimt MMW")
        );
    }
}
