//! Conversations with an agent: free-form chat, and the guided dialogue that fills the agent's form.
//!
//! Natural language understanding turns a message into an [`Interpretation`] ([`UserTurn`] →
//! [`Interpretation`]). It is rules behind a port ([`Nlu`]) or a text model ([`model_nlu`]). A pure state machine
//! ([`machine`]) applies the interpretation to the form and selects the system acts. Templates ([`wording`])
//! or the model word them.

mod agent_memory;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod interpretation;
pub mod machine;
mod memory;
pub mod model_nlu;
mod nlu;
mod patterns;
mod repository;
mod service;
mod session;
mod sessions;
mod spoken_language;
mod state;
mod tables;
pub mod wording;

pub use agent_memory::{AgentMemory, NoopAgentMemory};
pub use error::ChatError;
pub use interpretation::{ActType, DialogueAct, Interpretation, SlotOperation, SlotUpdate, UserTurn};
pub use memory::MemorySessions;
pub use nlu::Nlu;
pub use repository::SessionRepository;
pub use service::{
    AgentChatAnswer, AgentChatRequest, AnswerBasis, AnswerObserver, ChatLimits, ChatPorts, ChatReply,
    ChatResponseStream, ChatService, Exchange, FormStateView, GuidedReply,
};
pub use session::{Session, Speaker, Submission, Takeover, Turn, TurnDetails, TurnOutcome, ValueChange};
pub use sessions::{MAX_SHOWN_TURNS, SessionsService};
pub use shared_core::{PAGE_BYTES, page_length};
pub use spoken_language::{form_language, spoken_language};
pub use state::{FieldStatus, FormState, Phase};
pub use tables::submission_rows;
