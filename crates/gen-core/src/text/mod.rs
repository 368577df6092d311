//! Text analysis: blocks, sentences, words, languages and relevance. The context of a prompt and the built-in
//! model share it. It knows neither models nor document formats.

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
