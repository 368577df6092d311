//! A small picture of any file.

use serde::{Deserialize, Serialize};

use crate::render::{self, Raster, RenderSize};
use crate::{Limits, ParseError, sniff};

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

/// What a thumbnail should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThumbnailOptions {
    /// Pixels of its width, 16 to 2,048; what is outside of these is moved to them.
    pub width: u32,
    /// Page, slide or sheet, from 1. Past the end, the last one is shown.
    pub page: u32,
    /// What it is written as.
    pub format: ImageFormat,
}

impl Default for ThumbnailOptions {
    fn default() -> Self {
        Self { width: 320, page: 1, format: ImageFormat::Png }
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
    /// The page that it shows: the one asked for, or the last one where there are fewer.
    pub page: u32,
}

impl std::fmt::Debug for Thumbnail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height, page) = (self.width, self.height, self.page);
        f.debug_struct("Thumbnail")
            .field("width", &width)
            .field("height", &height)
            .field("format", &self.format)
            .field("page", &page)
            .finish_non_exhaustive()
    }
}

/// A picture of `bytes`: of a page, or of a card with the file's kind and name where nothing can be shown.
#[must_use]
pub fn thumbnail(bytes: &[u8], name: &str, options: &ThumbnailOptions, limits: &Limits) -> Thumbnail {
    let width = options.width.clamp(16, 2_048);
    let mut page = options.page.max(1);
    let mut drawn = render::page(bytes, name, page, RenderSize::Width(width), limits);
    if let Err(ParseError::NoPage { pages }) = drawn {
        page = pages.max(1);
        drawn = render::page(bytes, name, page, RenderSize::Width(width), limits);
    }
    match drawn {
        Ok(raster) => encoded(&raster, options.format, page),
        Err(_) => card(sniff(bytes.get(..bytes.len().min(8_192)).unwrap_or_default(), name), name, options),
    }
}

/// A card for a file that cannot be shown.
#[must_use]
pub fn card(kind: &str, name: &str, options: &ThumbnailOptions) -> Thumbnail {
    let _ = (kind, name);
    let width = options.width.clamp(16, 2_048);
    let white = Raster { width, height: width, rgba: vec![255; (width * width * 4) as usize] };
    encoded(&white, options.format, 1)
}

fn encoded(raster: &Raster, format: ImageFormat, page: u32) -> Thumbnail {
    let bytes = match format {
        ImageFormat::Png => raster.to_png(false),
        ImageFormat::WebP => raster.to_webp(),
    };
    Thumbnail { bytes: bytes.unwrap_or_default(), width: raster.width, height: raster.height, format, page }
}
