//! Reading text for what it is about: blocks, sentences, words, languages and relevance. Shared by the
//! context of a prompt and by the built-in model; knows neither models nor documents' formats.

mod asking;
mod blocks;
mod concepts;
pub mod folding;
pub mod identity;
mod language;
pub mod numbers;
mod particles;
mod relevance;
mod sentences;
mod stop;
mod tokens;
mod unfinished;
mod words;
mod yes_no;

pub(crate) use blocks::{Block, BlockKind, blocks, cells, is_separator};
pub use language::language_code;
pub(crate) use language::{Language, detect};
pub(crate) use particles::{is_negation, refers};
pub(crate) use relevance::{Hit, MAX_TERMS, Matcher, Query, bm25_share, idf};
pub(crate) use sentences::sentences;
pub(crate) use stop::is_stop;
pub use tokens::{estimate, prefix_of_tokens, quarters};
pub(crate) use unfinished::{Lacks, lacks};
#[cfg(test)]
pub(crate) use words::Word;
pub(crate) use words::{fold, is_cjk, words};
pub use yes_no::yes_or_no;
