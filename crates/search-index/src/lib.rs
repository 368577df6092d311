#![doc = include_str!("../README.md")]

mod lexical;
mod vectors;

pub use lexical::{LexicalSettings, OpenError, TantivyLexicalIndex};
pub use vectors::{InMemoryVectorIndex, VectorSettings};
