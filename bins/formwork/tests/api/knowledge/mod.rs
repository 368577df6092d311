//! Knowledge bases as their users see them.

mod add;
mod bases;
pub(crate) mod deletion;
pub(crate) mod durable;
mod events;
mod hostile;
mod items;
mod kit;
mod links;
pub(crate) mod search;
