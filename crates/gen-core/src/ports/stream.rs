//! Streamed answers.

use std::fmt;

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use super::{ChatRequest, Finish, ProviderError, ToolCallDelta, Usage};

/// An event of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// Text to append; never empty.
    Text(String),
    /// A piece of a tool call.
    ToolCall(ToolCallDelta),
    /// The last event of a complete answer. A stream that ends without it is broken.
    End {
        /// Why the answer ended.
        finish: Finish,
        /// Tokens used.
        usage: Usage,
        /// One sentence for each part of the request that was ignored.
        warnings: Vec<String>,
    },
}

/// The events of one answer. An error is the last item. Dropping it cancels the call.
pub type ChatEvents = BoxStream<'static, Result<ChatEvent, ProviderError>>;

/// Answers chat requests as streams.
#[async_trait]
pub trait StreamingChatModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries. An error before the first event may be returned or streamed.
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError>;
}
