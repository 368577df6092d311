//! Idempotent requests: clients that send each request until it is answered, and servers that may die between any two
//! steps.

mod scenario;
mod server;
mod store;

pub(crate) use scenario::begin;
