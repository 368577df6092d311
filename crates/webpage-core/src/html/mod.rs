//! Parses HTML to a tree that is cheap to walk. Nodes lie in document order, so the descendants of a node are
//! one range after it, and no walk needs recursion.

mod builder;
mod elements;
mod entities;
mod lexer;
mod tree;

pub(crate) use elements::{is_block, is_heading};
pub(crate) use entities::decoded;
pub(crate) use tree::{Id, Tree};

/// Parses HTML up to the limits.
pub(crate) fn read(html: &str, nodes: usize) -> Tree<'_> {
    builder::build(lexer::Lexer::new(html), nodes)
}
