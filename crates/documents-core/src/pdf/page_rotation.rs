//! Detects scanned pages that lie on their side or upside down.
//!
//! A recogniser that rotates such a page internally returns the boxes of words on the original page. The
//! direction from word to word within the lines shows the rotation of the page.

use kurbo::Point;

use crate::model::Rect;
use crate::ocr::RecognisedWord;

/// Minimum part of the steps from word to word that have the same direction. More than half, so that one
/// direction at most has it. Chosen by hand; no measurement recorded.
const MOST: f64 = 0.6;

/// Rotation of a page's text in quarter turns, clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PageRotation {
    quarters: u8,
    /// Size of the original page, in points.
    width: f64,
    height: f64,
}

impl PageRotation {
    /// The rotation of a page of `size` points with these words.
    pub(super) fn of(words: &[RecognisedWord], size: (f32, f32)) -> Self {
        let mut steps = [0_u32; 4];
        for (one, next) in words.iter().zip(words.iter().skip(1)) {
            if one.line == next.line && runs_rightwards(&one.text) && runs_rightwards(&next.text) {
                let (from, to) = (middle(one.rect), middle(next.rect));
                let (across, down) = (to.x - from.x, to.y - from.y);
                let quarter = match across.abs() >= down.abs() {
                    true if across >= 0.0 => 0,
                    true => 2,
                    false if down > 0.0 => 1,
                    false => 3,
                };
                if let Some(count) = steps.get_mut(quarter) {
                    *count += 1;
                }
            }
        }
        let all: u32 = steps.iter().sum();
        let most = (0_u8..4).zip(steps).find(|(_, count)| f64::from(*count) > MOST * f64::from(all));
        let quarters = most.map_or(0, |(quarters, _)| quarters);
        Self { quarters, width: size.0.into(), height: size.1.into() }
    }

    /// Whether the text of the original page is upright.
    pub(super) fn is_none(self) -> bool {
        self.quarters == 0
    }

    /// Width and height of the page after rotation to upright text.
    pub(super) fn upright(self) -> (f64, f64) {
        if self.quarters.is_multiple_of(2) { (self.width, self.height) } else { (self.height, self.width) }
    }

    /// A point of the page after rotation to upright text.
    pub(super) fn point(self, Point { x, y }: Point) -> Point {
        match self.quarters {
            1 => Point::new(y, self.width - x),
            2 => Point::new(self.width - x, self.height - y),
            3 => Point::new(self.height - y, x),
            _ => Point::new(x, y),
        }
    }

    /// A rectangle of the page after rotation to upright text.
    pub(super) fn rect(self, rect: Rect) -> Rect {
        if self.quarters == 0 {
            return rect;
        }
        around(self.point(Point::new(rect.x0, rect.y0)), self.point(Point::new(rect.x1, rect.y1)))
    }

    /// A rectangle of the upright page on the original page.
    pub(super) fn to_page(self, rect: Rect) -> Rect {
        if self.quarters == 0 {
            return rect;
        }
        let (width, height) = self.upright();
        let other = Self { quarters: (4 - self.quarters) % 4, width, height };
        let Rect { x0, y0, x1, y1 } = other.rect(rect);
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        Rect { x0: tenth(x0), y0: tenth(y0), x1: tenth(x1), y1: tenth(y1) }
    }
}

fn around(a: Point, b: Point) -> Rect {
    Rect { x0: a.x.min(b.x), y0: a.y.min(b.y), x1: a.x.max(b.x), y1: a.y.max(b.y) }
}

fn middle(rect: Rect) -> Point {
    Point::new(f64::midpoint(rect.x0, rect.x1), f64::midpoint(rect.y0, rect.y1))
}

/// Whether a word consists of letters that are always written from left to right: other lines do not show the
/// direction.
fn runs_rightwards(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic()).peekable();
    // Hebrew and Arabic begin at U+0590; from U+1100 on are scripts that are also written in columns.
    letters.peek().is_some()
        && letters.all(|c| {
            c < '\u{590}' || ('\u{900}'..'\u{1100}').contains(&c) || ('\u{1e00}'..'\u{2000}').contains(&c)
        })
}
