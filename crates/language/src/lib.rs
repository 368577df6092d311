#![doc = include_str!("../README.md")]

pub mod absence;
pub mod bm25;
pub mod boolean;
pub mod cue;
pub mod date;
pub mod detect;
pub mod fold;
pub mod form_kinds;
pub mod form_words;
mod keyed_words;
pub mod label;
mod language;
pub mod layout;
mod locale;
pub mod measure;
pub mod money;
pub mod number;
pub mod page;
mod per_locale;
pub mod phrase;
pub mod place;
pub mod printed_currency;
pub mod reply;
pub mod sentence;
pub mod stem;
pub mod time;
pub mod token;
pub mod unit;
pub mod vocabulary;

pub use language::{Language, Languages};
pub use locale::{Entry, Level, Locale, Script, Section, Words};
