//! `POST /v2/generate` before scripted vendors.

mod answers;
mod context;
mod events;
mod faults;
mod hostile;
mod keys;
pub(crate) mod kit;
mod media;
mod models;
mod outcomes;
mod paged;
mod pages;
mod requests;
mod routing;
mod structured;
