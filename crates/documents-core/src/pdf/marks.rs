//! Marked content: the element of the structure that text belongs to, and the text that stands for what is
//! drawn where the letters of its font do not say it.
//! Source: ISO 32000-1, 14.6 and 14.9.4.

use hayro_syntax::object::{Dict, String as PdfString};

use super::glyphs::{PlacedGlyph, push};
use super::metadata::text_string;
use super::words::{is_rtl, turn, turn_back};
use kurbo::Point;

/// Marked content within each other that is followed.
const MAX_DEPTH: usize = 64;
/// Bytes of a replacement that are kept.
const MAX_TEXT: usize = 4_096;
/// Characters that a page may bring that way for each glyph, at the most.
const MAX_GROWTH: usize = 64;
/// Baselines further apart than this many sizes are not of one line.
const SAME_LINE: f64 = 0.6;
/// Stands for a glyph that means nothing until its replacement is known.
pub(super) const UNKNOWN: &str = "\u{fffd}";

/// What drawn text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// Nothing that is known.
    #[default]
    None,
    /// The content of the page with this number.
    Content(u32),
    /// What is no content: running headers, ornaments.
    Artifact,
}

/// The marked content that is open.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<OpenMark>,
    /// Marked content that is open beyond the depth that is followed.
    beyond: usize,
}

#[derive(Debug)]
struct OpenMark {
    mark: Mark,
    replacement: Option<Replacement>,
}

/// A text that stands for the glyphs of a page from one on.
#[derive(Debug)]
pub(super) struct Replacement {
    text: String,
    pub(super) from: usize,
}

impl Marks {
    /// Opens marked content, `drawn` glyphs being on the page already.
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

    /// Closes what was opened last; gives the text that stands for what was drawn since.
    pub(super) fn end(&mut self) -> Option<Replacement> {
        if self.beyond > 0 {
            self.beyond -= 1;
            return None;
        }
        self.open.pop()?.replacement
    }

    /// What is drawn now belongs to this.
    pub(super) fn mark(&self) -> Mark {
        self.open.last().map_or(Mark::None, |open| open.mark)
    }

    /// Whether a text stands for what is drawn now.
    pub(super) fn is_replaced(&self) -> bool {
        self.open.iter().any(|open| open.replacement.is_some())
    }
}

impl Replacement {
    /// The text in the place of `glyphs`, each character over an equal part of it. What runs over several
    /// lines cannot be parted so, and stays as it is drawn.
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

/// The letters from left to right: those of scripts that run from right to left are turned round, but for
/// numbers and Latin letters within.
fn visual_order(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    if is_rtl(text) {
        letters.reverse();
        letters
            .chunk_by_mut(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
            .for_each(<[char]>::reverse);
    }
    letters
}
