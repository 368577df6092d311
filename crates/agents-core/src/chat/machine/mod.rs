//! The dialogue manager: a pure state machine. It takes the form, its state and an interpretation, changes
//! the state and returns the system acts. It knows no language, model or clock.

mod acts;
mod apply;
mod apply_outcome;
mod attempts;
mod broken_rules;
mod changes;
mod init;
mod lists;
pub(crate) mod pointer;
pub(crate) mod questions;
mod status;
mod step;
mod step_outcome;
mod system_act;
mod update;
mod view;

pub use apply::apply_slot_updates;
pub use changes::{changes, keep_evidence, source};
pub use init::{begin, migrate_state, prefill};
pub use step::{TurnContext, pending_question, step};
pub use system_act::SystemAct;
pub use view::{FormView, record, view};
