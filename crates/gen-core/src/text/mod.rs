//! Text analysis: blocks, identifiers and relevance. The context of a prompt and the built-in model share it. It
//! knows neither models nor document formats.

mod blocks;
mod concepts;
pub mod identifiers;
mod incomplete_question;
mod question_words;
mod reference_words;
mod relevance;
mod tokens;

pub(crate) use blocks::{Block, BlockKind, blocks, cells, is_separator};
pub(crate) use incomplete_question::{MissingParts, find_missing_parts};
pub(crate) use reference_words::is_reference_word;
pub(crate) use relevance::{Hit, MAX_TERMS, Matcher, Query};
pub use tokens::{estimate, prefix_of_tokens, quarters};
