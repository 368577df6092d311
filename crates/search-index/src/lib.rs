#![doc = include_str!("../README.md")]

mod words;

pub use words::{OpenError, TantivyWords, WordsSettings};
