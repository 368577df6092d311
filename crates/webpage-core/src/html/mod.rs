//! HTML to a tree that is cheap to walk: nodes lie in document order, so that whatever is below a node is one
//! range behind it, and no walk needs recursion.

mod builder;
mod elements;
mod entities;
mod lexer;
mod tree;

pub(crate) use elements::{is_block, is_heading};
pub(crate) use entities::decoded;
pub(crate) use tree::{Id, Tree};

/// Reads HTML as far as the limits allow.
pub(crate) fn read(html: &str, nodes: usize) -> Tree<'_> {
    builder::build(lexer::Lexer::new(html), nodes)
}
