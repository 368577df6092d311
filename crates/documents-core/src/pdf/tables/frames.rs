//! Frames: horizontal rules of equal width, one below the other, as in tables that are ruled in one direction
//! only.

use super::page_lines::TextLine;
use super::rules::{Rule, Rules};

/// Tolerance of the ends of a frame's rules, in points. Chosen by hand.
const NEAR: f64 = 8.0;
/// Minimum width of a frame, in points. Chosen by hand.
const MIN_WIDTH: f64 = 80.0;
/// Maximum horizontal rules of a page; above, it is a drawing. Protects time.
const MAX_LINES: usize = 3_000;
/// Maximum space within a frame without a rule, in points. A page of Letter is 792 high. Chosen by hand.
const MAX_HEIGHT: f64 = 500.0;
/// A single run over more than this part of a frame's width is prose. Chosen by hand.
const FULL: f64 = 0.85;

/// Horizontal rules that frame rows of a table.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) x0: f64,
    pub(super) x1: f64,
    /// Positions of its rules, from top to bottom.
    pub(super) ys: Vec<f64>,
}

impl Frame {
    pub(super) fn top(&self) -> f64 {
        self.ys.first().copied().unwrap_or(0.0)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.ys.last().copied().unwrap_or(0.0)
    }

    /// Whether a line of text lies within.
    pub(super) fn contains(&self, line: &TextLine) -> bool {
        let middle = f64::midpoint(line.top, line.bottom);
        middle > self.top()
            && middle < self.bottom()
            && line.x0() > self.x0 - NEAR
            && line.x1() < self.x1 + NEAR
    }
}

/// The parts of frames whose text is arranged as in a table.
pub(super) fn tabular_parts(frames: &[Frame], lines: &[TextLine]) -> Vec<Frame> {
    let mut parts = Vec::new();
    for frame in frames {
        let mut start = None;
        for (index, pair) in frame.ys.windows(2).enumerate() {
            let is_part = matches!(pair, [top, bottom] if is_tabular(lines, frame, *top, *bottom));
            match start {
                None if is_part => start = Some(index),
                Some(first) if !is_part => {
                    parts.extend(part(frame, first, index));
                    start = None;
                }
                _ => {}
            }
        }
        parts.extend(start.and_then(|first| part(frame, first, frame.ys.len() - 1)));
    }
    parts
}

fn part(frame: &Frame, first: usize, last: usize) -> Option<Frame> {
    Some(Frame { ys: frame.ys.get(first..=last)?.to_vec(), ..frame.clone() })
}

/// The frame around a line of text with the most rules.
pub(super) fn enclosing_frame<'f>(parts: &'f [Frame], line: &TextLine) -> Option<&'f Frame> {
    parts.iter().filter(|part| part.contains(line)).max_by_key(|part| part.ys.len())
}

/// Whether enough lines between two rules of a frame have several runs (one of four, unless there are only
/// two) and few are prose (one of four). Chosen by hand.
fn is_tabular(lines: &[TextLine], frame: &Frame, top: f64, bottom: f64) -> bool {
    let part = Frame { ys: vec![top, bottom], ..frame.clone() };
    let (mut all, mut several, mut prose) = (0, 0, 0);
    for line in lines.iter().filter(|line| line.bottom > top && line.top < bottom) {
        if !part.contains(line) {
            let middle = f64::midpoint(line.top, line.bottom);
            prose += usize::from(middle > top && middle < bottom);
            continue;
        }
        all += 1;
        several += usize::from(line.runs.len() > 1);
        let full = line.x1() - line.x0() > FULL * (frame.x1 - frame.x0);
        prose += usize::from(line.runs.len() == 1 && full);
    }
    prose * 4 <= all && (several * 4 >= all || all <= 2)
}

/// The frames of a page, those with the most rules first.
pub(super) fn frames(rules: &Rules) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    if rules.across.len() > MAX_LINES {
        return frames;
    }
    for rule in level(&rules.across).into_iter().filter(|rule| rule.length() >= MIN_WIDTH) {
        let same = |frame: &&mut Frame| {
            (frame.x0 - rule.from).abs() < NEAR
                && (frame.x1 - rule.to).abs() < NEAR
                && rule.at - frame.bottom() < MAX_HEIGHT
        };
        match frames.iter_mut().find(same) {
            Some(frame) => frame.ys.push(rule.at),
            None => frames.push(Frame { x0: rule.from, x1: rule.to, ys: vec![rule.at] }),
        }
    }
    frames.retain(|frame| frame.ys.len() > 1);
    frames.sort_by_key(|frame| std::cmp::Reverse(frame.ys.len()));
    frames
}

/// Merges rules of one height with narrow gaps between them, as those below each column have.
fn level(across: &[Rule]) -> Vec<Rule> {
    /// Maximum gap between rules of one height, and tolerance of that height, in points. Chosen by hand.
    const GAP: f64 = 16.0;
    const SAME_HEIGHT: f64 = 1.0;
    let mut sorted = across.to_vec();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut joined: Vec<Rule> = Vec::new();
    for part in sorted.chunk_by(|a, b| b.at - a.at < SAME_HEIGHT) {
        let mut part = part.to_vec();
        part.sort_by(|a, b| a.from.total_cmp(&b.from));
        let start = joined.len();
        for rule in part {
            match joined.get_mut(start..).and_then(<[Rule]>::last_mut) {
                Some(last) if rule.from - last.to < GAP => last.to = last.to.max(rule.to),
                _ => joined.push(rule),
            }
        }
    }
    joined
}
