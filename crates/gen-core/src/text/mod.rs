//! Text analysis: blocks, identifiers, relevance, and what a prompt asks for. Generation and the rules that answer
//! without a model share it. It knows neither models nor document formats.

mod blocks;
mod concepts;
pub mod identifiers;
mod incomplete_question;
mod intent;
mod question;
mod question_words;
mod relevance;
mod tokens;

pub use blocks::{Block, BlockKind, blocks, cells, is_separator};
pub use incomplete_question::{MissingParts, find_missing_parts};
pub use intent::{Intent, focus, intent};
pub(crate) use intent::{summary_focus, wants_media};
pub(crate) use question::is_follow_up;
pub use question::{AnswerType, depends_on_previous, detect_answer_type, is_question};
pub use relevance::{Hit, MAX_TERMS, Matcher, Query, Term};
pub use tokens::{estimate, prefix_of_tokens, quarters};
