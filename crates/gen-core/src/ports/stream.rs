//! Answers as they are written.

use std::fmt;

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use super::{ChatRequest, Finish, ProviderError, Usage};

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// Text that follows what came before; never empty.
    Text(String),
    /// The end: the last event of a whole answer. A stream that ends without it broke.
    End {
        /// Why the model stopped.
        finish: Finish,
        /// What it cost.
        usage: Usage,
        /// What of the request was left out, one sentence each.
        warnings: Vec<String>,
    },
}

/// The pieces of one answer. An error is the last item. Dropping it abandons the call.
pub type ChatEvents = BoxStream<'static, Result<ChatEvent, ProviderError>>;

/// Answers questions piece by piece.
#[async_trait]
pub trait StreamingChatModel: fmt::Debug + Send + Sync + 'static {
    /// Asks once, without retries. An error before the first piece may be returned or streamed.
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError>;
}
