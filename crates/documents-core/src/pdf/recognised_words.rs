//! Converts words from OCR to glyphs for the layout.
//!
//! A recogniser returns boxes around the ink of words; the layout needs baselines and font sizes. Both are
//! estimated for each line from the letters with ascenders and descenders. Rotated pages are turned and
//! skewed scans straightened first; the positions in the document are converted back.

use document::{MAX_RECOGNISED_WORDS, MAX_WORD_CHARS, RecognisedPage, RecognisedWord, Rect};
use kurbo::Point;

use super::layout::lines_of;
use super::page_layout::{LaidOutPage, TextSource};
use super::page_rotation::PageRotation;
use super::placed_glyph::{Mark, PlacedGlyph};
use super::skew::Skew;

/// Minimum confidence of a word; below are specks and drawings. In percent; the speck of
/// `specks_drawings_and_nonsense_are_no_text` has 12. Chosen by hand; no measurement recorded.
const MIN_CONFIDENCE: f32 = 30.0;
/// Minimum mean confidence of a line of text. Chosen by hand; no measurement recorded.
const MIN_LINE_CONFIDENCE: f32 = 45.0;
/// Minimum part of a line's characters that are letters or digits. Chosen by hand; no measurement recorded.
const MIN_LETTERS: f64 = 0.3;
/// Ascent, x-height and descent in font sizes: those of Helvetica, .718, .523 and .207 (Adobe, Core 14 AFM).
const ASCENT: f64 = 0.72;
const X_HEIGHT: f64 = 0.52;
const DESCENT: f64 = 0.21;
/// Font sizes of lines that differ by less than this part are equal: the estimates are no better.
/// Chosen by hand; no measurement recorded.
const SAME_SIZE: f64 = 0.18;
/// Minimum slope of lines for straightening a page, and maximum slope of a skewed scan. A slope of .0005 is
/// .3 points over a page, one of .1 about 6 degrees. Chosen by hand; no measurement recorded.
const MIN_SLOPE: f64 = 0.000_5;
const MAX_SLOPE: f64 = 0.1;
/// Minimum words of a line for estimating the slope. At least three such lines are needed.
/// Chosen by hand; no measurement recorded.
const MIN_WORDS: usize = 4;
/// Tolerance of a word's box beyond the page, and minimum side of a box, in points.
/// Chosen by hand; no measurement recorded.
const BEYOND: f64 = 1.0;
const MIN_SIDE: f64 = 0.1;

/// A page of `size` points with its OCR words and the text of its own `layer`. OCR words at the position of
/// the layer's text are dropped. `rules` are the pieces of straight lines on the page.
pub(super) fn sheet(
    page: &RecognisedPage,
    size: (f32, f32),
    rules: &[(Point, Point)],
    layer: Vec<PlacedGlyph>,
) -> LaidOutPage {
    let (mut glyphs, skew) = glyphs(page, size, &layer);
    // The layer of a rotated page was recognised with the rest.
    if skew.turn.is_none() {
        glyphs.extend(layer.into_iter().map(|glyph| {
            let origin = Point::new(glyph.origin.x, skew.straighten(glyph.origin.x, glyph.origin.y));
            PlacedGlyph { origin, ..glyph }
        }));
    }
    let turned: Vec<(Point, Point)> =
        rules.iter().map(|(from, to)| (skew.turn.point(*from), skew.turn.point(*to))).collect();
    LaidOutPage {
        number: page.number,
        size,
        source: TextSource::Recognised(skew),
        flows: lines_of(glyphs, &turned, None),
        links: Vec::new(),
        joined: false,
    }
}

/// The words of a page of `size` points as glyphs, one for each word; and the skew of the page.
fn glyphs(page: &RecognisedPage, size: (f32, f32), layer: &[PlacedGlyph]) -> (Vec<PlacedGlyph>, Skew) {
    let scale =
        (f64::from(size.0) / f64::from(page.width.max(1)), f64::from(size.1) / f64::from(page.height.max(1)));
    let told = page.words.iter().take(MAX_RECOGNISED_WORDS);
    let turn = PageRotation::of(page.words.get(..told.len()).unwrap_or_default(), size);
    let seen = told.filter_map(|word| ScaledWord::of(word, scale, turn));
    let words: Vec<ScaledWord<'_>> = seen.filter(|word| !turn.is_none() || !word.is_covered(layer)).collect();
    let lines: Vec<&[ScaledWord<'_>]> =
        words.chunk_by(|a, b| a.line == b.line).filter(|line| is_text(line)).collect();
    let skew = Skew { turn, slope: slope(&lines), middle: turn.upright().0 / 2.0 };
    let sizes = sizes(&lines);
    let mut glyphs = Vec::with_capacity(2 * words.len());
    for (line, size) in lines.into_iter().zip(sizes) {
        let baseline = median(line.iter().map(|word| skew.straighten(word.middle(), word.baseline(size))));
        for (index, word) in line.iter().enumerate() {
            if index > 0 {
                // Words stay separate, however near they are.
                let space = line.get(index - 1).map_or(word.x0, |before| before.x1);
                glyphs.push(glyph(" ", space, baseline, (word.x0 - space).max(0.0), size));
            }
            glyphs.push(glyph(word.text, word.x0, baseline, word.x1 - word.x0, size));
        }
    }
    (glyphs, skew)
}

fn glyph(text: &str, x: f64, y: f64, advance: f64, size: f64) -> PlacedGlyph {
    let origin = Point::new(x, y);
    PlacedGlyph {
        text: text.to_owned(),
        origin,
        angle: 0,
        advance,
        size,
        bold: false,
        invisible: false,
        mark: Mark::None,
    }
}

/// A word in points.
struct ScaledWord<'w> {
    text: &'w str,
    line: u32,
    confidence: f32,
    x0: f64,
    x1: f64,
    top: f64,
    bottom: f64,
    /// Whether a letter has an ascender, and one a descender.
    rises: bool,
    descends: bool,
}

impl<'w> ScaledWord<'w> {
    fn of(word: &'w RecognisedWord, (across, down): (f64, f64), turn: PageRotation) -> Option<Self> {
        let text = word.text.trim();
        let Rect { x0, y0, x1, y1 } = word.rect;
        let on_page = Rect { x0: x0 * across, y0: y0 * down, x1: x1 * across, y1: y1 * down };
        let Rect { x0, y0: top, x1, y1: bottom } = turn.rect(on_page);
        let (width, height) = turn.upright();
        let inside = x0 >= -BEYOND
            && top >= -BEYOND
            && x1 <= width + BEYOND
            && bottom <= height + BEYOND
            && x1 - x0 >= MIN_SIDE
            && bottom - top >= MIN_SIDE;
        let readable = !text.is_empty()
            && text.chars().count() <= MAX_WORD_CHARS
            && !text.chars().any(|c| c.is_control() || c == '\u{fffd}');
        let sure = word.confidence >= MIN_CONFIDENCE;
        // Comparisons with NaN are false.
        (inside && readable && sure).then(|| Self {
            text,
            line: word.line,
            confidence: word.confidence,
            x0,
            x1,
            top,
            bottom,
            rises: text.chars().any(rises),
            descends: text.chars().any(descends),
        })
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.x0, self.x1)
    }

    /// The font size by its height.
    fn size(&self) -> f64 {
        let above = if self.rises { ASCENT } else { X_HEIGHT };
        (self.bottom - self.top) / if self.descends { above + DESCENT } else { above }
    }

    fn baseline(&self, size: f64) -> f64 {
        if self.descends { self.bottom - DESCENT * size } else { self.bottom }
    }

    /// Whether glyphs of the layer cover most of its width.
    fn is_covered(&self, layer: &[PlacedGlyph]) -> bool {
        let middle = f64::midpoint(self.top, self.bottom);
        let on_line = |glyph: &&PlacedGlyph| {
            let (top, bottom) = (glyph.origin.y - ASCENT * glyph.size, glyph.origin.y + DESCENT * glyph.size);
            glyph.angle == 0 && (top..=bottom).contains(&middle) && !glyph.text.trim().is_empty()
        };
        let widths = layer.iter().filter(on_line).map(|glyph| {
            let (left, right) = (glyph.origin.x, glyph.origin.x + glyph.advance);
            (right.min(self.x1) - left.max(self.x0)).max(0.0)
        });
        widths.sum::<f64>() * 2.0 >= self.x1 - self.x0
    }

    fn letters(&self) -> usize {
        self.text.chars().filter(|c| c.is_alphanumeric()).count()
    }
}

fn rises(c: char) -> bool {
    c.is_uppercase()
        || c.is_ascii_digit()
        || "bdfhklt!?|/\\()[]{}&$€£%@\"'".contains(c)
        || !c.is_ascii() && c.is_alphabetic()
}

fn descends(c: char) -> bool {
    "gjpqyQ,;|/()[]{}@$".contains(c) || c == 'ç'
}

/// Whether a line is text rather than specks or a drawing.
fn is_text(line: &[ScaledWord<'_>]) -> bool {
    let characters: usize = line.iter().map(|word| word.text.chars().count()).sum();
    let letters: usize = line.iter().map(ScaledWord::letters).sum();
    let sum: f32 = line.iter().map(|word| word.confidence).sum();
    letters > 0
        && letters as f64 >= MIN_LETTERS * characters as f64
        && sum / line.len().max(1) as f32 >= MIN_LINE_CONFIDENCE
}

/// The slope of a page's lines, from words with letters on the baseline.
fn slope(lines: &[&[ScaledWord<'_>]]) -> f64 {
    let mut slopes: Vec<(f64, f64)> = Vec::new();
    for line in lines {
        let points: Vec<(f64, f64)> = line
            .iter()
            .filter(|word| !word.descends && word.letters() > 1)
            .map(|word| (word.middle(), word.bottom))
            .collect();
        let count = points.len() as f64;
        let (x, y) =
            points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
        let (both, along) = points.iter().fold((0.0, 0.0), |sum, point| {
            (sum.0 + (point.0 - x) * (point.1 - y), sum.1 + (point.0 - x).powi(2))
        });
        if points.len() >= MIN_WORDS && along > 0.0 {
            slopes.push((both / along, count));
        }
    }
    let slope = median(slopes.iter().map(|(slope, _)| *slope));
    if (MIN_SLOPE..MAX_SLOPE).contains(&slope.abs()) && slopes.len() > 2 { slope } else { 0.0 }
}

/// The font size of each line; similar sizes are made equal.
fn sizes(lines: &[&[ScaledWord<'_>]]) -> Vec<f64> {
    let own: Vec<f64> = lines
        .iter()
        .map(|line| median(line.iter().filter(|word| word.letters() > 0).map(ScaledWord::size)))
        .collect();
    let letters = |line: &&[ScaledWord<'_>]| line.iter().map(ScaledWord::letters).sum::<usize>();
    let mut order: Vec<(f64, usize)> = own.iter().copied().zip(lines.iter().map(letters)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: usize = order.iter().map(|(_, letters)| letters).sum();
    let mut passed = 0;
    let body = order.iter().find(|(_, letters)| {
        passed += letters;
        passed * 2 > total
    });
    let body = body.map_or(0.0, |(size, _)| *size);
    // From the most common size outwards, so that it collects its own lines first.
    let mut steps: Vec<f64> = vec![body];
    own.into_iter()
        .map(|size| {
            let near = |step: &&f64| (size - **step).abs() <= SAME_SIZE * **step;
            match steps.iter().find(near) {
                Some(step) => *step,
                None => {
                    steps.push(size);
                    size
                }
            }
        })
        .collect()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
