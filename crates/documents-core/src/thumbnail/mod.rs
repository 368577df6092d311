//! A small picture of any file: of a page where the format has pages that can be drawn, else the picture that
//! the file carries of itself, else a sheet with its first blocks, else a card with its kind and name.

mod canvas;
mod card;
mod embedded_picture;
mod sheet;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::render::{self, Raster, RenderSize};
use crate::sniff::kind_of;
use crate::{Document, Limits, ParseError, parse};

/// Pixels of a thumbnail's width at the least and at the most.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=2_048;
/// Heights of a thumbnail in widths at the most; what is taller is cut off below.
const TALLEST: u32 = 4;

/// What a picture is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// PNG.
    #[default]
    Png,
    /// WebP, without loss.
    WebP,
}

impl ImageFormat {
    /// Its content type.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }
}

/// What a thumbnail should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThumbnailOptions {
    /// Pixels of its width, 16 to 2,048; what is outside of these is moved to them. Pictures are not enlarged.
    pub width: u32,
    /// Page or slide, from 1. Past the end, the last one is shown.
    pub page: u32,
    /// What it is written as.
    pub format: ImageFormat,
}

impl Default for ThumbnailOptions {
    fn default() -> Self {
        Self { width: 320, page: 1, format: ImageFormat::Png }
    }
}

impl ThumbnailOptions {
    fn pixels(&self) -> u32 {
        self.width.clamp(*WIDTHS.start(), *WIDTHS.end())
    }
}

/// A small picture of a file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The file of the picture.
    pub bytes: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// What `bytes` are.
    pub format: ImageFormat,
    /// The page that it shows: the one that was asked for, or the last one of a file that has fewer. Of a file
    /// that cannot be read, 1.
    pub page: u32,
    /// Whether it is the card of a file of which nothing else can be shown.
    pub is_card: bool,
}

impl std::fmt::Debug for Thumbnail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height, page) = (self.width, self.height, self.page);
        f.debug_struct("Thumbnail")
            .field("width", &width)
            .field("height", &height)
            .field("format", &self.format)
            .field("page", &page)
            .field("is_card", &self.is_card)
            .finish_non_exhaustive()
    }
}

/// A picture of `bytes`, which there always is: that of a file that cannot be read is [`card`].
#[must_use]
pub fn thumbnail(bytes: &[u8], name: &str, options: &ThumbnailOptions, limits: &Limits) -> Thumbnail {
    let kind = kind_of(bytes, name, limits);
    let shown = catch_unwind(AssertUnwindSafe(|| render_first(bytes, name, kind, options, limits)));
    match shown {
        Ok(Some((raster, page))) => encoded(raster, options.format, page),
        Ok(None) | Err(_) => card(kind, name, options),
    }
}

/// A card with the kind (a content type) and the name of a file that cannot be shown.
#[must_use]
pub fn card(kind: &str, name: &str, options: &ThumbnailOptions) -> Thumbnail {
    let drawn = encoded(card::render_card(kind, name, options.pixels()), options.format, 1);
    Thumbnail { is_card: true, ..drawn }
}

/// What can be shown of a file, and the number of the page.
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
        // It is of a kind that has no pages to draw.
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

/// Bounds of what a first page may need.
fn first_page_limits(limits: &Limits) -> Limits {
    Limits {
        text_bytes: limits.text_bytes.min(256 << 10),
        cells: limits.cells.min(20_000),
        inner_documents: limits.inner_documents.min(20),
        ..*limits
    }
}

/// The document, and the number of the page that it can show: `page`, or its last.
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
    // The sides are those of the pixels, so there is nothing for an encoder to refuse.
    let (bytes, width, height) = (bytes.unwrap_or_default(), raster.width, raster.height);
    Thumbnail { bytes, width, height, format, page, is_card: false }
}
