//! The straight lines on a page: strokes, and thin filled rectangles.

use hayro_interpret::DrawMode;
use kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

use crate::pdf::baseline::turn;

/// Maximum lines of a page. Protects memory.
const MAX_RULES: usize = 20_000;
/// Maximum path elements of a page that are examined. Protects time.
const MAX_ELEMENTS: usize = 400_000;
/// Maximum thickness in points of a filled rectangle that is a line. Chosen by hand.
const MAX_THICKNESS: f64 = 3.0;
/// Maximum deviation of a straight line, in points. Chosen by hand.
const STRAY: f64 = 0.7;
/// Lines within this distance are one, in points. Chosen by hand.
const SAME: f64 = 2.0;
/// Maximum gap between pieces of a line, in points, as in a dotted line. Chosen by hand.
const JOIN: f64 = 3.5;
/// Minimum length of a line, in points. Chosen by hand.
const MIN_LENGTH: f64 = 6.0;

/// A straight line along one axis: `at` on the other axis, from `from` to `to` on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) struct Rule {
    pub(in crate::pdf) at: f64,
    pub(in crate::pdf) from: f64,
    pub(in crate::pdf) to: f64,
}

impl Rule {
    pub(super) fn length(&self) -> f64 {
        self.to - self.from
    }

    /// The length of a range that it covers, in points.
    pub(super) fn covers(&self, from: f64, to: f64) -> f64 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

/// Collects the lines of a page while it is drawn.
#[derive(Debug, Default)]
pub(in crate::pdf) struct RuleCollector {
    pieces: Vec<(Point, Point)>,
    elements: usize,
}

impl RuleCollector {
    pub(in crate::pdf) fn path(&mut self, path: &BezPath, transform: Affine, mode: &DrawMode) {
        let (fill, stroke) = match mode {
            DrawMode::Fill(_) => (true, false),
            DrawMode::Stroke(_) => (false, true),
            DrawMode::FillAndStroke(..) => (true, true),
            DrawMode::Invisible => return,
        };
        let elements = path.elements();
        self.elements = self.elements.saturating_add(elements.len());
        if self.elements > MAX_ELEMENTS || self.pieces.len() >= MAX_RULES {
            return;
        }
        if stroke {
            self.strokes(elements, transform);
        }
        if fill {
            self.fills(elements, transform);
        }
    }

    pub(in crate::pdf) fn rect(&mut self, rect: &Rect, transform: Affine, mode: &DrawMode) {
        self.path(&rect.to_path(0.1), transform, mode);
    }

    fn strokes(&mut self, elements: &[PathEl], transform: Affine) {
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        for element in elements {
            let next = match element {
                PathEl::MoveTo(point) => {
                    start = *point;
                    last = *point;
                    continue;
                }
                PathEl::LineTo(point) => *point,
                PathEl::ClosePath => start,
                PathEl::QuadTo(_, point) | PathEl::CurveTo(_, _, point) => {
                    last = *point;
                    continue;
                }
            };
            self.piece(transform * last, transform * next);
            last = next;
        }
    }

    /// Adds the rectangles among filled shapes.
    fn fills(&mut self, elements: &[PathEl], transform: Affine) {
        let mut corners: Vec<Point> = Vec::new();
        let mut straight = true;
        for element in elements {
            match element {
                PathEl::MoveTo(point) => {
                    self.filled(&corners, straight);
                    corners.clear();
                    straight = true;
                    corners.push(transform * *point);
                }
                PathEl::LineTo(point) => corners.push(transform * *point),
                PathEl::ClosePath => {}
                PathEl::QuadTo(..) | PathEl::CurveTo(..) => straight = false,
            }
        }
        self.filled(&corners, straight);
    }

    fn filled(&mut self, corners: &[Point], straight: bool) {
        // Four corners; a closed path repeats the first.
        let Some(first) = corners.first().filter(|_| straight && (4..=6).contains(&corners.len())) else {
            return;
        };
        let bounds =
            corners.iter().fold(Rect::from_points(*first, *first), |all, point| all.union_pt(*point));
        let (width, height) = (bounds.width(), bounds.height());
        let centre = bounds.center();
        if height <= MAX_THICKNESS && width > height {
            self.piece(Point::new(bounds.x0, centre.y), Point::new(bounds.x1, centre.y));
        } else if width <= MAX_THICKNESS && height > width {
            self.piece(Point::new(centre.x, bounds.y0), Point::new(centre.x, bounds.y1));
        }
    }

    fn piece(&mut self, a: Point, b: Point) {
        let finite = a.is_finite() && b.is_finite();
        let (width, height) = ((a.x - b.x).abs(), (a.y - b.y).abs());
        if finite && self.pieces.len() < MAX_RULES && width.min(height) <= STRAY && width.max(height) > 0.0 {
            self.pieces.push((a, b));
        }
    }

    pub(in crate::pdf) fn finish(self) -> Vec<(Point, Point)> {
        self.pieces
    }
}

/// The lines of a page, rotated like its text: horizontal and vertical.
#[derive(Clone, Debug, Default)]
pub(in crate::pdf) struct Rules {
    pub(super) across: Vec<Rule>,
    pub(super) down: Vec<Rule>,
}

impl Rules {
    /// Pieces of lines, joined and rotated so that a baseline of `angle` runs to the right.
    pub(in crate::pdf) fn of(pieces: &[(Point, Point)], angle: u16) -> Self {
        if !angle.is_multiple_of(90) {
            return Self::default();
        }
        let (mut across, mut down) = (Vec::new(), Vec::new());
        for (a, b) in pieces {
            let ((ax, ay), (bx, by)) = (turn(*a, angle), turn(*b, angle));
            if (ax - bx).abs() > (ay - by).abs() {
                across.push(Rule { at: f64::midpoint(ay, by), from: ax.min(bx), to: ax.max(bx) });
            } else {
                down.push(Rule { at: f64::midpoint(ax, bx), from: ay.min(by), to: ay.max(by) });
            }
        }
        Self { across: joined(across), down: joined(down) }
    }
}

/// Joins pieces that continue each other.
fn joined(mut pieces: Vec<Rule>) -> Vec<Rule> {
    pieces.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut rules: Vec<Rule> = Vec::new();
    let mut start = 0;
    for index in 0..pieces.len() {
        let apart = match (pieces.get(start), pieces.get(index), pieces.get(index + 1)) {
            (Some(first), Some(this), Some(next)) => {
                next.at - this.at > SAME / 2.0 || next.at - first.at > SAME
            }
            _ => true,
        };
        if apart {
            join_level(pieces.get_mut(start..=index).unwrap_or_default(), &mut rules);
            start = index + 1;
        }
    }
    rules.retain(|rule| rule.length() >= MIN_LENGTH);
    rules
}

fn join_level(level: &mut [Rule], rules: &mut Vec<Rule>) {
    level.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut open: Option<(Rule, f64)> = None;
    for piece in level {
        open = match open {
            Some((rule, weight)) if piece.from - rule.to <= JOIN => {
                let length = piece.length();
                let at = (rule.at * weight + piece.at * length) / (weight + length).max(f64::MIN_POSITIVE);
                Some((Rule { at, from: rule.from, to: rule.to.max(piece.to) }, weight + length))
            }
            other => {
                rules.extend(other.map(|(rule, _)| rule));
                Some((*piece, piece.length()))
            }
        };
    }
    rules.extend(open.map(|(rule, _)| rule));
}
