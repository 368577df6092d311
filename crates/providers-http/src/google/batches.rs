//! Batch mode: requests within one call, and their answers within the batch. (<https://ai.google.dev/api/batch-api>; the
//! names of fields are also those of the vendor's client, google-genai, `batches.py`.)

use std::time::Duration;

use async_trait::async_trait;
use gen_core::structured::{CompiledSchema, Dialect};
use gen_core::{
    BatchModel, BatchRequest, BatchResult, BatchState, ChatAnswer, ChatRequest, Fault, FoundBatch,
    ProviderError, SoughtBatch,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::client::Google;
use super::map;
use super::wire::{GenerateRequest, GenerateResponse};
use crate::json_lines::{MAX_LINES, read_lines};
use crate::lenient::first;
use crate::schema::{compiled, decoded};

/// Batches of a page of the list. Few, since a batch that is over may be listed with its answers.
const PAGE: &str = "20";
/// Pages of the list that are searched at most. Bounds the time.
const MAX_PAGES: usize = 100;
/// How long a batch may be pending or run before it expires. The vendor aims at half of it.
const WINDOW: Duration = Duration::from_secs(48 * 3_600);
/// Characters of the id of a batch or file at most. The vendor's are shorter.
const MAX_ID: usize = 200;

/// The body of a request: unlike that of a call, it names the model.
#[derive(Serialize)]
struct RequestBody<'a> {
    model: String,
    #[serde(flatten)]
    request: GenerateRequest<'a>,
}

#[derive(Deserialize)]
struct BodyModel {
    model: String,
}

#[derive(Serialize)]
struct NewBatch<'a> {
    batch: BatchParam<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchParam<'a> {
    display_name: &'a str,
    input_config: InputConfig<'a>,
}

#[derive(Serialize)]
struct InputConfig<'a> {
    requests: InlinedRequests<'a>,
}

#[derive(Serialize)]
struct InlinedRequests<'a> {
    requests: Vec<InlinedRequest<'a>>,
}

#[derive(Serialize)]
struct InlinedRequest<'a> {
    request: &'a RawValue,
    metadata: KeyParam<'a>,
}

#[derive(Serialize)]
struct KeyParam<'a> {
    key: &'a str,
}

/// A batch, which the API calls an operation.
#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    metadata: OperationMetadata,
    #[serde(default)]
    error: Option<Status>,
    #[serde(default)]
    response: Option<Output>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OperationMetadata {
    state: String,
    output: Option<Output>,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    message: String,
}

/// The answers of a batch that is over: in it, or in a file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    #[serde(default)]
    inlined_responses: Option<InlinedResponses>,
    #[serde(default)]
    responses_file: Option<String>,
}

impl Output {
    fn has_answers(&self) -> bool {
        self.inlined_responses.is_some() || self.responses_file.is_some()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InlinedResponses {
    #[serde(default, deserialize_with = "first::<MAX_LINES, _, _>")]
    inlined_responses: Vec<InlinedResponse>,
}

#[derive(Deserialize)]
struct InlinedResponse {
    #[serde(default)]
    metadata: Key,
    #[serde(default)]
    response: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
struct Key {
    #[serde(default)]
    key: String,
}

#[derive(Deserialize)]
struct ResultLine {
    key: String,
    #[serde(default)]
    response: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OperationPage {
    #[serde(default, deserialize_with = "first::<1000, _, _>")]
    operations: Vec<ListedOperation>,
    #[serde(default)]
    next_page_token: Option<String>,
}

/// Without the answers, so that they take no memory.
#[derive(Deserialize)]
struct ListedOperation {
    name: String,
    #[serde(default)]
    metadata: ListedMetadata,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ListedMetadata {
    display_name: String,
}

impl Google {
    /// The batch. It is not read as other JSON: a batch that failed has an `error`, and one that is over its answers.
    async fn operation(&self, id: &str) -> Result<Operation, ProviderError> {
        let content = self.endpoint().call(&["batches", id]).get_bytes(&[]).await?;
        self.endpoint().parse(&content)
    }
}

#[async_trait]
impl BatchModel for Google {
    fn body(&self, request: &ChatRequest) -> Result<String, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Gemini)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let model = format!("models/{}", request.model);
        let body = RequestBody { model, request: map::request(request, schema, self.structured())? };
        serde_json::to_string(&body).map_err(unwritable)
    }

    fn answer(&self, request: &ChatRequest, body: &str) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Gemini)?;
        let response: GenerateResponse = self.endpoint().parse(body.as_bytes())?;
        Ok(decoded(map::answer(response, request.tools.is_offered())?, compiled.as_ref()))
    }

    async fn submit(&self, reference: &str, requests: &[BatchRequest]) -> Result<String, ProviderError> {
        let mut inlined = Vec::with_capacity(requests.len());
        for BatchRequest { id, body } in requests {
            let request = serde_json::from_str(body).map_err(unwritable)?;
            inlined.push(InlinedRequest { request, metadata: KeyParam { key: id } });
        }
        // The requests of a batch are of one model, which is in its path.
        let first = requests.first().map_or("", |request| request.body.as_str());
        let BodyModel { model } = serde_json::from_str(first).map_err(unwritable)?;
        let method = format!("{}:batchGenerateContent", model.trim_start_matches("models/"));
        let input_config = InputConfig { requests: InlinedRequests { requests: inlined } };
        let batch = NewBatch { batch: BatchParam { display_name: reference, input_config } };
        let path = ["models", method.as_str()];
        let made: ListedOperation = self.endpoint().call(&path).post_json(&batch).await?;
        id_in(&made.name, "batches/")
    }

    /// By the display name. The order of the list is not documented, so that all of it is searched.
    async fn find(&self, sought: &SoughtBatch) -> Result<FoundBatch, ProviderError> {
        let mut token: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut query = vec![("pageSize", PAGE)];
            query.extend(token.as_deref().map(|token| ("pageToken", token)));
            let content = self.endpoint().call(&["batches"]).get_bytes(&query).await?;
            let page: OperationPage = self.endpoint().parse(&content)?;
            let found = page.operations.iter().find(|one| one.metadata.display_name == sought.reference);
            if let Some(found) = found {
                return Ok(FoundBatch::Present(id_in(&found.name, "batches/")?));
            }
            token = page.next_page_token.filter(|token| !token.is_empty());
            if token.is_none() {
                return Ok(FoundBatch::Absent);
            }
        }
        Ok(FoundBatch::Unclear)
    }

    async fn state(&self, id: &str) -> Result<BatchState, ProviderError> {
        let batch = self.operation(id).await?;
        // Agents Platform, which speaks the same API, says `JOB_STATE_`.
        let state = batch.metadata.state.rsplit("_STATE_").next().unwrap_or_default();
        Ok(match state {
            "SUCCEEDED" | "PARTIALLY_SUCCEEDED" | "CANCELLED" | "EXPIRED" => BatchState::Ended,
            "FAILED" => {
                let message = batch.error.map(|error| error.message).unwrap_or_default();
                BatchState::Refused(self.endpoint().public_sentence(&message))
            }
            _ => BatchState::Running,
        })
    }

    async fn results(&self, id: &str) -> Result<Vec<BatchResult>, ProviderError> {
        let batch = self.operation(id).await?;
        // Two copies; the vendor's client reads the second one only.
        let copies = [batch.response, batch.metadata.output].into_iter().flatten();
        let Some(output) = copies.into_iter().find(Output::has_answers) else { return Ok(Vec::new()) };
        if let Some(file) = output.responses_file.filter(|file| !file.is_empty()) {
            let method = format!("{}:download", id_in(&file, "files/")?);
            let content = self.endpoint().call(&["files", &method]).get_bytes(&[("alt", "media")]).await?;
            let result = |ResultLine { key, response }: ResultLine| result(key, response);
            return Ok(read_lines(&content)?.into_iter().map(result).collect());
        }
        let answers = output.inlined_responses.map(|all| all.inlined_responses).unwrap_or_default();
        Ok(answers.into_iter().map(|one| result(one.metadata.key, one.response)).collect())
    }

    async fn cancel(&self, id: &str) -> Result<(), ProviderError> {
        let method = format!("{id}:cancel");
        let nothing = serde_json::Map::new();
        let _: IgnoredAny = self.endpoint().call(&["batches", &method]).post_json(&nothing).await?;
        Ok(())
    }

    fn window(&self) -> Duration {
        WINDOW
    }
}

fn result(id: String, body: Option<Box<RawValue>>) -> BatchResult {
    BatchResult { id, body: body.map(|body| body.get().to_owned()) }
}

/// The id in the name of a resource, which becomes part of paths.
fn id_in(name: &str, prefix: &str) -> Result<String, ProviderError> {
    let is_id = |id: &&str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        (1..=MAX_ID).contains(&id.len()) && id.chars().all(is_plain)
    };
    name.strip_prefix(prefix).filter(is_id).map(ToOwned::to_owned).ok_or_else(|| {
        ProviderError::new(Fault::Protocol, "the provider named a batch or file that does not match its API")
    })
}

fn unwritable(error: serde_json::Error) -> ProviderError {
    ProviderError::new(Fault::InvalidRequest, "the request cannot be written as JSON").with_source(error)
}
