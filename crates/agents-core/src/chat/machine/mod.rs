//! The guided conversation as a pure state machine: form, state and what a message says in, state and what is said
//! next out. It knows no language, no model and no clock.

mod acts;
mod apply;
mod init;
mod lists;
pub(crate) mod pointer;
pub(crate) mod questions;
mod step;
mod system_act;
mod view;

pub use apply::apply_slot_updates;
pub use init::{begin, migrate_state, prefill};
pub use step::{TurnContext, pending_question, step};
pub use system_act::SystemAct;
pub use view::{FormView, record, view};
