//! Conversations with an agent: free talk, and the guided conversation that fills the agent's form.
//!
//! A message is *heard* by a reader ([`UserTurn`] → [`Interpretation`]): the built-in rules or a text model. A pure state
//! machine decides what the reading does to the form and what is said next; templates or the model word it.

mod agent_memory;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod interpretation;
pub mod machine;
mod memory;
mod model_nlu;
pub mod nlu;
mod patterns;
mod repository;
mod service;
mod session;
mod sessions;
mod state;
mod tables;
pub mod wording;

pub use agent_memory::{AgentMemory, NoopAgentMemory};
pub use error::ChatError;
pub use interpretation::{ActType, DialogueAct, Interpretation, SlotOperation, SlotUpdate, UserTurn};
pub use memory::MemorySessions;
pub use repository::SessionRepository;
pub use service::{
    AgentChatAnswer, AgentChatRequest, AnswerBasis, ChatLimits, ChatPorts, ChatReply, ChatResponseStream,
    ChatService, Exchange, FormStateView, GuidedReply,
};
pub use session::{Session, Speaker, Submission, Turn, TurnOutcome};
pub use sessions::{MAX_SHOWN_TURNS, SessionsService};
pub use shared_core::{PAGE_BYTES, page_length};
pub use state::{FieldStatus, FormState, Phase};
pub use tables::submission_rows;
