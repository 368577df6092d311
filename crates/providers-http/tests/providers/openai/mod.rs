//! OpenAI's interface against a scripted upstream.

mod answers;
mod faults;
pub(crate) mod kit;
mod requests;
mod secrets;
mod statuses;
mod streams;
