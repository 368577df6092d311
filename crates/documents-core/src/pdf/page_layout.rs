//! A page after drawing and layout, before it is written.

use super::layout::TextFlow;
use super::lines::Line;
use super::links::PlacedLink;
use super::skew::Skew;

/// Where a page's text is from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TextSource {
    /// From the PDF's own text.
    InLayer,
    /// In images that only OCR can read.
    InPicture,
    /// From OCR.
    Recognised(Skew),
}

/// A page that is ready to be written.
pub(super) struct LaidOutPage {
    /// Page number, from 1.
    pub(super) number: u32,
    /// Width and height in points, upright.
    pub(super) size: (f32, f32),
    /// Its text by direction, the main one first.
    pub(super) flows: Vec<TextFlow>,
    pub(super) source: TextSource,
    pub(super) links: Vec<PlacedLink>,
    /// Whether it begins with the continuation of a table.
    pub(super) joined: bool,
}

impl LaidOutPage {
    /// The lines of its main direction.
    pub(super) fn main_lines(&self) -> impl Iterator<Item = &Line> {
        self.flows.first().into_iter().flat_map(|flow| flow.regions.iter().flatten())
    }

    /// Its height when its text is upright.
    pub(super) fn upright_height(&self) -> f64 {
        match self.source {
            TextSource::Recognised(skew) => skew.turn.upright().1,
            _ => f64::from(self.size.1),
        }
    }

    /// Number of its lines.
    pub(super) fn lines(&self) -> usize {
        self.flows.iter().flat_map(|flow| &flow.regions).map(Vec::len).sum()
    }
}
