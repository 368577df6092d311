//! The embedded thumbnail of a package.

use document::RenderSize;

use crate::render::{self, Raster, is_decoded_kind};
use crate::sniff::kind;
use crate::{Limits, office, sniff};

/// Content types of packages that may have one.
const PACKAGES: &[&str] =
    &[kind::DOCX, kind::PPTX, kind::XLSX, kind::XLSB, kind::ODT, kind::ODS, kind::ODP, kind::EPUB];
/// Minimum pixels of the shorter side.
const SMALLEST: u32 = 48;
/// Maximum pixels of one colour, per thousand. Templates have thumbnails of empty pages.
const EMPTY: usize = 990;

/// The embedded thumbnail, if there is one that is not blank.
pub(super) fn picture(bytes: &[u8], kind: &str, width: u32, limits: &Limits) -> Option<Raster> {
    if !PACKAGES.contains(&kind) {
        return None;
    }
    let picture = office::embedded_thumbnail(bytes, limits)?;
    if !is_decoded_kind(sniff(picture.get(..picture.len().min(64))?, "")) {
        return None;
    }
    let raster = render::page(&picture, "", 1, RenderSize::Width(width), limits).ok()?;
    (raster.width.min(raster.height) >= SMALLEST.min(width) && shows_something(&raster)).then_some(raster)
}

/// Whether it is not mostly of one colour, roughly.
fn shows_something(raster: &Raster) -> bool {
    let mut colors = [0_usize; 512];
    for pixel in raster.rgba.chunks_exact(4) {
        let color = pixel.iter().take(3).fold(0, |color, channel| color << 3 | usize::from(channel >> 5));
        if let Some(count) = colors.get_mut(color) {
            *count += 1;
        }
    }
    let most = colors.iter().max().copied().unwrap_or_default();
    most * 1_000 < raster.rgba.len() / 4 * EMPTY
}
