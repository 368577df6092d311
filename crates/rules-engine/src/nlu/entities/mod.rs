//! Third stage: values, names and formats in spans of words.

pub(crate) mod ambiguity;
pub(crate) mod answer_frame;
pub(crate) mod choice_ranges;
pub(crate) mod count_context;
pub(crate) mod formats;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod sizes;
pub(crate) mod value_parser;
