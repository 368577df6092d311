//! Which part of a page is its main content.

mod captions;
mod choices;
mod controls;
mod copies;
mod frame;
mod measure;
mod opened;
mod prune;
mod root;
mod sections;
mod signs;
mod unseen;

pub(crate) use measure::Measure;
pub(crate) use signs::Signs;
pub(crate) use unseen::is_hidden;

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
    let opened = opened::Opened::of(tree);
    unseen::leave_out(tree, &mut measure, &opened);
    frame::leave_out(tree, &mut measure, &opened, kind);
    let root = root::choose(tree, &measure, kind);
    prune::prune(tree, &mut measure, root, kind);
    Content { root, measure }
}
