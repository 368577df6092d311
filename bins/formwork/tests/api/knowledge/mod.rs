//! Knowledge bases as their users see them.

pub(crate) mod add;
pub(crate) mod attributes;
pub(crate) mod bases;
pub(crate) mod deletion;
pub(crate) mod durable;
mod evaluation;
mod events;
pub(crate) mod hostile;
pub(crate) mod items;
pub(crate) mod kit;
mod links;
mod local_models;
pub(crate) mod positions;
mod refinement;
mod rerank;
mod rights;
pub(crate) mod search;
mod vectors;
