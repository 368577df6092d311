//! Agents: a name, instructions, a model and a form.

mod agent;
mod repository;

pub use agent::Agent;
pub use repository::AgentRepository;
