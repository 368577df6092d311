#![doc = include_str!("../README.md")]

mod agent;
pub mod chat;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod knowledge;
mod memory;
mod repository;
mod review;
pub mod rules;
mod service;
mod tool_servers;

pub use agent::{Agent, AgentForm};
pub use error::AgentsError;
pub use knowledge::{KnowledgeBases, NoopKnowledgeBases};
pub use memory::MemoryAgents;
pub use repository::AgentRepository;
pub use review::{MAX_REVIEW_FIELDS, MAX_REVIEW_PATH, ReviewPolicy};
pub use service::{AgentChanges, AgentsService, NewAgent};
pub use tool_servers::{
    Authorization, MAX_ALLOWED_TOOLS, MAX_TOOL_SERVERS, MAX_TOOL_TEXT, NoopToolServers, ToolServer,
    ToolServerError, ToolServers,
};
