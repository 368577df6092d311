//! The embedded thumbnail of a package.

use document::RenderSize;

use crate::container::Container;
use crate::kind;
use crate::package::Package;
use crate::render::{self, Raster, is_decoded_kind};
use crate::{Limits, sniff};

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
    let picture = embedded_thumbnail(bytes, limits)?;
    if !is_decoded_kind(sniff(picture.get(..picture.len().min(64))?, "")) {
        return None;
    }
    let raster = render::page(&picture, "", 1, RenderSize::Width(width), limits).ok()?;
    (raster.width.min(raster.height) >= SMALLEST.min(width) && shows_something(&raster)).then_some(raster)
}

/// The thumbnail of Open Packaging Conventions or of OpenDocument, or the cover of a book. It is not checked
/// whether it can be decoded.
fn embedded_thumbnail(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    let package = Package::new(Container::open(bytes, limits).ok()?, limits);
    let named = package.relations("").ok()?.into_values().find(|relation| relation.is_inner("thumbnail"));
    if let Some(relation) = named {
        return package.content(&relation.target).ok()?;
    }
    let own = package.content("Thumbnails/thumbnail.png").ok()?;
    own.or_else(|| cover(&package))
}

#[cfg(feature = "office")]
fn cover(package: &Package<'_>) -> Option<Vec<u8>> {
    crate::office::cover(package)
}

#[cfg(not(feature = "office"))]
fn cover(_: &Package<'_>) -> Option<Vec<u8>> {
    None
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
