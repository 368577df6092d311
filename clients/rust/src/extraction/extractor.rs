//! Extraction with options.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::outcome::{Conflict, Evidence, Extraction, Warning};
use super::schema_of;
use crate::agents;
use crate::client::Client;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::records::RunRecord;
use crate::request::Request;
use crate::runs::Run;
use crate::violation::Violation;

/// Extraction of values of the type `T`, with options.
///
/// Unless it has an agent, one is made with a form of `T`'s JSON Schema, and found again for the same schema,
/// instructions and model, by a namespace that begins with `client-`.
#[derive(Debug)]
pub struct Extractor<T> {
    client: Client,
    source: Source,
    /// The JSON Schema of `T`.
    schema: Arc<Value>,
    instructions: Option<String>,
    model: Option<String>,
    fresh: bool,
    partial: bool,
    options: Vec<(String, String)>,
    value: PhantomData<fn() -> T>,
}

/// What says which fields there are.
#[derive(Clone, Debug)]
enum Source {
    Schema(Arc<Value>),
    Form(String),
    Agent(String),
}

/// The answer of a run of one group.
#[derive(Deserialize)]
struct Answer {
    sid: i64,
    results: Vec<Map<String, Value>>,
    #[serde(default)]
    evidence: Vec<BTreeMap<String, Evidence>>,
    #[serde(default)]
    conflicts: Vec<Vec<Conflict>>,
    #[serde(default)]
    errors: Vec<Vec<Violation>>,
    #[serde(default)]
    warnings: Vec<Warning>,
}

impl Client {
    /// The value that a group of documents states, with its evidence. For options see [`Client::extractor`].
    ///
    /// # Errors
    /// As [`Extractor::extract`].
    pub async fn extract<T: DeserializeOwned + JsonSchema>(
        &self,
        documents: impl IntoIterator<Item = impl Into<Document>>,
    ) -> Result<Extraction<T>> {
        self.extractor().extract(documents).await
    }

    /// Starts a run over many groups of documents, each of which gives one value. For options see
    /// [`Client::extractor`].
    ///
    /// # Errors
    /// As [`Extractor::start`].
    pub async fn start_run<T: DeserializeOwned + JsonSchema>(
        &self,
        groups: impl IntoIterator<Item = impl IntoIterator<Item = impl Into<Document>>>,
    ) -> Result<Run<T>> {
        self.extractor().start(groups).await
    }

    /// Extraction of a type with options. `Value` is the type of records that have none; it needs a
    /// [schema](Extractor::schema), a [form](Extractor::form) or an [agent](Extractor::agent).
    #[must_use]
    pub fn extractor<T: DeserializeOwned + JsonSchema>(&self) -> Extractor<T> {
        let schema = Arc::new(schema_of::<T>());
        Extractor {
            client: self.clone(),
            source: Source::Schema(Arc::clone(&schema)),
            schema,
            instructions: None,
            model: None,
            fresh: false,
            partial: false,
            options: Vec::new(),
            value: PhantomData,
        }
    }
}

impl<T: DeserializeOwned + JsonSchema> Extractor<T> {
    /// Takes the fields of this JSON Schema instead of that of the type.
    #[must_use]
    pub fn schema(mut self, json_schema: Value) -> Self {
        self.source = Source::Schema(Arc::new(json_schema));
        self
    }

    /// Takes the fields of a stored form.
    #[must_use]
    pub fn form(mut self, form_id: impl Into<String>) -> Self {
        self.source = Source::Form(form_id.into());
        self
    }

    /// Takes an existing agent with its form, instructions and model.
    #[must_use]
    pub fn agent(mut self, namespace: impl Into<String>) -> Self {
        self.source = Source::Agent(namespace.into());
        self
    }

    /// Instructions for the model.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// The model, `model@provider`, instead of that of the server.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Whether stored results of identical work are ignored.
    #[must_use]
    pub fn fresh(mut self, fresh: bool) -> Self {
        self.fresh = fresh;
        self
    }

    /// Whether unreadable documents are left out instead of failing their group.
    #[must_use]
    pub fn partial(mut self, partial: bool) -> Self {
        self.partial = partial;
        self
    }

    /// Another option of runs: `effort`, `timeout`, `budget`, `labels` or one that the interface gained later.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.options.push((name.into(), value.to_string()));
        self
    }

    /// The value that a group of documents states. Documents that are not stored yet are uploaded.
    ///
    /// # Errors
    /// [`Error::Extraction`] where there is no record, [`Error::Record`] where the record does not fit `T`,
    /// [`Error::File`] where a document of this machine cannot be read, and as [`Client::send`].
    pub async fn extract(
        &self,
        documents: impl IntoIterator<Item = impl Into<Document>>,
    ) -> Result<Extraction<T>> {
        let (agent, request) = self.request(vec![documents.into_iter().map(Into::into).collect()]).await?;
        let answer: Answer = self.client.send(request.query("evidence", true)).await?;
        let sid = answer.sid;
        let Some(record) = answer.results.into_iter().next() else {
            return Err(self.run(agent, sid).first_error().await?.into());
        };
        let extraction = Extraction {
            value: Value::Object(record.clone()),
            record,
            evidence: answer.evidence.into_iter().next().unwrap_or_default(),
            conflicts: answer.conflicts.into_iter().next(),
            errors: answer.errors.into_iter().next(),
            warnings: answer.warnings,
            agent,
            sid,
        };
        extraction.typed(&self.schema)
    }

    /// Starts a run over groups of documents. Documents that are not stored yet are uploaded.
    ///
    /// # Errors
    /// [`Error::Invalid`] without groups or with an empty one, [`Error::File`], and as [`Client::send`].
    pub async fn start(
        &self,
        groups: impl IntoIterator<Item = impl IntoIterator<Item = impl Into<Document>>>,
    ) -> Result<Run<T>> {
        let groups = groups.into_iter().map(|group| group.into_iter().map(Into::into).collect());
        let (agent, request) = self.request(groups.collect()).await?;
        let started: RunRecord = self.client.send(request.query("async", true)).await?;
        Ok(self.run(agent, started.sid))
    }

    fn run(&self, agent: String, sid: i64) -> Run<T> {
        Run::new(self.client.clone(), agent, sid, Arc::clone(&self.schema))
    }

    /// The agent, and the request for the records of groups.
    async fn request(&self, groups: Vec<Vec<Document>>) -> Result<(String, Request)> {
        if groups.is_empty() || groups.iter().any(Vec::is_empty) {
            return Err(Error::Invalid("each group needs a document".to_owned()));
        }
        let agent = self.ensure_agent().await?;
        let groups = self.client.files().references(groups).await?;
        let request = Request::post(format!("{}/workflow/delta", agents::path(&agent)))
            .query_if("fresh", self.fresh)
            .query_if("partial", self.partial)
            .json(&json!(groups));
        let with = |request: Request, (name, value): &(String, String)| request.query(name, value);
        Ok((agent, self.options.iter().fold(request, with)))
    }

    /// The agent. One of the client is named by what defines it, so that the same definition finds it again.
    async fn ensure_agent(&self) -> Result<String> {
        let options = [("instructions", &self.instructions), ("modelId", &self.model)];
        let given =
            |(key, value): (&str, &Option<String>)| Some((key.to_owned(), Value::from(value.clone()?)));
        let settings: Map<String, Value> = options.into_iter().filter_map(given).collect();
        let identity = match &self.source {
            Source::Agent(agent) if settings.is_empty() => return Ok(agent.clone()),
            Source::Agent(_) => {
                let message = "an agent has its own instructions and model; give either an agent or these";
                return Err(Error::Invalid(message.to_owned()));
            }
            Source::Form(form_id) => json!([form_id, settings]),
            // Not sorted: the order of the fields is a part of the form.
            Source::Schema(schema) => json!([schema, settings]),
        };
        let digest = Sha256::digest(identity.to_string().as_bytes());
        let digest: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let namespace = format!("client-{digest}");
        match self.client.agents().get(&namespace).await {
            Ok(_) => Ok(namespace),
            Err(error) if error.code() == Some("agent_not_found") => {
                self.create_agent(&namespace, settings).await?;
                Ok(namespace)
            }
            Err(error) => Err(error),
        }
    }

    async fn create_agent(&self, namespace: &str, mut settings: Map<String, Value>) -> Result<()> {
        let (forms, agents) = (self.client.forms(), self.client.agents());
        let new_form = match &self.source {
            Source::Schema(schema) => {
                let title = schema["title"].as_str().unwrap_or("Record");
                let fields = forms.convert(schema).await?.schema;
                Some(forms.create(title, &fields).await?.form_id)
            }
            Source::Form(_) | Source::Agent(_) => None,
        };
        let form_id = match (&new_form, &self.source) {
            (None, Source::Form(form_id)) => Some(form_id),
            (form_id, _) => form_id.as_ref(),
        };
        settings.insert("form_id".to_owned(), form_id.cloned().into());
        let Err(error) = agents.create(namespace, settings).await else { return Ok(()) };
        // After a failure of the server the agent may exist and use the form.
        let is_refused = error.api().is_some_and(|api| api.status < 500);
        if let (true, Some(form_id)) = (is_refused, new_form) {
            forms.delete(&form_id).await?;
        }
        // Another client was faster; its agent is equal.
        if error.code() == Some("namespace_taken") { Ok(()) } else { Err(error) }
    }
}
