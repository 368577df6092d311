#![doc = include_str!("../README.md")]

mod classify;
mod duplicates;
mod page;
mod page_mark;
mod split;

pub use classify::{
    FORM_SIGNAL_NAMES, FormMatch, FormProfile, FormSignals, ModelChoice, Quote, Ranking, ask_model, combine,
    observe as observe_forms, rank,
};
pub use duplicates::{Duplicates, content_hash};
pub use split::{Division, DocumentRange, SIGNAL_NAMES, Signals, divide, observe as observe_boundaries};
