#![doc = include_str!("../README.md")]

mod attributes;
mod builder;
mod elements;
mod entities;
mod lexer;
mod tree;

pub use attributes::Attribute;
pub use elements::{heading_level, is_block, is_void};
pub use entities::{decode_text, decode_value};
pub use lexer::{Lexer, Tag, Token};
pub use tree::{Id, Tree};

/// Parses HTML to a tree of at most `nodes` nodes; what follows them is left out.
#[must_use]
pub fn parse(html: &str, nodes: usize) -> Tree<'_> {
    builder::build(Lexer::new(html), nodes)
}
