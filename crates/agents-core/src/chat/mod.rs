//! Conversations with an agent: free talk, and the guided conversation that fills the agent's form.
//!
//! A message is *heard* by a reader ([`Heard`] → [`Reading`]): the built-in rules or a text model. A pure state
//! machine decides what the reading does to the form and what is said next; templates or the model word it.

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
pub mod machine;
mod memory;
mod memory_port;
mod model_reader;
pub mod reader;
mod reading;
mod repository;
mod service;
mod session;
mod sessions;
mod shape;
mod state;
mod tables;
pub mod wording;

pub use error::ChatError;
pub use memory::MemorySessions;
pub use memory_port::{AgentMemory, NoMemory};
pub use reading::{Act, Change, Heard, Reading, Said, Statement};
pub use repository::SessionRepository;
pub use service::{
    AnswerBasis, ChatAnswer, ChatLimits, ChatPorts, ChatReply, ChatRequest, ChatService, ChatStream,
    Exchange, FormShown, GuidedReply,
};
pub use session::{Session, Speaker, Submission, Taken, Turn};
pub use sessions::{MAX_SHOWN_TURNS, SessionsService};
pub use shared_core::{PAGE_BYTES, page_length};
pub use state::{FormState, Mark, Phase};
pub use tables::submission_rows;
