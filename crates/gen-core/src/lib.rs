#![doc = include_str!("../README.md")]

mod catalogue;
mod context;
mod error;
mod generate;
mod models;
mod ports;
mod routing;
#[cfg(feature = "scripted")]
pub mod scripted;
mod server_name;
mod service;
pub mod structured;
pub mod suggestions;
pub mod text;

pub use catalogue::{Catalogue, CatalogueEntry, KindGuess, LongPrice, Price, guess_open_model};
pub use context::{
    ContextItem, ContextMaterial, ContextOptions, MAX_CONTEXT_TOKENS, MAX_TOP_K, NOTHING_FOUND_RULE,
    select_context,
};
pub use error::{GenError, MAX_FALLBACKS};
pub use generate::{
    GenerateAnswer, GenerateError, GenerateEvent, GenerateEvents, GenerateLimits, GeneratePorts,
    GenerateRequest, GenerateService, HistoryMessage, MAX_ANSWER_TOKENS, MAX_PICTURES, MAX_REFERENCE,
    MAX_STOP, MAX_STOPS, SourceCitation, Statement,
};
pub use models::{EXTRACTIVE, ModelId, ModelIdError, ModelKind, Provider};
pub use ports::*;
pub use routing::{
    Backend, Capacity, CircuitSettings, GenEvent, GenEvents, Incident, ModelOutput, NoopObserver, Observer,
    PICTURE_TOKENS, QueueFigures, RetryPolicy, StreamEnd, Timeouts, Transcript, Upstream, request_tokens,
};
pub use server_name::{ServerName, ServerNameError};
pub use service::{BatchCall, GenService, GenServiceBuilder, Model, ModelChoice};
pub use text::{estimate as estimate_tokens, prefix_of_tokens, quarters as token_quarters};
