#![doc = include_str!("../README.md")]

pub mod builtin;
mod catalogue;
mod context;
mod error;
mod generate;
mod models;
mod ports;
mod routing;
#[cfg(feature = "scripted")]
pub mod scripted;
mod service;
pub mod structured;
pub mod text;

pub use builtin::Extractive;
pub use catalogue::{Catalogue, Entry, Guess, LongPrice, Price, guess_open};
pub use context::{ContextItem, ContextOptions, MAX_CONTEXT_TOKENS, MAX_TOP_K, Material, select};
pub use error::{GenError, MAX_FALLBACKS};
pub use generate::{
    GenerateAnswer, GenerateError, GenerateEvent, GenerateEvents, GenerateLimits, GenerateRequest,
    GenerateService, InPlace, MAX_ANSWER_TOKENS, MAX_REFERENCE, SourceCitation, Sources, Statement, Turn,
    Workers, offload,
};
pub use models::{EXTRACTIVE, Model, ModelId, ModelIdError, ModelKind, Provider};
pub use ports::*;
pub use routing::{
    Backend, Capacity, CircuitSettings, GenEvent, GenEvents, Generated, Incident, Observer, Retry,
    ServerName, ServerNameError, StreamEnd, Timeouts, Transcript, Unobserved, Upstream,
};
pub use service::{GenService, GenServiceBuilder, ModelChoice};
pub use text::{estimate as estimate_tokens, language_code, prefix_of_tokens, quarters as token_quarters};
