//! SVG drawings, by resvg, with fonts that the program brings along. Nothing outside of the drawing is
//! looked at: neither files nor addresses.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb::Database};

use super::raster::Raster;
use super::{RenderSize, fitted};
use crate::{Limits, ParseError};

/// The fonts of drawings: DejaVu Sans, upright and bold, whatever a drawing asks for.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans::regular().to_vec());
        fonts.load_font_data(dejavu::sans::bold().to_vec());
        let family = "DejaVu Sans";
        fonts.set_serif_family(family);
        fonts.set_sans_serif_family(family);
        fonts.set_cursive_family(family);
        fonts.set_fantasy_family(family);
        fonts.set_monospace_family(family);
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// A drawing; its size in its own units counts as points.
pub(super) fn drawing(bytes: &[u8], _: &str, size: RenderSize, _: &Limits) -> Result<Raster, ParseError> {
    let text = crate::xml::text(bytes);
    drawn(&text, size)
}

/// Draws the text of an SVG file.
pub(crate) fn drawn(text: &str, size: RenderSize) -> Result<Raster, ParseError> {
    let resolver =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options {
        font_family: "DejaVu Sans".to_owned(),
        image_href_resolver: resolver,
        fontdb: fonts(),
        ..Options::default()
    };
    let tree = Tree::from_str(text, &options)
        .map_err(|error| ParseError::Damaged(format!("the drawing cannot be read ({error})")))?;
    let (wide, high) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let scale = match size {
        RenderSize::Width(pixels) => f64::from(pixels.max(1)) / wide,
        RenderSize::Dpi(dpi) => f64::from(dpi.max(1)) / 72.0,
    };
    let (width, height) = fitted(wide, high, scale);
    let mut pixels = Pixmap::new(width, height).ok_or(ParseError::Limit("pixels"))?;
    pixels.fill(Color::WHITE);
    let transform =
        Transform::from_scale((f64::from(width) / wide) as f32, (f64::from(height) / high) as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    // On white nothing is transparent, so premultiplied is the same.
    Ok(Raster { width, height, rgba: pixels.take() })
}
