//! A thumbnail of any file: a rendered page when the format supports it, else the embedded thumbnail, else a
//! sheet with the first blocks, else a card with format and name.

mod canvas;
mod card;
mod embedded_picture;
mod inline_markdown;
mod sheet;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{Document, ImageFormat, ParseError, RenderSize, Thumbnail, ThumbnailOptions};

use crate::render::{self, Raster};
use crate::sniff::kind_of;
use crate::{Limits, parse};

/// Maximum ratio of height to width; taller ones are cropped below.
const TALLEST: u32 = 4;

/// A thumbnail of `bytes`. It never fails: an unreadable file gets a [`card`].
#[must_use]
pub fn thumbnail(bytes: &[u8], name: &str, options: &ThumbnailOptions, limits: &Limits) -> Thumbnail {
    let kind = kind_of(bytes, name, limits);
    let shown = catch_unwind(AssertUnwindSafe(|| render_first(bytes, name, kind, options, limits)));
    match shown {
        Ok(Some((raster, page))) => encoded(raster, options.format, page),
        Ok(None) | Err(_) => card(kind, name, options),
    }
}

/// A card with the format (a content type) and the name of a file that cannot be rendered.
#[must_use]
pub fn card(kind: &str, name: &str, options: &ThumbnailOptions) -> Thumbnail {
    let drawn = encoded(card::render_card(kind, name, options.pixels()), options.format, 1);
    Thumbnail { is_card: true, ..drawn }
}

/// The first possible rendering of a file, and the page number.
fn render_first(
    bytes: &[u8],
    name: &str,
    kind: &str,
    options: &ThumbnailOptions,
    limits: &Limits,
) -> Option<(Raster, u32)> {
    let (width, page) = (options.pixels(), options.page.max(1));
    let size = RenderSize::Width(width);
    match render::page(bytes, name, page, size, limits) {
        Ok(raster) => return Some((raster, page)),
        Err(ParseError::NoPage { pages }) => {
            return render::page(bytes, name, pages, size, limits).ok().map(|raster| (raster, pages));
        }
        // The format has no pages that can be rendered.
        Err(ParseError::Unsupported(_)) => {}
        Err(_) => return None,
    }
    let (parsed, page) = if page == 1 { (None, 1) } else { parse_up_to_page(bytes, name, page, limits)? };
    if page == 1
        && let Some(raster) = embedded_picture::picture(bytes, kind, width, limits)
    {
        return Some((raster, 1));
    }
    let document = match parsed {
        Some(document) => document,
        None => parse(bytes, name, &first_page_limits(limits)).ok()?,
    };
    Some((sheet::render_sheet(&document, page, width)?, page))
}

/// Limits that suffice for a first page.
fn first_page_limits(limits: &Limits) -> Limits {
    Limits {
        text_bytes: limits.text_bytes.min(256 << 10),
        cells: limits.cells.min(20_000),
        inner_documents: limits.inner_documents.min(20),
        ..*limits
    }
}

/// The document, and the page number to render: `page`, or its last.
fn parse_up_to_page(bytes: &[u8], name: &str, page: u32, limits: &Limits) -> Option<(Option<Document>, u32)> {
    let document = parse(bytes, name, limits).ok()?;
    let last = document.pages.last().map_or(1, |last| last.number);
    Some((Some(document), page.min(last)))
}

fn encoded(mut raster: Raster, format: ImageFormat, page: u32) -> Thumbnail {
    let tallest = raster.width.saturating_mul(TALLEST);
    if raster.height > tallest {
        raster.height = tallest;
        raster.rgba.truncate(raster.width as usize * tallest as usize * 4);
    }
    let bytes = match format {
        ImageFormat::Png => raster.to_png(false),
        ImageFormat::WebP => raster.to_webp(),
    };
    // The size matches the pixels, so the encoder cannot fail.
    let (bytes, width, height) = (bytes.unwrap_or_default(), raster.width, raster.height);
    Thumbnail { bytes, width, height, format, page, is_card: false }
}
