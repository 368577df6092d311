//! Renders SVG drawings with resvg and the bundled fonts. Nothing outside the drawing is loaded, neither
//! files nor URLs. Scripts are not run.

mod drawing_cost;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use document::ParseError;
use image::ExtendedColorType;
use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::roxmltree::{self, ParsingOptions};
use resvg::usvg::{ImageHrefResolver, ImageKind, Options, Tree};

use super::raster::Raster;
use super::{MAX_PIXELS, RenderSize, fitted, fonts, picture};
use crate::{Limits, sniff};

/// Maximum XML nodes of a drawing.
const NODES: u32 = 1_000_000;
/// Maximum bytes that the entities of a drawing add.
const ENTITY_BYTES: usize = 4 << 20;
/// Maximum side of embedded images in pixels; larger ones are scaled down.
const PICTURE_SIDE: u32 = 1_024;

/// Renders a drawing; its own units count as points.
pub(super) fn drawing(bytes: &[u8], _: &str, size: RenderSize, _: &Limits) -> Result<Raster, ParseError> {
    draw_svg(&crate::xml::text(bytes), size)
}

/// Renders the text of an SVG file.
pub(crate) fn draw_svg(text: &str, size: RenderSize) -> Result<Raster, ParseError> {
    let tree = tree(text)?;
    let (wide, high) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let scale = match size {
        RenderSize::Width(pixels) => f64::from(pixels.max(1)) / wide,
        RenderSize::Dpi(dpi) => f64::from(dpi.max(1)) / 72.0,
        RenderSize::LongSide(pixels) => f64::from(pixels.max(1)) / wide.max(high),
    };
    let (width, height) = fitted(wide, high, scale)?;
    let mut pixels = Pixmap::new(width, height).ok_or(ParseError::Limit("pixels"))?;
    pixels.fill(Color::WHITE);
    let transform =
        Transform::from_scale((f64::from(width) / wide) as f32, (f64::from(height) / high) as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    // On white nothing is transparent, so premultiplied alpha makes no difference.
    Ok(Raster { width, height, rgba: pixels.take() })
}

fn tree(text: &str) -> Result<Tree, ParseError> {
    if expands(text) {
        return Err(ParseError::Limit("entities"));
    }
    let parsing = ParsingOptions { allow_dtd: true, nodes_limit: NODES, ..ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(text, parsing)
        .map_err(|error| ParseError::Damaged(format!("the drawing cannot be read ({error})")))?;
    drawing_cost::check(&document)?;
    let left = AtomicU64::new(MAX_PIXELS);
    let options = Options {
        font_family: fonts::FAMILY.to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |_, data, _| inner_picture(&data, &left)),
            resolve_string: Box::new(|_, _| None),
        },
        fontdb: fonts::database(),
        ..Options::default()
    };
    Tree::from_xmltree(&document, &options)
        .map_err(|error| ParseError::Damaged(format!("the drawing cannot be read ({error})")))
}

/// Whether entities expand excessively: entities of entities, or many references to long ones. Drawing
/// programs declare short ones for namespace names.
fn expands(text: &str) -> bool {
    let Some(start) = text.find("<!DOCTYPE") else { return false };
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find("]>").or_else(|| rest.find('>')).unwrap_or(rest.len());
    let (declared, used) = rest.split_at(end);
    let nested = declared.split('&').skip(1).any(|after| !after.starts_with('#')) || declared.contains('%');
    let references = used.matches('&').count();
    nested || declared.len().saturating_mul(references) > ENTITY_BYTES
}

/// An embedded image with the limits of any image; all of them together may have as many pixels as one.
fn inner_picture(data: &[u8], left: &AtomicU64) -> Option<ImageKind> {
    let kind = sniff(data.get(..data.len().min(64))?, "");
    if left.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let mut image = picture::decoded(data, kind).ok()?;
    let pixels = u64::from(image.width()) * u64::from(image.height());
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(pixels))).ok()?;
    let longest = image.width().max(image.height());
    if longest > PICTURE_SIDE {
        let side = |side: u32| (u64::from(side) * u64::from(PICTURE_SIDE) / u64::from(longest)).max(1) as u32;
        image = image::imageops::thumbnail(&image, side(image.width()), side(image.height()));
    }
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::NoFilter)
        .write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgba8)
        .ok()?;
    Some(ImageKind::PNG(Arc::new(png)))
}
