//! Pages and pictures as pixels.
//!
//! Everything here is bounded before it is decoded: by the pixels of a picture, by its sides, and for
//! drawings by how much their references repeat. Time is bounded by whoever runs this, since a page is
//! drawn by what its author asks for: a server renders in a worker process.

mod exif;
pub(crate) mod fonts;
mod pdf;
mod picture;
mod raster;
mod svg;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::sniff::kind_of;
use crate::{Limits, ParseError};

pub(crate) use picture::{is_decoded_kind, parse_picture};
pub use raster::Raster;
pub(crate) use svg::draw_svg;

/// Pixels of a rendered page or a decoded picture at the most.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Pixels of one side at the most, of what is rendered and of what is decoded.
pub const MAX_SIDE: u32 = 30_000;

/// How large a page is rendered. What would be beyond [`MAX_PIXELS`] or [`MAX_SIDE`] is rendered as large as
/// these allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RenderSize {
    /// So many pixels wide; a picture is never enlarged.
    Width(u32),
    /// So many pixels per inch, a point being 1/72 inch. Pictures keep the pixels that they have.
    Dpi(u32),
}

/// Draws page `number` (from 1) of a PDF, a picture (one page) or an SVG drawing (one page), upright and on
/// white.
///
/// # Errors
/// [`ParseError::NoPage`] past the end, [`ParseError::Unsupported`] for other kinds of files, and what
/// [`crate::parse`] gives for files that cannot be read. Never panics.
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
        "application/pdf" => pdf::page(bytes, number, size),
        kind => {
            let render: fn(&[u8], &str, RenderSize, &Limits) -> Result<Raster, ParseError> = match kind {
                "image/svg+xml" => svg::drawing,
                kind if picture::is_decoded_kind(kind) => picture::picture,
                _ => return Err(ParseError::Unsupported(kind.to_owned())),
            };
            if number != 1 { Err(ParseError::NoPage { pages: 1 }) } else { render(bytes, kind, size, limits) }
        }
    }));
    guarded.unwrap_or_else(|_| Err(ParseError::Damaged("it cannot be drawn".to_owned())))
}

/// The pixels of a page of `width` by `height` (points, or pixels of a picture), `scale` times as large, or
/// smaller where that is too much.
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
