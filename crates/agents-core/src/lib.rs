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
pub mod rules;
mod service;

pub use agent::Agent;
pub use error::AgentsError;
pub use knowledge::{KnowledgeBases, NoopKnowledgeBases};
pub use memory::MemoryAgents;
pub use repository::AgentRepository;
pub use service::{AgentChanges, AgentsService, NewAgent};
