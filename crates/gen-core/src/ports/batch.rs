//! Batches of a vendor: many chat requests that are answered within a day, at a lower price.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use shared_core::Timestamp;

use super::{ChatAnswer, ChatRequest, ProviderError};

/// A request of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRequest {
    /// Its id, unique among all batches of the account: the batch's reference, `-` and a number. At most 64 of
    /// `[A-Za-z0-9_-]`.
    pub id: String,
    /// Its body, as [`BatchModel::body`] wrote it.
    pub body: String,
}

/// What is known of a batch whose submission was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoughtBatch {
    /// Its reference, with which the ids of its requests begin.
    pub reference: String,
    /// The number of its requests.
    pub requests: u32,
    /// When it was submitted.
    pub submitted: Timestamp,
}

/// Whether the vendor has a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundBatch {
    /// It has this id.
    Present(String),
    /// A batch is in progress that may be it.
    Unclear,
    /// It has none.
    Absent,
}

/// The state of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchState {
    /// It is in progress.
    Running,
    /// It is over: completed, expired or cancelled. Requests without a result were not answered, and cost nothing.
    Ended,
    /// The vendor refused it as a whole, and nothing was paid. One sentence for the user.
    Refused(String),
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchResult {
    /// The id of the request.
    pub id: String,
    /// The body of the answer, for [`BatchModel::answer`]; `None` if the request failed, expired or was cancelled.
    pub body: Option<String>,
}

/// Answers chat requests in batches. The price of their tokens is half that of calls. Dropping a future of
/// [`submit`](Self::submit) leaves it open whether the vendor has the batch.
#[async_trait]
pub trait BatchModel: fmt::Debug + Send + Sync + 'static {
    /// The body of a request, as JSON.
    fn body(&self, request: &ChatRequest) -> Result<String, ProviderError>;
    /// The answer in a body of [`results`](Self::results).
    fn answer(&self, request: &ChatRequest, body: &str) -> Result<ChatAnswer, ProviderError>;
    /// Submits a batch. Returns the vendor's id of it.
    async fn submit(&self, reference: &str, requests: &[BatchRequest]) -> Result<String, ProviderError>;
    /// Looks for a batch whose submission was not answered.
    async fn find(&self, sought: &SoughtBatch) -> Result<FoundBatch, ProviderError>;
    /// The state of a batch by its id.
    async fn state(&self, id: &str) -> Result<BatchState, ProviderError>;
    /// The results of a batch that is over, in any order.
    async fn results(&self, id: &str) -> Result<Vec<BatchResult>, ProviderError>;
    /// Begins to cancel a batch; one that is over stays as it is.
    async fn cancel(&self, id: &str) -> Result<(), ProviderError>;
    /// How long after its submission a batch is over in any case.
    fn window(&self) -> Duration {
        Duration::from_secs(24 * 3_600)
    }
}
