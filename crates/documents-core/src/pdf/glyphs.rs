//! Collects what hayro draws as glyphs with their positions on the upright page.

use std::collections::HashMap;

use super::fallback_encoding::FallbackEncoding;
use super::marks::{Marks, UNKNOWN};
use super::placed_glyph::{PlacedGlyph, push};
use super::tables::RuleCollector;
use hayro_cmap::{BfString, WritingMode};
use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};
use hayro_syntax::object::Dict;
use kurbo::{Affine, BezPath, Point, Vec2};

/// Maximum characters of one glyph. Protects memory: a map may give a book to a code.
const MAX_MEANING: usize = 32;
/// Maximum bytes of overlong glyph texts; above, the page's glyphs are left out, since each costs its length.
/// Protects time.
const MAX_EXCESS: usize = 4 << 20;
/// Maximum codes without a meaning that are kept to find one. Protects memory.
const MAX_UNKNOWN: usize = 2_000;
/// Units of glyph space per em (ISO 32000-1, 9.2.4).
const EM: f64 = 1000.0;
/// Maximum deviation in degrees from a quarter turn that is treated as that turn.
/// Chosen by hand; no measurement recorded.
const ASKEW: f64 = 5.0;
/// Minimum part of a page that a scan covers. Chosen by hand; no measurement recorded.
pub(super) const SCANNED: f64 = 0.5;
/// Minimum weight of a bold font. 600 is semi-bold in OpenType (OS/2, usWeightClass).
const BOLD: u32 = 600;
/// The same character within this part of its size is a duplicate. The offsets of
/// `text_drawn_twice_to_look_bold_is_read_once` are up to .05. Chosen by hand; no measurement recorded.
const DOUBLE: f64 = 0.1;
/// From the origin of an upright glyph to the vertical baseline, in font sizes: up, as by default in ISO
/// 32000-1 (9.7.4.3, DW2), and right, so that `Word::top` and `Word::bottom`, .75 and .2, lie centred in the
/// em.
pub(super) const TO_TOP: f64 = 0.88;
pub(super) const TO_MIDDLE: f64 = 0.23;
/// Width of a glyph whose font states none, in units of glyph space: half an em.
/// Chosen by hand; no measurement recorded.
const DEFAULT_WIDTH: f32 = 500.0;
/// Minimum font size in points; smaller glyphs are dropped. Chosen by hand; no measurement recorded.
const MIN_SIZE: f64 = 0.1;
/// Horizontal scales of glyphs that differ by no more than this part are equal.
/// Chosen by hand; no measurement recorded.
const SAME_STRETCH: f64 = 0.005;

/// Common properties of glyphs that were drawn together.
#[derive(Clone, Copy)]
struct Run {
    /// See [`is_stretched`].
    stretched: bool,
    /// Written from top to bottom.
    vertical: bool,
    bold: bool,
    invisible: bool,
}

/// A character with the cell of a grid whose resolution follows the font size.
type Place = (char, i32, i32, i32);

/// A device that draws nothing and collects glyphs.
pub(super) struct GlyphCollector<'m> {
    size: (f32, f32),
    /// The meaning of codes without a map.
    meaning: Option<&'m FallbackEncoding>,
    /// Codes without a meaning.
    unknown: Vec<u32>,
    /// Whether such codes stand for the character with their number.
    literal: bool,
    /// Bytes of overlong glyph texts.
    excess: usize,
    room: usize,
    seen: usize,
    glyphs: Vec<PlacedGlyph>,
    /// Positions of drawn characters, to drop duplicates that are drawn for a bold look or a shadow. Each
    /// cell keeps the last two: repeated narrow letters share one.
    taken_positions: HashMap<Place, [Point; 2]>,
    /// Straight lines, which may be table rules.
    rules: RuleCollector,
    /// Area of the page that images cover.
    picture_area: f64,
    /// Bounding box of all images.
    pictures: Option<kurbo::Rect>,
    marks: Marks,
    unreadable: usize,
    outlines: usize,
}

/// Content of a page besides readable text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageGraphics {
    /// Part of the page that images cover.
    pub(super) picture_share: f64,
    /// The bounding box of all images.
    pub(super) pictures: Option<kurbo::Rect>,
    /// Glyphs without a known character.
    pub(super) unreadable: usize,
    /// Filled shapes: they may be letters.
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

    /// Number of glyphs that were drawn, kept or not.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// A sample of the drawn codes without a meaning.
    pub(super) fn unknown(&self) -> &[u32] {
        &self.unknown
    }

    /// The glyphs in drawing order, the pieces of straight lines, and the other content.
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
            // A character has at most four bytes.
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
        let width = f64::from(given.unwrap_or(DEFAULT_WIDTH));
        let mut origin = transform * Point::ZERO;
        let up = transform * Point::new(0.0, EM) - origin;
        let unit = transform * Point::new(EM, 0.0) - origin;
        let size = up.hypot();
        if !(size.is_finite() && origin.x.is_finite() && origin.y.is_finite()) || size < MIN_SIZE {
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
            // The origin is below and left of the glyph. It is moved to the top, and to a vertical baseline
            // left of the middle of the column.
            origin += up * TO_TOP + unit * (TO_MIDDLE * size / unit.hypot().max(f64::MIN_POSITIVE));
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
        // Cells of twice the reach: at most two of them along each side contain what is near.
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

/// Whether a text consists only of characters without a meaning.
fn is_unreadable(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'))
}

/// Removes invisible glyphs. Over an image that covers most of the page they are its OCR text and stay;
/// `pictured` is the part that images cover. They also stay when there are no others.
pub(super) fn visible(mut glyphs: Vec<PlacedGlyph>, pictured: f64) -> Vec<PlacedGlyph> {
    if pictured < SCANNED && glyphs.iter().any(|glyph| !glyph.invisible) {
        glyphs.retain(|glyph| !glyph.invisible);
    }
    glyphs
}

/// Whether the outlines of a substitute font were stretched individually to the widths in the PDF. The
/// advance has that width already, so the stretch must not be applied to it again. A horizontal scale set by
/// the page is the same for every glyph of a run; a stretch differs from glyph to glyph.
fn is_stretched(run: &GlyphRun<'_, '_>) -> bool {
    let ratio = |transform: Affine| {
        let [a, b, c, d, ..] = transform.as_coeffs();
        a.hypot(b) / c.hypot(d)
    };
    let mut ratios = run.glyphs().iter().map(|glyph| ratio(glyph.transform()));
    let Some(first) = ratios.next() else { return false };
    let mut rest = ratios.peekable();
    rest.peek().is_none() || rest.any(|ratio| (ratio - first).abs() > SAME_STRETCH * first)
}

/// Whether a glyph's font is bold. Only embedded fonts have this information.
fn is_bold(glyph: &Glyph<'_>) -> bool {
    let Glyph::Outline(outline) = glyph else { return false };
    outline.font_data().is_some_and(|font| {
        let named = font.postscript_name.is_some_and(|name| name.to_ascii_lowercase().contains("bold"));
        named || font.weight.is_some_and(|weight| weight >= BOLD)
    })
}

/// Direction of a baseline in whole degrees. A small deviation from a quarter turn is ignored, so that pages
/// scanned askew stay whole.
fn angle_of(baseline: Vec2) -> u16 {
    let degrees = baseline.atan2().to_degrees();
    let quarter = (degrees / 90.0).round() * 90.0;
    let kept = if (degrees - quarter).abs() <= ASKEW { quarter } else { degrees.round() };
    // From -180 to 180, so it fits.
    kept.rem_euclid(360.0) as u16 % 360
}

/// A glyph's text with ligatures expanded; `None` for control characters.
fn text_of(meaning: BfString) -> Option<String> {
    let mut text = String::new();
    match meaning {
        BfString::Char(c) => push(&mut text, c),
        BfString::String(s) => s.chars().take(MAX_MEANING).for_each(|c| push(&mut text, c)),
    }
    // Some maps define a full stop as a space and a full stop; real spaces follow from the positions.
    let trimmed = text.trim();
    if !trimmed.is_empty() && trimmed.len() < text.len() {
        text = trimmed.to_owned();
    }
    (!text.is_empty()).then_some(text)
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
