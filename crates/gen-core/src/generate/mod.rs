//! The use case of `POST /v2/generate`: validate the request, select passages of its documents and knowledge
//! bases as numbered context, call a model, and check the citations of the answer.

mod answer;
mod check;
mod citation_filter;
mod conversation;
mod error;
mod facts;
mod grounding;
mod json;
mod media;
mod notices;
mod prepared;
mod prompt;
mod request;
mod service;
mod stream;
mod substitution;
mod support;
#[cfg(test)]
mod support_figures;
mod tools;

pub use answer::{GenerateAnswer, GenerateEvent, GenerateEvents};
pub use error::GenerateError;
pub use grounding::{SourceCitation, Statement};
pub use request::{
    GenerateLimits, GenerateRequest, HistoryMessage, MAX_ANSWER_TOKENS, MAX_PICTURES, MAX_REFERENCE,
    MAX_STOP, MAX_STOPS,
};
pub use service::{GeneratePorts, GenerateService};
