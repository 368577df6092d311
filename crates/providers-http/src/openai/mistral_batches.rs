//! Mistral's batch jobs: a file of requests, a job of it, and files of results.
//! (<https://docs.mistral.ai/api/endpoint/batch>; names and states of jobs also in the vendor's client, mistralai,
//! `batchjob.py` and `batchjobstatus.py`. The lines of the results are those of OpenAI's Batch API.)

use async_trait::async_trait;
use gen_core::{
    BatchModel, BatchRequest, BatchResult, BatchState, ChatAnswer, ChatRequest, FoundBatch, ProviderError,
    SoughtBatch,
};
use serde::{Deserialize, Serialize};

use super::batches::{CLOCK_SKEW, MAX_PAGES, Metadata, REFERENCE, URL, unwritable};
use super::client::OpenAiCompatible;
use crate::lenient::first;

/// Hours after which a job ends: as with the other vendors. Also the API's default.
const TIMEOUT_HOURS: u32 = 24;
/// Jobs of a page of the list: the API's default, written out.
const PAGE: usize = 100;

/// The batch jobs of Mistral. The models are those of its client, whose requests and answers they have.
#[derive(Clone, Debug)]
pub struct MistralBatches(OpenAiCompatible);

#[derive(Serialize)]
struct NewJob<'a> {
    input_files: [&'a str; 1],
    endpoint: &'static str,
    model: &'a str,
    metadata: std::collections::BTreeMap<&'static str, &'a str>,
    timeout_hours: u32,
}

#[derive(Deserialize)]
struct BodyModel {
    model: String,
}

#[derive(Deserialize)]
struct Job {
    id: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    created_at: Option<i64>,
    #[serde(default)]
    output_file: Option<String>,
    #[serde(default, deserialize_with = "first::<1, _, _>")]
    errors: Vec<JobError>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct JobError {
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct JobPage {
    #[serde(default, deserialize_with = "first::<PAGE, _, _>")]
    data: Vec<Job>,
}

impl MistralBatches {
    /// The batches of a client that [`OpenAiCompatible::mistral`] made.
    #[must_use]
    pub fn new(client: OpenAiCompatible) -> Self {
        Self(client)
    }

    async fn job(&self, id: &str) -> Result<Job, ProviderError> {
        self.0.endpoint().call(&["batch", "jobs", id]).get_json(&[]).await
    }
}

#[async_trait]
impl BatchModel for MistralBatches {
    fn body(&self, request: &ChatRequest) -> Result<String, ProviderError> {
        self.0.body(request)
    }

    fn answer(&self, request: &ChatRequest, body: &str) -> Result<ChatAnswer, ProviderError> {
        self.0.answer(request, body)
    }

    async fn submit(&self, reference: &str, requests: &[BatchRequest]) -> Result<String, ProviderError> {
        // The requests of a job are of one model, which the job names.
        let first = requests.first().map_or("", |request| request.body.as_str());
        let BodyModel { model } = serde_json::from_str(first).map_err(unwritable)?;
        let file = self.0.upload_requests(reference, requests, (None, None)).await?;
        let job = NewJob {
            input_files: [&file],
            endpoint: URL,
            model: &model,
            metadata: [(REFERENCE, reference)].into(),
            timeout_hours: TIMEOUT_HOURS,
        };
        let job: Job = self.0.endpoint().call(&["batch", "jobs"]).post_json(&job).await?;
        Ok(job.id)
    }

    async fn find(&self, sought: &SoughtBatch) -> Result<FoundBatch, ProviderError> {
        let since = sought.submitted.micros().div_euclid(1_000_000) - CLOCK_SKEW;
        let size = PAGE.to_string();
        for page in 0..MAX_PAGES {
            let number = page.to_string();
            let query = [("page", number.as_str()), ("page_size", &size), ("order_by", "-created")];
            let page: JobPage = self.0.endpoint().call(&["batch", "jobs"]).get_json(&query).await?;
            for job in &page.data {
                if job.metadata.as_ref().is_some_and(|metadata| metadata.names(&sought.reference)) {
                    return Ok(FoundBatch::Present(job.id.clone()));
                }
            }
            let is_older = |job: &Job| job.created_at.is_some_and(|created| created < since);
            if page.data.len() < PAGE || page.data.last().is_some_and(is_older) {
                return Ok(FoundBatch::Absent);
            }
        }
        Ok(FoundBatch::Unclear)
    }

    async fn state(&self, id: &str) -> Result<BatchState, ProviderError> {
        let job = self.job(id).await?;
        Ok(match job.status.as_str() {
            "SUCCESS" | "TIMEOUT_EXCEEDED" | "CANCELLED" => BatchState::Ended,
            // What was answered before is paid.
            "FAILED" if job.output_file.is_some() => BatchState::Ended,
            "FAILED" => {
                let message = job.errors.into_iter().next().map(|error| error.message);
                BatchState::Refused(self.0.endpoint().public_sentence(&message.unwrap_or_default()))
            }
            _ => BatchState::Running,
        })
    }

    async fn results(&self, id: &str) -> Result<Vec<BatchResult>, ProviderError> {
        // Lines of the file of errors have no answer.
        match self.job(id).await?.output_file {
            Some(file) => self.0.read_results(&file).await,
            None => Ok(Vec::new()),
        }
    }

    async fn cancel(&self, id: &str) -> Result<(), ProviderError> {
        let nothing = serde_json::Map::new();
        let path = ["batch", "jobs", id, "cancel"];
        let _: Job = self.0.endpoint().call(&path).post_json(&nothing).await?;
        Ok(())
    }
}
