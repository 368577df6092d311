//! Message batches. (<https://platform.claude.com/docs/en/api/messages/batches>)

use async_trait::async_trait;
use gen_core::structured::{CompiledSchema, Dialect};
use gen_core::{
    BatchModel, BatchRequest, BatchResult, BatchState, ChatAnswer, ChatRequest, Fault, FoundBatch,
    ProviderError, SoughtBatch,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_core::Timestamp;

use super::client::Anthropic;
use super::map;
use super::wire::Message;
use crate::json_lines::read_lines;
use crate::lenient::first;
use crate::schema::{compiled, decoded};

/// Batches of a page of the list: the maximum of the API.
const PAGE: &str = "1000";
/// Pages of the list that are searched at most. Bounds the time.
const MAX_PAGES: usize = 5;
/// Seconds by which the clocks of the two sides may differ.
const CLOCK_SKEW: i64 = 600;

#[derive(Serialize)]
struct NewBatch<'a> {
    requests: Vec<NewRequest<'a>>,
}

#[derive(Serialize)]
struct NewRequest<'a> {
    custom_id: &'a str,
    params: &'a RawValue,
}

#[derive(Deserialize)]
struct Batch {
    id: String,
    #[serde(default)]
    processing_status: String,
    #[serde(default)]
    created_at: Option<String>,
    #[serde(default)]
    request_counts: RequestCounts,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RequestCounts {
    processing: u64,
    succeeded: u64,
    errored: u64,
    canceled: u64,
    expired: u64,
}

impl RequestCounts {
    fn total(&self) -> u64 {
        [self.processing, self.succeeded, self.errored, self.canceled, self.expired]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

#[derive(Deserialize)]
struct BatchPage {
    #[serde(default, deserialize_with = "first::<1000, _, _>")]
    data: Vec<Batch>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct ResultLine {
    custom_id: String,
    result: LineResult,
}

#[derive(Deserialize)]
struct LineResult {
    #[serde(default)]
    message: Option<Box<RawValue>>,
}

impl Anthropic {
    fn batches_path<'a>(&self, rest: &[&'a str]) -> Vec<&'a str> {
        let own = self.path("messages");
        own.into_iter().chain(["batches"]).chain(rest.iter().copied()).collect()
    }

    async fn list(&self, after: Option<&str>) -> Result<BatchPage, ProviderError> {
        let mut query = vec![("limit", PAGE)];
        query.extend(after.map(|after| ("after_id", after)));
        self.endpoint().call(&self.batches_path(&[])).get_json(&query).await
    }
}

#[async_trait]
impl BatchModel for Anthropic {
    fn body(&self, request: &ChatRequest) -> Result<String, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Anthropic)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let body = map::request(request, schema, self.defaults(), false)?;
        serde_json::to_string(&body).map_err(unwritable)
    }

    fn answer(&self, request: &ChatRequest, body: &str) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Anthropic)?;
        let message: Message = self.endpoint().parse(body.as_bytes())?;
        let answer = map::answer(message, request.tools.is_offered(), map::warnings(request))?;
        Ok(decoded(answer, compiled.as_ref()))
    }

    async fn submit(&self, _: &str, requests: &[BatchRequest]) -> Result<String, ProviderError> {
        let mut new = Vec::with_capacity(requests.len());
        for request in requests {
            let params: &RawValue = serde_json::from_str(&request.body).map_err(unwritable)?;
            new.push(NewRequest { custom_id: &request.id, params });
        }
        let batch = NewBatch { requests: new };
        let batch: Batch = self.endpoint().call(&self.batches_path(&[])).post_json(&batch).await?;
        Ok(batch.id)
    }

    /// The API keeps no name of a batch, and tells the ids of requests only with the results. So a batch of the same time
    /// and size that is in progress may be the one.
    async fn find(&self, sought: &SoughtBatch) -> Result<FoundBatch, ProviderError> {
        let since = sought.submitted.plus_seconds(-CLOCK_SKEW);
        let mut after: Option<String> = None;
        let mut is_unclear = false;
        for _ in 0..MAX_PAGES {
            let page = self.list(after.as_deref()).await?;
            for batch in &page.data {
                if is_before(batch, since) || batch.request_counts.total() != u64::from(sought.requests) {
                    continue;
                }
                if batch.processing_status != "ended" {
                    is_unclear = true;
                    continue;
                }
                let results = self.results(&batch.id).await?;
                if results.iter().any(|result| result.id.starts_with(&sought.reference)) {
                    return Ok(FoundBatch::Present(batch.id.clone()));
                }
            }
            // Newest first.
            after = page
                .data
                .last()
                .filter(|last| page.has_more && !is_before(last, since))
                .map(|last| last.id.clone());
            if after.is_none() {
                return Ok(if is_unclear { FoundBatch::Unclear } else { FoundBatch::Absent });
            }
        }
        Ok(FoundBatch::Unclear)
    }

    async fn state(&self, id: &str) -> Result<BatchState, ProviderError> {
        let batch: Batch = self.endpoint().call(&self.batches_path(&[id])).get_json(&[]).await?;
        Ok(if batch.processing_status == "ended" { BatchState::Ended } else { BatchState::Running })
    }

    async fn results(&self, id: &str) -> Result<Vec<BatchResult>, ProviderError> {
        // Not `results_url`: an answer does not choose the address that the key is sent to.
        let content = self.endpoint().call(&self.batches_path(&[id, "results"])).get_bytes(&[]).await?;
        let result = |ResultLine { custom_id, result }: ResultLine| BatchResult {
            id: custom_id,
            body: result.message.map(|message| message.get().to_owned()),
        };
        Ok(read_lines(&content)?.into_iter().map(result).collect())
    }

    async fn cancel(&self, id: &str) -> Result<(), ProviderError> {
        let nothing = serde_json::Map::new();
        let path = self.batches_path(&[id, "cancel"]);
        let _: Batch = self.endpoint().call(&path).post_json(&nothing).await?;
        Ok(())
    }
}

/// Whether a batch was certainly made before an instant.
fn is_before(batch: &Batch, instant: Timestamp) -> bool {
    let created = batch.created_at.as_deref().and_then(Timestamp::of_rfc3339);
    created.is_some_and(|created| created < instant)
}

fn unwritable(error: serde_json::Error) -> ProviderError {
    ProviderError::new(Fault::InvalidRequest, "the request cannot be written as JSON").with_source(error)
}
