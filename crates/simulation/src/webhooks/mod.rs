//! Webhooks: deliveries that several servers send to receivers, which fail, are slow, and are deleted.

mod receiver;
mod scenario;
mod store;

pub(crate) use scenario::begin;
