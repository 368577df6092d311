#![doc = include_str!("../README.md")]

mod vectors;
mod words;

pub use vectors::{VectorSettings, Vectors};
pub use words::{OpenError, TantivyWords, WordsSettings};
