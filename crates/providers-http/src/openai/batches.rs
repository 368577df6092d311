//! The Batch API: a file of requests, a batch of it, and files of results.
//! (<https://platform.openai.com/docs/api-reference/batch>)

use async_trait::async_trait;
use gen_core::structured::CompiledSchema;
use gen_core::{
    BatchModel, BatchRequest, BatchResult, BatchState, ChatAnswer, ChatRequest, Fault, FoundBatch,
    ProviderError, SoughtBatch,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::client::OpenAiCompatible;
use super::map::{chat_answer, chat_body, input_characters};
use super::wire::ChatCompletion;
use crate::json_lines::read_lines;
use crate::lenient::{Scalar, first};
use crate::schema::{compiled, decoded};

/// The endpoint of each request.
pub(super) const URL: &str = "/v1/chat/completions";
/// The only window that there is.
const WINDOW: &str = "24h";
/// The entry of the metadata with our reference.
pub(super) const REFERENCE: &str = "formwork_batch";
/// Batches of a page of the list: the maximum of the API.
const PAGE: &str = "100";
/// Pages of the list that are searched at most. Bounds the time.
pub(super) const MAX_PAGES: usize = 20;
/// Seconds by which the clocks of the two sides may differ.
pub(super) const CLOCK_SKEW: i64 = 600;

#[derive(Serialize)]
struct RequestLine<'a> {
    custom_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'static str>,
    body: &'a RawValue,
}

#[derive(Serialize)]
struct NewBatch<'a> {
    input_file_id: &'a str,
    endpoint: &'static str,
    completion_window: &'static str,
    metadata: std::collections::BTreeMap<&'static str, &'a str>,
}

#[derive(Deserialize)]
struct UploadedFile {
    id: String,
}

#[derive(Deserialize)]
struct Batch {
    id: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    created_at: Option<i64>,
    #[serde(default)]
    output_file_id: Option<String>,
    #[serde(default)]
    errors: Option<BatchErrors>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

/// Entries of any client.
#[derive(Deserialize)]
pub(super) struct Metadata(std::collections::BTreeMap<String, Scalar>);

impl Metadata {
    /// Whether the batch has our reference.
    pub(super) fn names(&self, reference: &str) -> bool {
        matches!(self.0.get(REFERENCE), Some(Scalar::Text(text)) if text == reference)
    }
}

#[derive(Default, Deserialize)]
struct BatchErrors {
    #[serde(default, deserialize_with = "first::<1, _, _>")]
    data: Vec<BatchError>,
}

#[derive(Deserialize)]
struct BatchError {
    #[serde(default)]
    message: Option<String>,
}

#[derive(Deserialize)]
struct BatchPage {
    #[serde(default, deserialize_with = "first::<100, _, _>")]
    data: Vec<Batch>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct ResultLine {
    custom_id: String,
    #[serde(default)]
    response: Option<LineResponse>,
}

#[derive(Deserialize)]
struct LineResponse {
    #[serde(default)]
    status_code: u16,
    #[serde(default)]
    body: Option<Box<RawValue>>,
}

impl OpenAiCompatible {
    async fn batch(&self, id: &str) -> Result<Batch, ProviderError> {
        self.endpoint().call(&["batches", id]).get_json(&[]).await
    }

    /// Uploads the requests of a batch as a file. Returns its id. Where the batch does not tell it, each line has the
    /// `method` and the path.
    pub(super) async fn upload_requests(
        &self,
        reference: &str,
        requests: &[BatchRequest],
        (method, url): (Option<&'static str>, Option<&'static str>),
    ) -> Result<String, ProviderError> {
        let mut file = Vec::new();
        for request in requests {
            let body = serde_json::from_str(&request.body).map_err(unwritable)?;
            let line = RequestLine { custom_id: &request.id, method, url, body };
            serde_json::to_writer(&mut file, &line).map_err(unwritable)?;
            file.push(b'\n');
        }
        let name = format!("{reference}.jsonl");
        let call = self.endpoint().call(&["files"]);
        let uploaded: UploadedFile = call.post_file(&[("purpose", "batch")], &name, file).await?;
        Ok(uploaded.id)
    }

    /// The results in a file.
    pub(super) async fn read_results(&self, file: &str) -> Result<Vec<BatchResult>, ProviderError> {
        let content = self.endpoint().call(&["files", file, "content"]).get_bytes(&[]).await?;
        let result = |ResultLine { custom_id, response }: ResultLine| {
            let response = response.filter(|response| response.status_code == 200);
            let body = response.and_then(|response| response.body).map(|body| body.get().to_owned());
            BatchResult { id: custom_id, body }
        };
        Ok(read_lines(&content)?.into_iter().map(result).collect())
    }
}

#[async_trait]
impl BatchModel for OpenAiCompatible {
    fn body(&self, request: &ChatRequest) -> Result<String, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), self.profile().dialect)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let (body, _) = chat_body(self.profile(), request, schema, false);
        serde_json::to_string(&body).map_err(unwritable)
    }

    fn answer(&self, request: &ChatRequest, body: &str) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), self.profile().dialect)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let (sent, warnings) = chat_body(self.profile(), request, schema, false);
        let completion: ChatCompletion = self.endpoint().parse(body.as_bytes())?;
        let answer = chat_answer(completion, input_characters(&sent), request.tools.is_offered(), warnings)?;
        Ok(decoded(answer, compiled.as_ref()))
    }

    async fn submit(&self, reference: &str, requests: &[BatchRequest]) -> Result<String, ProviderError> {
        let file = self.upload_requests(reference, requests, (Some("POST"), Some(URL))).await?;
        let batch = NewBatch {
            input_file_id: &file,
            endpoint: URL,
            completion_window: WINDOW,
            metadata: [(REFERENCE, reference)].into(),
        };
        let batch: Batch = self.endpoint().call(&["batches"]).post_json(&batch).await?;
        Ok(batch.id)
    }

    async fn find(&self, sought: &SoughtBatch) -> Result<FoundBatch, ProviderError> {
        let since = sought.submitted.micros().div_euclid(1_000_000) - CLOCK_SKEW;
        let mut after: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut query = vec![("limit", PAGE)];
            query.extend(after.as_deref().map(|after| ("after", after)));
            let page: BatchPage = self.endpoint().call(&["batches"]).get_json(&query).await?;
            for batch in &page.data {
                if batch.metadata.as_ref().is_some_and(|metadata| metadata.names(&sought.reference)) {
                    return Ok(FoundBatch::Present(batch.id.clone()));
                }
            }
            // Newest first.
            let is_older = |batch: &Batch| batch.created_at.is_some_and(|created| created < since);
            after =
                page.data.last().filter(|last| page.has_more && !is_older(last)).map(|last| last.id.clone());
            if after.is_none() {
                return Ok(FoundBatch::Absent);
            }
        }
        Ok(FoundBatch::Unclear)
    }

    async fn state(&self, id: &str) -> Result<BatchState, ProviderError> {
        let batch = self.batch(id).await?;
        Ok(match batch.status.as_str() {
            "completed" | "expired" | "cancelled" => BatchState::Ended,
            "failed" => {
                let error = batch.errors.unwrap_or_default().data.into_iter().next();
                let message = error.and_then(|error| error.message);
                BatchState::Refused(self.endpoint().public_sentence(&message.unwrap_or_default()))
            }
            _ => BatchState::Running,
        })
    }

    async fn results(&self, id: &str) -> Result<Vec<BatchResult>, ProviderError> {
        // Lines of the file of errors have no answer.
        match self.batch(id).await?.output_file_id {
            Some(file) => self.read_results(&file).await,
            None => Ok(Vec::new()),
        }
    }

    async fn cancel(&self, id: &str) -> Result<(), ProviderError> {
        let nothing = serde_json::Map::new();
        let _: Batch = self.endpoint().call(&["batches", id, "cancel"]).post_json(&nothing).await?;
        Ok(())
    }
}

pub(super) fn unwritable(error: serde_json::Error) -> ProviderError {
    ProviderError::new(Fault::InvalidRequest, "the request cannot be written as JSON").with_source(error)
}
