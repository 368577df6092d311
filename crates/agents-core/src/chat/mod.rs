//! Conversations with an agent: free talk, and the guided conversation that fills the agent's form.
//!
//! A message is *heard* by a reader ([`Heard`] → [`Reading`]): the built-in rules or a text model. A pure state
//! machine decides what the reading does to the form and what is said next; templates or the model word it. It
//! must not know where sessions are kept or how models are called.

pub mod machine;
pub mod reader;
mod reading;
mod repository;
mod session;
mod state;
pub mod wording;

pub use reading::{Act, Change, Heard, Reading, Said, Statement};
pub use repository::SessionRepository;
pub use session::{Session, Speaker, Submission, Turn};
pub use state::{FormState, Mark, Phase};
