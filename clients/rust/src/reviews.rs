//! Values that people review.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::error::Result;
use crate::pages::Items;
use crate::request::{Request, segment};

/// Operations on reviews.
#[derive(Clone, Copy, Debug)]
pub struct Reviews<'a> {
    client: &'a Client,
}

/// A value that people review.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Review {
    /// Its identifier.
    pub id: String,
    /// The agent of its run.
    pub namespace: String,
    /// The run.
    pub sid: i64,
    /// Index of the group in the run, from 0.
    pub group: u32,
    /// JSON pointer into the record; empty for a group that failed.
    pub path: String,
    /// `open`, `accepted`, `corrected` or `not_stated`.
    pub state: String,
    /// The value as it is now.
    pub value: Value,
    /// The value as it was extracted.
    pub extracted: Value,
    /// Confidence of the value that was extracted.
    pub confidence: Option<f64>,
    /// Grows with each change.
    pub revision: i64,
    /// All other keys, such as `reasons`; of a single review also `evidence`, `candidates` and `history`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct DecisionAnswer {
    reviews: Vec<Review>,
}

#[derive(Deserialize)]
struct QueueAnswer {
    queued: u64,
}

impl Client {
    /// Operations on the values that people review.
    #[must_use]
    pub fn reviews(&self) -> Reviews<'_> {
        Reviews { client: self }
    }
}

impl Reviews<'_> {
    /// The queue, newest first. Conditions are `namespace`, `sid`, `state`, `reason`, `field`, `assignee` and `order`.
    #[must_use]
    pub fn list(&self, conditions: &[(&str, &str)]) -> Items<Review> {
        let start = Request::get("/v1/reviews");
        self.client.list(conditions.iter().fold(start, |request, (name, value)| request.query(name, value)))
    }

    /// A review with its evidence, the values of other documents, and its history.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn get(&self, id: &str) -> Result<Review> {
        self.client.send(Request::get(format!("/v1/reviews/{}", segment(id)))).await
    }

    /// Queues values of a run that is over, by the rules of its agent. Returns how many.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn queue(&self, agent: &str, sid: i64) -> Result<u64> {
        let body = json!({"namespace": agent, "sid": sid});
        Ok(self.client.send::<QueueAnswer>(Request::post("/v1/reviews").json(&body)).await?.queued)
    }

    /// Decides, all or none: each decision has `review_id`, `action`, and `value`, `evidence`, `note` or `revision`. Returns
    /// the reviews in the order of the decisions.
    ///
    /// # Errors
    /// [`Error::Api`](crate::Error::Api) with the rules that a decision breaks, and as [`Client::send`].
    pub async fn decide(&self, decisions: &[Value]) -> Result<Vec<Review>> {
        let body = json!({"decisions": decisions});
        Ok(self
            .client
            .send::<DecisionAnswer>(Request::post("/v1/reviews/decisions").json(&body))
            .await?
            .reviews)
    }
}
