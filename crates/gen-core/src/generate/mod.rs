//! The use case of `POST /v2/generate`: a request is checked as a whole, its documents and knowledge
//! become numbered context, a model answers, and the citations of the answer are checked.

mod answer;
mod cite;
mod error;
mod grounds;
mod json;
mod media;
mod notices;
mod prompt;
mod replaced;
mod request;
mod service;
mod stream;
mod support;
#[cfg(test)]
mod support_figures;
mod workers;

pub use answer::{GenerateAnswer, GenerateEvent, GenerateEvents};
pub use error::GenerateError;
pub use grounds::{SourceCitation, Statement};
pub use request::{GenerateLimits, GenerateRequest, MAX_ANSWER_TOKENS, MAX_REFERENCE, Turn};
pub use service::{GenerateService, Sources};
pub use workers::{InPlace, Workers, offload};
