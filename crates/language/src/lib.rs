#![doc = include_str!("../README.md")]

mod language;
mod locale;

pub use language::{Language, Languages};
pub use locale::{Entry, Level, Locale, Script, Section, Words};
