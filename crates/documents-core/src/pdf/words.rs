//! Groups glyphs into words, along the direction of their baseline.
//!
//! `cargo xtask bench pdf` measures the words that result (F1 against `pdftotext`); no measurement of a
//! single threshold is recorded.

use super::baseline::turn;
use super::bidi::is_rtl;
use super::comb;
use super::placed_glyph::PlacedGlyph;
use super::tags::{PageTags, Role, Tag};
use super::word::Word;

/// A gap wider than this part of the font size begins a new word. A word space is .25 in Times and .278 in
/// Helvetica. Chosen by hand.
const WORD_GAP: f64 = 0.12;
/// A step back further than this part of the font size begins a new word. Chosen by hand.
const STEP_BACK: f64 = 0.5;
/// Baselines further apart than this part of the font size belong to two words. Chosen by hand.
const BASELINE: f64 = 0.3;
/// The same for pieces that were not drawn one after the other. Chosen by hand.
const STITCH_BASELINE: f64 = 0.12;
/// A gap wider than this part of the font size separates such pieces. Chosen by hand.
const STITCH_GAP: f64 = 0.06;
/// Maximum overlap of such pieces, in font sizes. Chosen by hand.
const STITCH_BACK: f64 = 0.2;
/// Letters smaller than this part of their neighbours are superscripts or subscripts. Those of
/// `raised_and_lowered_letters_belong_to_the_word_they_touch` have .58. Chosen by hand.
const SCRIPT: f64 = 0.85;
/// Maximum distance of superscripts and subscripts from the baseline, in font sizes. Those of the same test
/// have .42. Chosen by hand.
const SCRIPT_BASELINE: f64 = 0.6;

/// Minimum gaps between letters of a spaced-out run. Chosen by hand.
const MIN_SPACED: usize = 4;
/// Maximum gap within such a run, in font sizes. `spaced_out_words_stay_whole` has .25. Chosen by hand.
const MAX_SPACING: f64 = 0.7;
/// Maximum overlap within such a run, in font sizes. Chosen by hand.
const SPACED_BACK: f64 = 0.3;
/// Baselines and sizes of such a run that differ by less than this part of the font size are equal.
/// Chosen by hand.
const SAME: f64 = 0.05;
/// Glyphs belong to two words when one is smaller than this part of the other. Chosen by hand.
const SAME_SIZE: f64 = 0.4;

/// A glyph rotated so that its baseline runs to the right.
struct TurnedGlyph {
    text: String,
    x: f64,
    y: f64,
    advance: f64,
    size: f64,
    bold: bool,
    tag: Option<Tag>,
}

impl TurnedGlyph {
    fn is_space(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    /// Whether the next glyph begins where this one ends.
    fn touches(&self, next: &Self) -> bool {
        let size = self.size.max(next.size);
        (self.y - next.y).abs() < BASELINE * size && (next.x - self.x - self.advance).abs() < BASELINE * size
    }

    /// Whether the next glyph is near, and of the same line and size.
    fn is_beside(&self, next: &Self) -> bool {
        let size = self.size.max(next.size);
        (self.y - next.y).abs() < SAME * size
            && (self.size - next.size).abs() < SAME * size
            && (-SPACED_BACK..MAX_SPACING).contains(&((next.x - self.x - self.advance) / size))
    }
}

/// Groups the glyphs of one direction into words, in drawing order; `tags` are those of their page.
pub(super) fn words(glyphs: Vec<PlacedGlyph>, angle: u16, tags: Option<&PageTags>) -> Vec<Word> {
    let glyphs: Vec<TurnedGlyph> = glyphs
        .into_iter()
        .map(|glyph| {
            let (x, y) = turn(glyph.origin, angle);
            let tag = tags.and_then(|tags| tags.tag(glyph.mark));
            let PlacedGlyph { text, advance, size, bold, .. } = glyph;
            TurnedGlyph { text, x, y, advance, size, bold, tag }
        })
        .collect();
    let spacing = letter_spacing(&glyphs);
    let mut words: Vec<Word> = Vec::new();
    let mut open: Vec<TurnedGlyph> = Vec::new();
    let mut space: Option<TurnedGlyph> = None;
    let mut spaced_before = false;
    for (glyph, spacing) in glyphs.into_iter().zip(spacing) {
        if glyph.is_space() {
            let touches = open.last().is_some_and(|last| last.touches(&glyph));
            words.extend(word(std::mem::take(&mut open), words.len(), (spaced_before, touches)));
            space = Some(glyph);
            continue;
        }
        if !continues(&open, &glyph, spacing) {
            words.extend(word(std::mem::take(&mut open), words.len(), (spaced_before, false)));
        }
        if open.is_empty() {
            spaced_before = space.take().is_some_and(|space| space.touches(&glyph));
        }
        open.push(glyph);
    }
    words.extend(word(open, words.len(), (spaced_before, false)));
    comb::joined(words)
}

/// The letter spacing of a run, for each glyph. Wider gaps separate the words of such text.
fn letter_spacing(glyphs: &[TurnedGlyph]) -> Vec<f64> {
    let mut spacing = Vec::with_capacity(glyphs.len());
    for run in glyphs.chunk_by(|a, b| a.is_beside(b)) {
        let mut gaps: Vec<f64> = run
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if !a.is_space() && !b.is_space() => Some(b.x - a.x - a.advance),
                _ => None,
            })
            .collect();
        let letters = run.iter().filter(|glyph| glyph.text.chars().all(char::is_alphabetic)).count();
        let mut usual = 0.0;
        if gaps.len() >= MIN_SPACED && letters * 2 > gaps.len() {
            gaps.sort_by(f64::total_cmp);
            // The lower quartile: gaps between words are the widest.
            usual = gaps.get(gaps.len() / 4).copied().unwrap_or(0.0).max(0.0);
        }
        spacing.extend(std::iter::repeat_n(usual, run.len()));
    }
    spacing
}

fn continues(open: &[TurnedGlyph], next: &TurnedGlyph, spacing: f64) -> bool {
    let Some(last) = open.last().filter(|last| !are_cells_apart(last.tag, next.tag)) else { return false };
    let size = last.size.max(next.size);
    if (last.y - next.y).abs() > BASELINE * size || last.size.min(next.size) < SAME_SIZE * size {
        return false;
    }
    let gap = next.x - (last.x + last.advance);
    if gap <= WORD_GAP * size + spacing && gap >= -STEP_BACK * size {
        return true;
    }
    // Right-to-left text may be drawn in reading order: each glyph ends where the last began.
    let back = last.x - (next.x + next.advance);
    is_rtl(&next.text) && back <= WORD_GAP * size && back >= -STEP_BACK * size
}

fn word(mut glyphs: Vec<TurnedGlyph>, index: usize, spaced: (bool, bool)) -> Option<Word> {
    let first = glyphs.first()?;
    let tag = first.tag;
    let (y, size) = (first.y, glyphs.iter().map(|glyph| glyph.size).fold(0.0, f64::max));
    glyphs.sort_by(|a, b| a.x.total_cmp(&b.x));
    let x0 = glyphs.first().map_or(0.0, |glyph| glyph.x);
    let x1 = glyphs.iter().map(|glyph| glyph.x + glyph.advance).fold(x0, f64::max);
    let rtl = glyphs.iter().filter(|glyph| is_rtl(&glyph.text)).count() * 2 > glyphs.len();
    let text =
        if rtl { logical_order(&glyphs) } else { glyphs.iter().map(|glyph| glyph.text.as_str()).collect() };
    let rtl = is_rtl(&text);
    let bold = glyphs.iter().filter(|glyph| glyph.bold).count() * 2 > glyphs.len();
    Some(Word { text, x0, x1, y, size, index, bold, rtl, spaced, table: None, tag })
}

/// Joins touching words of one row, sorted from left to right: their letters were drawn in another order, or
/// some are superscripts, subscripts or in another font.
pub(super) fn stitch(row: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::with_capacity(row.len());
    for word in row {
        match joined.last_mut() {
            Some(last) if touches(last, &word) => last.append(word),
            Some(last) if touches_leftwards(last, &word) => last.prepend(word),
            _ => joined.push(word),
        }
    }
    joined
}

fn touches(left: &Word, right: &Word) -> bool {
    if left.rtl || right.rtl || are_cells_apart(left.tag, right.tag) {
        return false;
    }
    let size = left.size.max(right.size);
    let script = left.size.min(right.size) < SCRIPT * size;
    let gap = right.x0 - left.x1;
    (left.y - right.y).abs() <= if script { SCRIPT_BASELINE } else { STITCH_BASELINE } * size
        && gap <= if script { WORD_GAP } else { STITCH_GAP } * size
        && gap >= -STITCH_BACK * size
}

/// Whether two pieces of text belong to two table cells by their tags.
fn are_cells_apart(a: Option<Tag>, b: Option<Tag>) -> bool {
    let cell = |tag: Option<Tag>| tag.filter(|tag| matches!(tag.role, Role::Cell(_))).map(|tag| tag.block);
    cell(a) != cell(b)
}

/// Whether two touching words are one right-to-left word: letters of such a script, or one of them
/// punctuation beside it.
fn touches_leftwards(left: &Word, right: &Word) -> bool {
    let is_mark = |word: &Word| !word.text.contains(char::is_alphanumeric);
    let size = left.size.max(right.size);
    (left.rtl && (right.rtl || is_mark(right)) || right.rtl && is_mark(left))
        && !(left.spaced.1 || right.spaced.0 || are_cells_apart(left.tag, right.tag))
        && (left.table, right.table) == (None, None)
        && (left.y - right.y).abs() <= STITCH_BASELINE * size
        && (-STITCH_BACK * size..=STITCH_GAP * size).contains(&(right.x0 - left.x1))
}

/// Converts visual order to logical order: right to left, in which numbers and Latin letters stay left to
/// right.
fn logical_order(glyphs: &[TurnedGlyph]) -> String {
    let mut text = String::new();
    let mut run: Vec<&str> = Vec::new();
    for glyph in glyphs.iter().rev() {
        if glyph.text.chars().all(|c| c.is_ascii_alphanumeric() || ('\u{660}'..='\u{669}').contains(&c)) {
            run.push(&glyph.text);
        } else {
            text.extend(run.drain(..).rev());
            text.push_str(&glyph.text);
        }
    }
    text.extend(run.drain(..).rev());
    text
}
