//! Which part of a page is its main content.

mod boilerplate;
mod measure;
mod prune;
mod root;
mod signs;

pub(crate) use measure::Measure;
pub(crate) use signs::Signs;

use crate::PageKind;
use crate::html::{Id, Tree};

/// The element that holds the main content, and what is left out of it.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) root: Id,
    pub(crate) measure: Measure,
}

/// Finds the main content of a page of a kind.
pub(crate) fn find(tree: &Tree<'_>, kind: PageKind) -> Content {
    let mut measure = Measure::new(tree);
    boilerplate::leave_out_unseen(tree, &mut measure);
    boilerplate::leave_out_frame(tree, &mut measure, kind);
    let root = root::choose(tree, &measure, kind);
    prune::prune(tree, &mut measure, root, kind);
    Content { root, measure }
}
