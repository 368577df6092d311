//! Routing from a request to a model that answers it: concurrency limits, circuit breakers, timeouts,
//! retries, fallbacks, settlement. It knows models only by their ports.

mod answer;
mod attempt;
mod backend;
mod circuit;
mod concurrency_limiter;
mod driver;
mod gateway;
mod list_cache;
mod live_stream;
mod name_suggestions;
mod observer;
mod operations;
mod optional_timer;
mod policy;
mod retry_decision;
mod token_estimate;

pub use answer::{GenEvent, GenEvents, ModelOutput, StreamEnd, Transcript};
pub use backend::{Backend, Upstream};
pub use concurrency_limiter::QueueFigures;
pub use observer::{Incident, NoopObserver, Observer};
pub use policy::{Capacity, CircuitSettings, RetryPolicy, Timeouts};
pub use token_estimate::{PICTURE_TOKENS, input as request_tokens};

pub(crate) use attempt::{estimate, settle_reservation};
pub(crate) use backend::{Route, Routes, Target};
pub(crate) use driver::run;
pub(crate) use gateway::Gateway;
pub(crate) use live_stream::relay_stream;
pub(crate) use operations::{
    ChatOperation, EmbedOperation, ImageOperation, Operation, RerankOperation, SpeechOperation,
    StreamOperation, picture_usage, speech_usage, usage_or_estimate,
};
pub(crate) use optional_timer::OptionalTimer;
