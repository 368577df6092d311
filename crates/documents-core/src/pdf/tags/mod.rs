//! The structure of a tagged PDF: headings, list items, table cells, figures.
//!
//! Tags are often wrong or incomplete. They are used on a page only when they cover nearly all of its text,
//! and are checked against the layout where possible.

mod line;
mod role;
mod tree;

use std::collections::HashMap;

use kurbo::Rect;

use super::placed_glyph::{Mark, PlacedGlyph};
pub(super) use line::{LineTag, line_tag};
pub(super) use role::{Cell, Role};
pub(super) use tree::read;

/// Minimum part of a page's letters that tags must cover. Case:
/// `tags_that_cover_only_a_part_of_the_text_are_not_trusted`. Chosen by hand; no measurement recorded.
const COVERED: f64 = 0.9;

/// What the tags of a document say.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// By page index, from 0.
    pages: HashMap<u32, PageTags>,
}

/// The tags of a page.
#[derive(Debug, Default)]
pub(super) struct PageTags {
    tags: HashMap<u32, Tag>,
    /// Figures with a description, in reading order.
    pub(super) figures: Vec<TaggedFigure>,
}

/// The tag of some content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) role: Role,
    /// Number of the element that is its heading, item or paragraph.
    pub(super) block: u32,
    /// Its index in the reading order.
    pub(super) order: u32,
    /// Whether it is the mark or number of a list item.
    pub(super) label: bool,
}

/// The description of a tagged figure.
#[derive(Clone, Debug)]
pub(super) struct TaggedFigure {
    pub(super) order: u32,
    pub(super) text: String,
    /// Its position in document coordinates.
    pub(super) area: Option<Rect>,
}

impl Structure {
    /// The tags of a page, if they are credible for what it draws.
    pub(super) fn of_page(&self, index: u32, glyphs: &[PlacedGlyph]) -> Option<&PageTags> {
        let page = self.pages.get(&index)?;
        let letters = glyphs.iter().filter(|glyph| glyph.text.chars().any(char::is_alphanumeric));
        let (mut all, mut covered) = (0_usize, 0_usize);
        for glyph in letters {
            match glyph.mark {
                Mark::Artifact => {}
                Mark::Content(number) => {
                    all += 1;
                    covered += usize::from(page.tags.contains_key(&number));
                }
                Mark::None => all += 1,
            }
        }
        (covered > 0 && covered as f64 >= COVERED * all as f64).then_some(page)
    }
}

impl PageTags {
    pub(super) fn tag(&self, mark: Mark) -> Option<Tag> {
        match mark {
            Mark::Content(number) => self.tags.get(&number).copied(),
            _ => None,
        }
    }
}
