//! The guided conversation as a pure state machine: form, state and what a message says in, state and what is said
//! next out. It knows no language, no model and no clock.

mod acts;
mod apply;
mod begin;
mod lists;
mod part;
pub(crate) mod place;
pub(crate) mod questions;
mod step;
mod view;

pub use apply::apply_statements;
pub use begin::{begin, prefill, refit};
pub use part::Part;
pub use step::{Occasion, asked, step};
pub use view::{FormView, record, view};
