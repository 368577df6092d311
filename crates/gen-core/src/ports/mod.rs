//! The ports of generation: one trait per capability of a provider, with requests and answers that are the
//! same for all vendors; and the ports that the service itself needs.

mod batch;
mod chat;
mod embed;
mod error;
mod list;
mod media;
mod meter;
mod rerank;
mod sources;
mod stream;
mod tools;
mod usage;

pub use batch::{BatchModel, BatchRequest, BatchResult, BatchState, FoundBatch, SoughtBatch};
pub use chat::{
    ChatAnswer, ChatModel, ChatRequest, Citation, Effort, Finish, Message, PICTURE_TYPES, Part,
    ResponseSchema, Role,
};
pub use embed::{EmbedModel, EmbedPurpose, EmbedRequest, Embeddings};
pub use error::{Fault, ProviderError};
pub use list::{ListedModel, ModelList};
pub use media::{
    ImageAnswer, ImageModel, ImageRequest, Media, SpeechAnswer, SpeechModel, SpeechRequest, picture_type,
};
pub use meter::{
    CallerContext, Cost, Estimate, LimitReached, Meter, MeterError, NoopMeter, Reservation, Spend,
};
pub use rerank::{RerankModel, RerankRequest, RerankScores};
pub use shared_core::{InstantTimer, Timer};
pub use sources::{
    BaseQuery, DocumentSource, IndexWait, KnowledgeQuery, KnowledgeSource, MediaStore, PageLayout, Passage,
    Passages, PrintedPlace, RerankOptions, SourceDocument, SourceError, SourceSpan, WaitFor,
};
pub use stream::{ChatEvent, ChatEvents, StreamingChatModel};
pub use tools::{MAX_TOOLS, Tool, ToolCall, ToolCallDelta, ToolCalls, ToolChoice, ToolSet, deltas};
pub use usage::Usage;
