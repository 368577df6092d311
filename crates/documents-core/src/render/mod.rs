//! Renders pages and images to pixels.
//!
//! Everything is bounded before it is decoded: the pixels and sides of images, and the repetitions of
//! references in drawings. The caller has to bound the time, since the author of a page decides what is
//! drawn: the server renders in a worker process.

mod exif;
pub(crate) mod fonts;
#[cfg(feature = "pdf")]
mod pdf;
mod picture;
mod raster;
mod svg;

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{ParseError, RenderSize};

use crate::Limits;
use crate::kind::unsupported;
use crate::sniff::kind_of;

pub(crate) use picture::{is_decoded_kind, parse_picture};
pub use raster::Raster;
pub(crate) use svg::draw_svg;

/// Maximum pixels of a rendered page or a decoded image.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Maximum pixels of one side, of rendered and of decoded images.
pub const MAX_SIDE: u32 = 30_000;

/// Renders page `number` (from 1) of a PDF, an image (one page) or an SVG drawing (one page), upright and on
/// white.
///
/// # Errors
/// [`ParseError::NoPage`] past the end, [`ParseError::Unsupported`] for other formats, and the errors of
/// [`crate::parse`] for unreadable files. Never panics.
pub fn page(
    bytes: &[u8],
    name: &str,
    number: u32,
    size: RenderSize,
    limits: &Limits,
) -> Result<Raster, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let guarded = catch_unwind(AssertUnwindSafe(|| match kind_of(bytes, name, limits) {
        #[cfg(feature = "pdf")]
        "application/pdf" => pdf::page(bytes, number, size),
        kind => {
            let render: fn(&[u8], &str, RenderSize, &Limits) -> Result<Raster, ParseError> = match kind {
                "image/svg+xml" => svg::drawing,
                kind if picture::is_decoded_kind(kind) => picture::picture,
                _ => return Err(unsupported(kind)),
            };
            if number != 1 { Err(ParseError::NoPage { pages: 1 }) } else { render(bytes, kind, size, limits) }
        }
    }));
    guarded.unwrap_or_else(|_| Err(ParseError::Damaged("it cannot be drawn".to_owned())))
}

/// The pixel size of a page of `width` by `height` (points, or pixels of an image), scaled by `scale`, and
/// reduced to the limits.
fn fitted(width: f64, height: f64, scale: f64) -> Result<(u32, u32), ParseError> {
    let side = f64::from(MAX_SIDE);
    let most = [scale, side / width, side / height, (MAX_PIXELS as f64 / (width * height)).sqrt()];
    let scale = most.into_iter().fold(f64::INFINITY, f64::min);
    if !(width.is_finite() && height.is_finite() && scale.is_finite() && width > 0.0 && height > 0.0) {
        return Err(ParseError::Damaged("its page has no size".to_owned()));
    }
    let pixels = |length: f64| (length * scale).round().clamp(1.0, side) as u32;
    Ok((pixels(width), pixels(height)))
}
