//! A word on a page.

use super::tags::Tag;

/// Heights of a line above and below its baseline, in font sizes; the letters of Helvetica have .718 and
/// .207. Chosen by hand.
pub(super) const ASCENT: f64 = 0.75;
const DESCENT: f64 = 0.2;

/// A word in text coordinates: `x` along the baseline, `y` down from the first line.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) x0: f64,
    pub(super) x1: f64,
    /// Position of the baseline.
    pub(super) y: f64,
    pub(super) size: f64,
    /// Its index in drawing order.
    pub(super) index: usize,
    /// Whether most of it is bold.
    pub(super) bold: bool,
    /// Whether it has letters of a right-to-left script.
    pub(super) rtl: bool,
    /// Whether a space was drawn directly before and after it.
    pub(super) spaced: (bool, bool),
    /// Index of the table that this placeholder stands for.
    pub(super) table: Option<usize>,
    /// The structure element that it belongs to.
    pub(super) tag: Option<Tag>,
}

impl Word {
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.x0, self.x1)
    }

    /// Approximate top of the letters.
    pub(super) fn top(&self) -> f64 {
        self.y - ASCENT * self.size
    }

    /// Approximate bottom of the letters.
    pub(super) fn bottom(&self) -> f64 {
        self.y + DESCENT * self.size
    }

    pub(super) fn append(&mut self, right: Self) {
        self.text.push_str(&right.text);
        if right.size > self.size {
            (self.size, self.y) = (right.size, right.y);
        }
        self.x1 = self.x1.max(right.x1);
        self.index = self.index.min(right.index);
        self.spaced.1 = right.spaced.1;
    }

    /// Appends the word to its right in right-to-left text, where it is read first.
    pub(super) fn prepend(&mut self, right: Self) {
        let left = std::mem::take(&mut self.text);
        let first = right.text.clone();
        self.append(right);
        self.text = first + &left;
        self.rtl = true;
    }
}
