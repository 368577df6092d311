//! Writes the main content as Markdown: one walk over the nodes in document order, with a stack of open
//! elements.

mod definition;
mod line;
mod picture;
mod syntax;
mod table;
mod word_boundary;
mod writer;

pub(crate) use picture::{FIGURE, figure, is_shown};
pub(crate) use table::holds_data;
pub(crate) use writer::Markdown;

use html::Tree;

use crate::address::Addresses;
use crate::content::Content;

/// Writes the content, at most `most` bytes.
pub(crate) fn write(tree: &Tree<'_>, content: &Content, addresses: &Addresses, most: usize) -> Markdown {
    writer::Writer::new(tree, content, addresses, most).write()
}
