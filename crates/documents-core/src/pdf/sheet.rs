//! A page that was drawn and laid out, before it is written.

use super::layout::TextFlow;
use super::lines::Line;
use super::links::PlacedLink;

/// Letters and digits of a page that are hardly any text.
const HARDLY_ANY: usize = 20;

/// A page as it is to be written.
pub(super) struct Sheet {
    /// From 1.
    pub(super) number: u32,
    /// Width and height in points, upright.
    pub(super) size: (f32, f32),
    /// Its text by direction, the main one first.
    pub(super) flows: Vec<TextFlow>,
    /// Part of it that pictures cover.
    pub(super) pictured: f64,
    pub(super) links: Vec<PlacedLink>,
    /// Whether a table of the page before goes on here.
    pub(super) joined: bool,
}

impl Sheet {
    /// The lines of its main direction.
    pub(super) fn main_lines(&self) -> impl Iterator<Item = &Line> {
        self.flows.first().into_iter().flat_map(|flow| flow.regions.iter().flatten())
    }

    /// How many lines it has.
    pub(super) fn lines(&self) -> usize {
        self.flows.iter().flat_map(|flow| &flow.regions).map(Vec::len).sum()
    }

    /// Whether it is a picture with hardly any text.
    pub(super) fn needs_ocr(&self) -> bool {
        let lines = self.flows.iter().flat_map(|flow| flow.regions.iter().flatten());
        let letters = lines
            .filter(|line| !line.figure)
            .flat_map(|line| line.text.chars())
            .filter(|c| c.is_alphanumeric())
            .take(HARDLY_ANY);
        let tables = self.flows.iter().any(|flow| !flow.tables.is_empty());
        self.pictured >= super::glyphs::SCANNED && !tables && letters.count() < HARDLY_ANY
    }
}
