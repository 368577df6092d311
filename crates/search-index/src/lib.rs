#![doc = include_str!("../README.md")]

mod lexical;
mod vectors;

pub use lexical::{IndexContent, LexicalSettings, OpenError, TantivyLexicalIndex};
pub use vectors::{InMemoryVectorIndex, VectorSettings};
