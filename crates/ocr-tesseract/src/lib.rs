#![doc = include_str!("../README.md")]

mod error;
mod languages;
mod process;
mod program;
mod settings;
mod tsv;

pub use error::FindError;
pub use program::Tesseract;
pub use settings::TesseractSettings;
