#![doc = include_str!("../README.md")]

mod classify;
mod duplicates;
mod page;
mod page_mark;
mod split;

pub use classify::{
    AskedModel, FORM_SIGNAL_NAMES, FormClassifier, FormMatch, FormProfile, FormSignals, MAX_MODEL_CALLS,
    ModelChoice, Quote, Ranking, ask_model, combine, observe as observe_forms, question_length, rank,
};
pub use duplicates::{Duplicates, content_hash};
pub use split::{Division, DocumentRange, SIGNAL_NAMES, Signals, divide, observe as observe_boundaries};
