//! Sizes and images of the renderer.

use serde::{Deserialize, Serialize};

/// Accepted widths of a thumbnail, in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 16..=2_048;

/// The size of a rendered page, reduced where needed to the limits of the renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RenderSize {
    /// Width in pixels; an image is never enlarged.
    Width(u32),
    /// Resolution in pixels per inch; a point is 1/72 inch. Images keep their pixels.
    Dpi(u32),
    /// Pixels of the longer side; an image is never enlarged.
    LongSide(u32),
}

/// The colours of a rendered page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PageColours {
    /// A grayscale PNG.
    #[default]
    Gray,
    /// A PNG or JPEG in colour where the page has colour that may mean something, such as a stamp or a highlighted line;
    /// else a grayscale PNG.
    WhereUsed,
}

/// Image format of a thumbnail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// PNG with 8 bits per channel.
    #[default]
    Png,
    /// Lossless WebP.
    WebP,
}

impl ImageFormat {
    /// The media type, such as `image/png`.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::WebP => "image/webp",
        }
    }
}

/// Size, page and image format of a thumbnail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThumbnailOptions {
    /// Width in pixels, clamped to 16 to 2,048. Images are not enlarged.
    pub width: u32,
    /// Page or slide, from 1. Past the end, the last one is used.
    pub page: u32,
    /// Image format.
    pub format: ImageFormat,
}

impl Default for ThumbnailOptions {
    fn default() -> Self {
        Self { width: 320, page: 1, format: ImageFormat::Png }
    }
}

impl ThumbnailOptions {
    /// The width within the accepted ones.
    #[must_use]
    pub fn pixels(&self) -> u32 {
        self.width.clamp(*WIDTHS.start(), *WIDTHS.end())
    }
}

/// A thumbnail of a file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The encoded image.
    pub bytes: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Format of `bytes`.
    pub format: ImageFormat,
    /// The page in the image: the requested one, or the last one of a file with fewer pages. For an
    /// unreadable file, 1.
    pub page: u32,
    /// Whether it is a card, because nothing else could be rendered.
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
