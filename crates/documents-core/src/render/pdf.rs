//! Renders pages of PDFs with hayro.

use document::ParseError;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use hayro_interpret::InterpreterSettings;
use hayro_syntax::page::Page;
use kurbo::Affine;

use super::raster::Raster;
use super::{RenderSize, fitted};

/// Renders page `number`, from 1.
pub(super) fn page(bytes: &[u8], number: u32, size: RenderSize) -> Result<Raster, ParseError> {
    let pdf = crate::pdf::open(bytes)?;
    let pages = pdf.pages();
    let index = (number as usize).checked_sub(1);
    match index.and_then(|index| pages.get(index)) {
        Some(page) => draw(page, size),
        None => Err(ParseError::NoPage { pages: u32::try_from(pages.len()).unwrap_or(u32::MAX) }),
    }
}

fn draw<'a>(page: &'a Page<'a>, size: RenderSize) -> Result<Raster, ParseError> {
    let (points_wide, points_high) = page.render_dimensions();
    let (points_wide, points_high) = (f64::from(points_wide).max(1.0), f64::from(points_high).max(1.0));
    let scale = match size {
        RenderSize::Width(pixels) => f64::from(pixels.max(1)) / points_wide,
        RenderSize::Dpi(dpi) => f64::from(dpi.max(1)) / 72.0,
        RenderSize::LongSide(pixels) => f64::from(pixels.max(1)) / points_wide.max(points_high),
    };
    let (width, height) = fitted(points_wide, points_high, scale)?;
    let upright = Affine::new(page.initial_transform(true).as_coeffs());
    let transform =
        Affine::scale_non_uniform(f64::from(width) / points_wide, f64::from(height) / points_high) * upright;
    // Both are within `MAX_SIDE`.
    let [narrow, low] = [width, height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let mut context = RenderContext::new(narrow, low);
    // Hinting costs time and changes the look of letters; small pages need none.
    let drawing = RenderSettings { hinting: false, ..RenderSettings::default() };
    render_into(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &drawing,
        &mut context,
        transform,
    );
    context.flush();
    let mut pixels = Pixmap::new(narrow, low);
    let on_white = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..Default::default() };
    context.render_with(&mut pixels, &mut Resources::default(), on_white);
    // On white nothing is transparent, so premultiplied alpha makes no difference.
    Ok(Raster { width, height, rgba: pixels.data_as_u8_slice().to_vec() })
}
