//! What hayro draws, kept as glyphs with their place on the upright page.

use std::collections::HashMap;

use super::fallback_encoding::FallbackEncoding;
use super::marks::{Mark, Marks, UNKNOWN};
use super::tables::RuleCollector;
use hayro_cmap::{BfString, WritingMode};
use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};
use hayro_syntax::object::Dict;
use kurbo::{Affine, BezPath, Point, Vec2};

/// Characters that one glyph may stand for.
const MAX_MEANING: usize = 32;
/// Bytes of meanings that are too long after which a page's glyphs are left out: each costs its length.
const MAX_EXCESS: usize = 4 << 20;
/// Codes without a meaning that are kept to find one.
const MAX_UNKNOWN: usize = 2_000;
/// Units of a glyph's own space to one em.
const EM: f64 = 1000.0;
/// Degrees off a quarter turn that are taken for it.
const ASKEW: f64 = 5.0;
/// Part of a page that a scan covers, at least.
pub(super) const SCANNED: f64 = 0.5;
/// Weight of a bold font, at least.
const BOLD: u32 = 600;
/// The same character twice within this part of its size is one.
const DOUBLE: f64 = 0.1;

/// One glyph on the upright page, y downwards, in points.
#[derive(Clone, Debug)]
pub(super) struct PlacedGlyph {
    /// Its text; mostly one character.
    pub(super) text: String,
    /// Where its baseline begins.
    pub(super) origin: Point,
    /// Direction of its baseline in degrees clockwise: 0 right, 90 down, 180 left, 270 up.
    pub(super) angle: u16,
    /// Length of its advance.
    pub(super) advance: f64,
    /// Height of its em.
    pub(super) size: f64,
    /// Whether its font is bold.
    pub(super) bold: bool,
    /// Drawn in no colour, as under scanned pages.
    pub(super) invisible: bool,
    /// What it belongs to.
    pub(super) mark: Mark,
}

/// What glyphs drawn together have in common.
#[derive(Clone, Copy)]
struct Run {
    /// See [`is_stretched`].
    stretched: bool,
    /// Written from top to bottom.
    vertical: bool,
    bold: bool,
    invisible: bool,
}

/// A character in a cell of a grid that is as fine as its size asks.
type Place = (char, i32, i32, i32);

/// A device that draws nothing and remembers glyphs.
pub(super) struct GlyphCollector<'m> {
    size: (f32, f32),
    /// The meaning of codes without one.
    meaning: Option<&'m FallbackEncoding>,
    /// Codes without a meaning.
    unknown: Vec<u32>,
    /// Whether they stand for the character of their number.
    literal: bool,
    /// Bytes of meanings beyond what one glyph may stand for.
    excess: usize,
    room: usize,
    seen: usize,
    glyphs: Vec<PlacedGlyph>,
    /// Places that are taken, to leave out what is drawn twice to look bold or to cast a shadow.
    /// Each cell keeps the last two: narrow letters that follow themselves share one.
    taken_positions: HashMap<Place, [Point; 2]>,
    /// Straight lines, which tables are ruled with.
    rules: RuleCollector,
    /// Area of the page that pictures cover.
    picture_area: f64,
    /// What is around all of them.
    pictures: Option<kurbo::Rect>,
    marks: Marks,
    unreadable: usize,
    outlines: usize,
}

/// What a page shows beside text that can be read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageGraphics {
    /// Part of the page that pictures cover.
    pub(super) picture_share: f64,
    /// The smallest box around all pictures.
    pub(super) pictures: Option<kurbo::Rect>,
    /// Glyphs that stand for no character that is known.
    pub(super) unreadable: usize,
    /// Shapes that are filled: letters may be drawn as such.
    pub(super) outlines: usize,
}

impl<'m> GlyphCollector<'m> {
    pub(super) fn new(
        size: (f32, f32),
        room: usize,
        meaning: Option<&'m FallbackEncoding>,
        literal: bool,
    ) -> Self {
        Self {
            size,
            meaning,
            unknown: Vec::new(),
            literal,
            excess: 0,
            room,
            seen: 0,
            glyphs: Vec::new(),
            taken_positions: HashMap::new(),
            rules: RuleCollector::default(),
            picture_area: 0.0,
            pictures: None,
            marks: Marks::default(),
            unreadable: 0,
            outlines: 0,
        }
    }

    /// Glyphs that were drawn, kept or not.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Some of the codes that were drawn and have no meaning.
    pub(super) fn unknown(&self) -> &[u32] {
        &self.unknown
    }

    /// The glyphs in the order of drawing, the pieces of straight lines, and what else is shown.
    pub(super) fn finish(self) -> (Vec<PlacedGlyph>, Vec<(Point, Point)>, PageGraphics) {
        let page = f64::from(self.size.0) * f64::from(self.size.1);
        let shown = PageGraphics {
            picture_share: (self.picture_area / page).min(1.0),
            pictures: self.pictures,
            unreadable: self.unreadable,
            outlines: self.outlines,
        };
        (self.glyphs, self.rules.finish(), shown)
    }

    fn add(&mut self, glyph: &Glyph<'_>, transform: Affine, run: Run) {
        if self.excess > MAX_EXCESS {
            return;
        }
        let known = glyph.as_unicode();
        if let Some(BfString::String(long)) = &known {
            self.excess += long.len().saturating_sub(4 * MAX_MEANING);
        }
        if known.is_none() && self.unknown.len() < MAX_UNKNOWN {
            self.unknown.push(glyph.char_code());
        }
        let known = known.or_else(|| self.meaning.and_then(|meaning| meaning.text(glyph.char_code())));
        let known =
            known.or_else(|| self.literal.then(|| char::from_u32(glyph.char_code()))?.map(BfString::Char));
        let text = known.and_then(text_of);
        let is_replaced = self.marks.is_replaced();
        self.unreadable += usize::from(!is_replaced && text.as_deref().is_none_or(is_unreadable));
        let Some(text) = text.or_else(|| is_replaced.then(|| UNKNOWN.to_owned())) else { return };
        let given = match glyph {
            Glyph::Outline(outline) => outline.advance_width(),
            Glyph::Type3(type3) => type3.advance_width(),
        };
        let width = f64::from(given.unwrap_or(500.0));
        let mut origin = transform * Point::ZERO;
        let up = transform * Point::new(0.0, EM) - origin;
        let unit = transform * Point::new(EM, 0.0) - origin;
        let size = up.hypot();
        if !(size.is_finite() && origin.x.is_finite() && origin.y.is_finite()) || size < 0.1 {
            return;
        }
        let (right, bottom) = (f64::from(self.size.0), f64::from(self.size.1));
        if origin.x < -size || origin.y < -size || origin.x > right + size || origin.y > bottom + size {
            return;
        }
        if self.is_double(&text, origin, size) {
            return;
        }
        let mut angle = angle_of(unit);
        let mut advance = if run.stretched { width / EM * size } else { width / EM * unit.hypot() };
        if run.vertical {
            // The origin lies below and left of the glyph: back to its top, and to where a baseline that
            // runs down beside the middle of the column would be.
            origin += up * 0.88 + unit * (0.23 * size / unit.hypot().max(f64::MIN_POSITIVE));
            angle = (angle + 90) % 360;
            advance = size;
        }
        self.glyphs.push(PlacedGlyph {
            text,
            origin,
            angle,
            advance,
            size,
            bold: run.bold,
            invisible: run.invisible,
            mark: self.marks.mark(),
        });
    }

    /// Whether the same character was drawn here before, within a tenth of its size.
    fn is_double(&mut self, text: &str, origin: Point, size: f64) -> bool {
        let Some(first) = text.chars().next().filter(|c| !c.is_whitespace()) else { return false };
        let scale = size.log2().ceil();
        // Cells of twice the reach: at most two of them along each side hold what is near.
        let (reach, step) = (DOUBLE * size, 2.0 * DOUBLE * scale.exp2());
        let cell = |value: f64| (value / step) as i32;
        let place = |x: i32, y: i32| (first, scale as i32, x, y);
        let known = (cell(origin.x - reach)..=cell(origin.x + reach)).any(|x| {
            (cell(origin.y - reach)..=cell(origin.y + reach)).any(|y| {
                self.taken_positions.get(&place(x, y)).is_some_and(|taken| {
                    taken.iter().any(|other| other.distance_squared(origin) < reach * reach)
                })
            })
        });
        if !known {
            let taken =
                self.taken_positions.entry(place(cell(origin.x), cell(origin.y))).or_insert([origin; 2]);
            *taken = [origin, taken[0]];
        }
        known
    }
}

/// Whether a text is nothing but characters that mean nothing by themselves.
fn is_unreadable(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'))
}

/// Leaves out invisible glyphs. Over a picture that covers most of the page, of which `pictured` is the
/// part, they are what was read in it and stay; so they do where there is nothing else.
pub(super) fn visible(mut glyphs: Vec<PlacedGlyph>, pictured: f64) -> Vec<PlacedGlyph> {
    if pictured < SCANNED && glyphs.iter().any(|glyph| !glyph.invisible) {
        glyphs.retain(|glyph| !glyph.invisible);
    }
    glyphs
}

/// Whether the outlines of a substitute font were stretched one by one to the widths in the PDF. The
/// advance is such a width already, so the stretch must not be applied to it again. A horizontal scale
/// set by the page is the same for every glyph of a run; a stretch differs from glyph to glyph.
fn is_stretched(run: &GlyphRun<'_, '_>) -> bool {
    let ratio = |transform: Affine| {
        let [a, b, c, d, ..] = transform.as_coeffs();
        a.hypot(b) / c.hypot(d)
    };
    let mut ratios = run.glyphs().iter().map(|glyph| ratio(glyph.transform()));
    let Some(first) = ratios.next() else { return false };
    let mut rest = ratios.peekable();
    rest.peek().is_none() || rest.any(|ratio| (ratio - first).abs() > 0.005 * first)
}

/// Whether a glyph's font says that it is bold. Only fonts that are embedded tell.
fn is_bold(glyph: &Glyph<'_>) -> bool {
    let Glyph::Outline(outline) = glyph else { return false };
    outline.font_data().is_some_and(|font| {
        let named = font.postscript_name.is_some_and(|name| name.to_ascii_lowercase().contains("bold"));
        named || font.weight.is_some_and(|weight| weight >= BOLD)
    })
}

/// Direction of a baseline in whole degrees; what is off a quarter turn by little counts as that turn, so
/// that pages which were scanned askew stay whole.
fn angle_of(baseline: Vec2) -> u16 {
    let degrees = baseline.atan2().to_degrees();
    let quarter = (degrees / 90.0).round() * 90.0;
    let kept = if (degrees - quarter).abs() <= ASKEW { quarter } else { degrees.round() };
    // From -180 to 180, so it fits.
    kept.rem_euclid(360.0) as u16 % 360
}

/// A glyph's text, ligatures written out; `None` for control characters.
fn text_of(meaning: BfString) -> Option<String> {
    let mut text = String::new();
    match meaning {
        BfString::Char(c) => push(&mut text, c),
        BfString::String(s) => s.chars().take(MAX_MEANING).for_each(|c| push(&mut text, c)),
    }
    // Some maps give a point as a space and a point; what stands apart on the page is told by its place.
    let trimmed = text.trim();
    if !trimmed.is_empty() && trimmed.len() < text.len() {
        text = trimmed.to_owned();
    }
    (!text.is_empty()).then_some(text)
}

pub(super) fn push(text: &mut String, c: char) {
    match c {
        '\u{fb00}' => text.push_str("ff"),
        '\u{fb01}' => text.push_str("fi"),
        '\u{fb02}' => text.push_str("fl"),
        '\u{fb03}' => text.push_str("ffi"),
        '\u{fb04}' => text.push_str("ffl"),
        '\u{fb05}' | '\u{fb06}' => text.push_str("st"),
        '\u{a0}' | '\t' | '\n' | '\r' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => text.push(' '),
        '\u{ad}' => text.push('-'),
        c if c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}') => {}
        c => text.push(c),
    }
}

impl<'a> Device<'a> for GlyphCollector<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let kind = Run {
            stretched: is_stretched(run),
            vertical: run.writing_mode() == WritingMode::Vertical,
            bold: run.glyphs().first().is_some_and(|glyph| is_bold(glyph)),
            invisible: matches!(mode, DrawMode::Invisible),
        };
        for glyph in run.glyphs() {
            self.seen += 1;
            if self.glyphs.len() < self.room {
                self.add(glyph, props.transform * glyph.transform(), kind);
            }
        }
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.outlines += usize::from(matches!(mode, DrawMode::Fill(_)));
        self.rules.path(path, props.transform, mode);
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_clip_rect(&mut self, _: &kurbo::Rect) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let pixels = kurbo::Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let page = kurbo::Rect::new(0.0, 0.0, f64::from(self.size.0), f64::from(self.size.1));
        let seen = props.transform.transform_rect_bbox(pixels).intersect(page);
        if seen.area().is_finite() && seen.area() > 0.0 {
            self.picture_area += seen.area();
            self.pictures = Some(self.pictures.map_or(seen, |all| all.union(seen)));
        }
    }

    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        self.marks.begin(tag, properties, self.glyphs.len());
    }

    fn end_marked_content(&mut self) {
        if let Some(replacement) = self.marks.end() {
            let drawn = self.glyphs.split_off(replacement.from.min(self.glyphs.len()));
            self.glyphs.extend(replacement.of(drawn));
        }
    }

    fn draw_rect(&mut self, rect: &kurbo::Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.rules.rect(rect, props.transform, mode);
    }
}
