//! Glyphs to words, along the direction of their baseline.

use kurbo::Point;

use super::glyphs::PlacedGlyph;

/// A gap wider than this part of the size begins a new word.
const WORD_GAP: f64 = 0.12;
/// A step back further than this part of the size begins a new word.
const STEP_BACK: f64 = 0.4;
/// Baselines further apart than this part of the size are not of one word.
const BASELINE: f64 = 0.3;

/// A word in the coordinates of its text: `x` along the baseline, `y` down from the first line.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) x0: f64,
    pub(super) x1: f64,
    /// Baseline.
    pub(super) y: f64,
    pub(super) size: f64,
    /// Its place in the order of drawing.
    pub(super) index: usize,
}

impl Word {
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.x0, self.x1)
    }

    /// Top of the letters, about.
    pub(super) fn top(&self) -> f64 {
        self.y - 0.75 * self.size
    }

    /// Bottom of the letters, about.
    pub(super) fn bottom(&self) -> f64 {
        self.y + 0.2 * self.size
    }
}

/// A glyph turned so that its baseline runs to the right.
struct Turned {
    text: String,
    x: f64,
    y: f64,
    advance: f64,
    size: f64,
}

/// Turns a point so that a baseline of `quarter` runs to the right.
fn turn(point: Point, quarter: u8) -> (f64, f64) {
    match quarter {
        1 => (point.y, -point.x),
        2 => (-point.x, -point.y),
        3 => (-point.y, point.x),
        _ => (point.x, point.y),
    }
}

/// Undoes [`turn`].
pub(super) fn turn_back(x: f64, y: f64, quarter: u8) -> (f64, f64) {
    match quarter {
        1 => (-y, x),
        2 => (-x, -y),
        3 => (y, -x),
        _ => (x, y),
    }
}

/// The words among glyphs of one direction, in the order of drawing.
pub(super) fn words(glyphs: Vec<PlacedGlyph>, quarter: u8) -> Vec<Word> {
    let mut words = Vec::new();
    let mut open: Vec<Turned> = Vec::new();
    for glyph in glyphs {
        let (x, y) = turn(glyph.origin, quarter);
        let glyph = Turned { text: glyph.text, x, y, advance: glyph.advance, size: glyph.size };
        let space = glyph.text.chars().all(char::is_whitespace);
        if space || !continues(&open, &glyph) {
            words.extend(word(std::mem::take(&mut open), words.len()));
        }
        if !space {
            open.push(glyph);
        }
    }
    words.extend(word(open, words.len()));
    words
}

fn continues(open: &[Turned], next: &Turned) -> bool {
    let Some(last) = open.last() else { return false };
    let size = last.size.max(next.size);
    if (last.y - next.y).abs() > BASELINE * size || last.size.min(next.size) < 0.4 * size {
        return false;
    }
    let gap = next.x - (last.x + last.advance);
    if gap <= WORD_GAP * size && gap >= -STEP_BACK * size {
        return true;
    }
    // Right-to-left text may be drawn in reading order: each glyph ends where the last began.
    let back = last.x - (next.x + next.advance);
    is_rtl(&next.text) && back <= WORD_GAP * size && back >= -STEP_BACK * size
}

fn word(mut glyphs: Vec<Turned>, index: usize) -> Option<Word> {
    let first = glyphs.first()?;
    let (y, size) = (first.y, glyphs.iter().map(|glyph| glyph.size).fold(0.0, f64::max));
    glyphs.sort_by(|a, b| a.x.total_cmp(&b.x));
    let x0 = glyphs.first().map_or(0.0, |glyph| glyph.x);
    let x1 = glyphs.iter().map(|glyph| glyph.x + glyph.advance).fold(x0, f64::max);
    let rtl = glyphs.iter().filter(|glyph| is_rtl(&glyph.text)).count() * 2 > glyphs.len();
    let text = if rtl { logical(&glyphs) } else { glyphs.iter().map(|glyph| glyph.text.as_str()).collect() };
    Some(Word { text, x0, x1, y, size, index })
}

/// From the order of sight to the order of reading: right to left, but numbers and Latin letters
/// within stay left to right.
fn logical(glyphs: &[Turned]) -> String {
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

/// Whether a text is of a script that runs from right to left.
pub(super) fn is_rtl(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
            && !('\u{660}'..='\u{669}').contains(&c)
    })
}
