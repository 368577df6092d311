#![doc = include_str!("../README.md")]

mod languages;
mod process;
mod program;
mod tsv;

pub use program::{FindError, Tesseract, TesseractSettings};
