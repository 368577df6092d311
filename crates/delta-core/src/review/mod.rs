//! Review: doubtful values of responses come into a queue, where people accept or correct them.
//!
//! A response is never changed. Its reviews are stored beside it, and are applied when it is read.

mod calibration;
mod confidence;
mod decision;
mod documents;
mod error;
mod example;
pub(crate) mod item;
mod learning;
mod model;
mod quote;
mod repository;
mod response;
mod selection;
mod service;
#[cfg(test)]
mod test_samples;

pub use calibration::Calibration;
pub use decision::{MAX_ASSIGNEE, MAX_NOTE, ReviewAction, ReviewDecision};
pub use error::ReviewError;
pub use item::{NewReview, ReviewEntry, ReviewReason, ReviewState, ReviewSubject, ReviewedValue};
pub(crate) use learning::learn;
pub use model::{Review, ReviewFilter, ReviewOrder};
pub use quote::{MAX_MEMBER_QUOTES, MAX_QUOTE, MemberQuote, ReviewQuote};
pub use repository::ReviewRepository;
pub(crate) use selection::of_outcome;
pub use service::{MAX_DECISIONS, ReviewService};
