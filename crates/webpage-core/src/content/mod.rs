//! Finds the main content of a page.
//!
//! The rules were tuned on half of the open corpus
//! (docs/decisions/0021-web-pages-are-read-by-rules-of-our-own.md), and `cargo xtask bench web pages`
//! measures both halves. No measurement of a single threshold is recorded: all that are said to be chosen by
//! hand.

mod boilerplate;
mod captions;
mod choices;
mod class_hints;
mod controls;
mod copies;
mod disclosures;
mod invisible;
mod measure;
mod prune;
mod root;
mod sections;

pub(crate) use class_hints::ClassHints;
pub(crate) use invisible::is_hidden;
pub(crate) use measure::Measure;

use html::{Id, Tree};

use crate::PageKind;

/// The root element of the main content, and what is removed from it.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) root: Id,
    pub(crate) measure: Measure,
}

/// Finds the main content of a page of this kind.
pub(crate) fn find(tree: &Tree<'_>, kind: PageKind) -> Content {
    let mut measure = Measure::new(tree);
    let opened = disclosures::Disclosures::of(tree);
    invisible::leave_out(tree, &mut measure, &opened);
    boilerplate::leave_out(tree, &mut measure, &opened, kind);
    let root = root::choose(tree, &measure, kind);
    prune::prune(tree, &mut measure, root, kind);
    Content { root, measure }
}
