//! Marked content: the structure element of the text, and replacement text (ActualText) for glyphs whose font
//! does not define their characters. Source: ISO 32000-1, 14.6 and 14.9.4.

use hayro_syntax::object::{Dict, String as PdfString};

use super::baseline::{turn, turn_back};
use super::bidi::visual_order;
use super::metadata::text_string;
use super::placed_glyph::{Mark, PlacedGlyph, push};
use kurbo::Point;

/// Maximum nesting of marked content. Protects memory.
const MAX_DEPTH: usize = 64;
/// Maximum bytes of a replacement. Protects memory.
const MAX_TEXT: usize = 4_096;
/// Maximum replacement characters of a page for each of its glyphs. Protects memory.
const MAX_GROWTH: usize = 64;
/// Baselines further apart than this many font sizes belong to two lines.
/// Chosen by hand; no measurement recorded.
const SAME_LINE: f64 = 0.6;
/// Placeholder of a glyph without a meaning until its replacement is known.
pub(super) const UNKNOWN: &str = "\u{fffd}";

/// The stack of open marked content.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<OpenMark>,
    /// Open marked content beyond the maximum nesting.
    beyond: usize,
}

#[derive(Debug)]
struct OpenMark {
    mark: Mark,
    replacement: Option<Replacement>,
}

/// Replacement text for the glyphs of a page from an index on.
#[derive(Debug)]
pub(super) struct Replacement {
    text: String,
    pub(super) from: usize,
}

impl Marks {
    /// Opens marked content; `drawn` glyphs are on the page already.
    pub(super) fn begin(&mut self, tag: &[u8], properties: Option<&Dict<'_>>, drawn: usize) {
        if self.open.len() >= MAX_DEPTH {
            self.beyond += 1;
            return;
        }
        let number = properties.and_then(|properties| properties.get::<i32>("MCID"));
        let mark = match number.and_then(|number| u32::try_from(number).ok()) {
            Some(number) => Mark::Content(number),
            None if tag == b"Artifact" => Mark::Artifact,
            None => self.mark(),
        };
        let text =
            properties.filter(|_| !self.is_replaced()).and_then(|all| all.get::<PdfString<'_>>("ActualText"));
        let replacement = text
            .filter(|text| text.as_bytes().len() <= MAX_TEXT)
            .map(|text| Replacement { text: text_string(text.as_bytes()), from: drawn });
        self.open.push(OpenMark { mark, replacement });
    }

    /// Closes the innermost marked content; returns its replacement text.
    pub(super) fn end(&mut self) -> Option<Replacement> {
        if self.beyond > 0 {
            self.beyond -= 1;
            return None;
        }
        self.open.pop()?.replacement
    }

    /// The mark of what is drawn now.
    pub(super) fn mark(&self) -> Mark {
        self.open.last().map_or(Mark::None, |open| open.mark)
    }

    /// Whether what is drawn now has a replacement text.
    pub(super) fn is_replaced(&self) -> bool {
        self.open.iter().any(|open| open.replacement.is_some())
    }
}

impl Replacement {
    /// The text in place of `glyphs`, each character over an equal part of their width. Glyphs on several
    /// lines cannot be split like that and stay.
    pub(super) fn of(&self, mut glyphs: Vec<PlacedGlyph>) -> Vec<PlacedGlyph> {
        let Some(first) = glyphs.first().cloned() else { return glyphs };
        let places: Vec<(f64, f64)> = glyphs.iter().map(|glyph| turn(glyph.origin, first.angle)).collect();
        let (start, baseline) = places.first().copied().unwrap_or_default();
        let one_line = glyphs.iter().zip(&places).all(|(glyph, (_, y))| {
            glyph.angle == first.angle && (y - baseline).abs() < SAME_LINE * first.size.max(glyph.size)
        });
        let mut text = String::new();
        self.text.chars().for_each(|c| push(&mut text, c));
        if !one_line || text.chars().count() > MAX_GROWTH * glyphs.len() {
            glyphs.retain(|glyph| glyph.text != UNKNOWN);
            return glyphs;
        }
        let begin = places.iter().map(|(x, _)| *x).fold(start, f64::min);
        let end = glyphs.iter().zip(&places).map(|(glyph, (x, _))| x + glyph.advance).fold(begin, f64::max);
        let letters = visual_order(&text);
        let advance = (end - begin) / letters.len().max(1) as f64;
        let placed = |(place, letter): (usize, char)| {
            let (x, y) = turn_back(begin + advance * place as f64, baseline, first.angle);
            PlacedGlyph { text: letter.to_string(), origin: Point::new(x, y), advance, ..first.clone() }
        };
        letters.into_iter().enumerate().map(placed).collect()
    }
}
