//! Reading text for what it is about: blocks, sentences, words, languages and relevance. Shared by the
//! context of a prompt and by the built-in model; knows neither models nor documents' formats.

mod blocks;
mod concepts;
pub mod folding;
pub mod identifiers;
mod incomplete_question;
mod language;
pub mod numbers;
mod particles;
mod question_words;
mod relevance;
mod sentences;
mod stop_words;
mod tokens;
mod words;
mod yes_no;

pub(crate) use blocks::{Block, BlockKind, blocks, cells, is_separator};
pub(crate) use incomplete_question::{MissingParts, find_missing_parts};
pub use language::language_code;
pub(crate) use language::{Language, detect};
pub(crate) use particles::{is_negation, is_reference_word};
pub(crate) use relevance::{Hit, MAX_TERMS, Matcher, Query, bm25_share, idf};
pub(crate) use sentences::sentences;
pub(crate) use stop_words::is_stop_word;
pub use tokens::{estimate, prefix_of_tokens, quarters};
#[cfg(test)]
pub(crate) use words::Word;
pub(crate) use words::{fold, is_cjk, words};
pub use yes_no::yes_or_no;
