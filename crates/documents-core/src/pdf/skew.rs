//! Rotation and skew of a scanned page.

use document::Rect;

use super::page_rotation::PageRotation;

/// Rotation and skew of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Skew {
    pub(super) turn: PageRotation,
    pub(super) slope: f64,
    /// The position along the line that stays fixed.
    pub(super) middle: f64,
}

impl Skew {
    /// The `y` of a point of the page after straightening.
    pub(super) fn straighten(self, x: f64, y: f64) -> f64 {
        y - self.slope * (x - self.middle)
    }

    /// A rectangle of the straightened page on the original page.
    pub(super) fn to_page(self, rect: Rect) -> Rect {
        self.turn.to_page(self.skew(rect))
    }

    fn skew(self, rect: Rect) -> Rect {
        if self.slope == 0.0 {
            return rect;
        }
        let (left, right) = (self.slope * (rect.x0 - self.middle), self.slope * (rect.x1 - self.middle));
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        Rect { y0: tenth(rect.y0 + left.min(right)), y1: tenth(rect.y1 + left.max(right)), ..rect }
    }
}
