//! Divides a document with pages into the documents that it consists of, such as several invoices in one PDF.

mod boundary;
mod part;
mod weights;

use document::{Document, PageRanges, TextSlices};

pub use boundary::{SIGNAL_NAMES, Signals};

use crate::page::PageProfile;
use boundary::{probability, signals};
use part::Part;

/// Probability from which a page begins a document.
const BOUNDARY: f64 = 0.5;

/// A document within a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentRange {
    /// Its pages. Sheets without content at its beginning and end, and between its pages, are left out.
    pub pages: PageRanges,
    /// The probability that a document begins with its first page, 0 to 1; 1 for the first of the document.
    pub probability: f64,
}

/// The division of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Division {
    /// Its parts in order; a document without content is one part.
    pub parts: Vec<DocumentRange>,
    /// Numbers of the sheets without content, which no part has, ascending.
    pub blank: Vec<u32>,
    /// For each page with content after the first, the probability that a document begins with it.
    pub boundaries: Vec<(u32, f64)>,
}

/// Divides a document; `None` when its format has no pages.
#[must_use]
pub fn divide(document: &Document) -> Option<Division> {
    let last = document.pages.iter().map(|page| page.number).max()?;
    let slices = TextSlices::new(&document.text);
    let mut division = Division::default();
    let mut part = Part::default();
    let mut start = 1.0;
    let mut is_apart = false;
    for page in &document.pages {
        let page = PageProfile::of(page, &slices);
        if page.is_blank {
            division.blank.push(page.number);
            is_apart = true;
            continue;
        }
        if !part.numbers.is_empty() {
            let likely = probability(&signals(&part, &page, is_apart));
            division.boundaries.push((page.number, likely));
            if likely >= BOUNDARY {
                division.parts.extend(range(&std::mem::take(&mut part), start));
                start = likely;
            }
        }
        part.push(page);
        is_apart = false;
    }
    division.parts.extend(range(&part, start));
    if division.parts.is_empty() {
        let pages = PageRanges::of(1, last)?;
        division = Division { parts: vec![DocumentRange { pages, probability: 1.0 }], ..Division::default() };
    }
    Some(division)
}

/// The pages of a part.
fn range(part: &Part, probability: f64) -> Option<DocumentRange> {
    let pages = PageRanges::of_pages(part.numbers.iter().copied())?;
    Some(DocumentRange { pages, probability })
}

/// The signals of each boundary of a document, with its true parts given by the numbers of their first pages: whether
/// a part begins there, and the signals. For learning the weights.
#[must_use]
pub fn observe(document: &Document, begins: &[u32]) -> Vec<(bool, Signals)> {
    let slices = TextSlices::new(&document.text);
    let mut part = Part::default();
    let (mut is_apart, mut is_begun) = (false, false);
    let mut found = Vec::new();
    for page in &document.pages {
        let page = PageProfile::of(page, &slices);
        // A part may begin with a sheet without content.
        is_begun |= begins.contains(&page.number);
        if page.is_blank {
            is_apart = true;
            continue;
        }
        if !part.numbers.is_empty() {
            found.push((is_begun, signals(&part, &page, is_apart)));
            if is_begun {
                part = Part::default();
            }
        }
        part.push(page);
        (is_apart, is_begun) = (false, false);
    }
    found
}
