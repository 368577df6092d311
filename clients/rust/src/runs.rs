//! Runs: many groups of documents, each of which gives a record.

use std::collections::{BTreeMap, VecDeque};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::agents;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::events::EventStream;
use crate::extraction::{Evidence, Extraction, Warning, schema_of};
use crate::pages::Items;
use crate::records::{GroupError, RunRecord, RunState};
use crate::request::{Request, segment};

/// Pauses between two looks at a run.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Groups, and stored records, of a page.
const PAGE: u32 = 100;

/// A run over groups of documents, whose records are values of the type `T`. It goes on when this value is dropped.
#[derive(Debug)]
pub struct Run<T> {
    client: Client,
    agent: String,
    sid: i64,
    /// The JSON Schema of `T`.
    schema: Arc<Value>,
    value: PhantomData<fn() -> T>,
}

/// The outcome of a group of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupOutcome<T> {
    /// Position among the groups, from 0.
    pub group: u32,
    /// Ids or URLs of its documents.
    pub documents: Vec<String>,
    /// [`Error::Extraction`] where there is no record, [`Error::Record`] where it does not fit the type.
    pub result: Result<Extraction<T>>,
}

/// A run with a page of its groups.
#[derive(Deserialize)]
struct Details {
    #[serde(flatten)]
    run: RunRecord,
    groups: Vec<Group>,
    meta: Meta,
}

#[derive(Deserialize)]
struct Meta {
    current_page: u32,
}

#[derive(Deserialize)]
struct Group {
    group: u32,
    state: String,
    error: Option<GroupError>,
    documents: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    url: String,
}

/// What was noted of a stored record.
#[derive(Deserialize)]
struct RecordMeta {
    #[serde(default)]
    warnings: Vec<Warning>,
}

impl Client {
    /// A run that was started before, such as by another process, with records of the type `T`.
    #[must_use]
    pub fn run<T: DeserializeOwned + JsonSchema>(&self, agent: &str, sid: i64) -> Run<T> {
        Run::new(self.clone(), agent.to_owned(), sid, Arc::new(schema_of::<T>()))
    }
}

impl<T> Clone for Run<T> {
    fn clone(&self) -> Self {
        Self::new(self.client.clone(), self.agent.clone(), self.sid, Arc::clone(&self.schema))
    }
}

impl<T> Run<T> {
    pub(crate) fn new(client: Client, agent: String, sid: i64, schema: Arc<Value>) -> Self {
        Self { client, agent, sid, schema, value: PhantomData }
    }

    /// The namespace of its agent.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Its number.
    #[must_use]
    pub fn sid(&self) -> i64 {
        self.sid
    }

    /// How far it is.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn record(&self) -> Result<RunRecord> {
        Ok(self.page(1, 1).await?.run)
    }

    /// Waits until it is over. `on_progress` gets the run at first, and whenever its progress or state has changed.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn wait(&self, mut on_progress: impl FnMut(&RunRecord)) -> Result<RunRecord> {
        let (mut pause, mut last) = (FIRST_PAUSE, None);
        loop {
            let run = self.record().await?;
            let seen = Some((run.progress, run.state));
            if seen != last {
                on_progress(&run);
                last = seen;
            }
            if run.state != RunState::Running {
                return Ok(run);
            }
            tokio::time::sleep(pause).await;
            pause = pause.mul_f64(1.5).min(LONGEST_PAUSE);
        }
    }

    /// Follows it: events `progress` with the run, `group` once for each outcome, and at last `end`. `after` is the
    /// number of the last event that is known already.
    ///
    /// # Errors
    /// As [`Client::events`].
    pub async fn events(&self, after: Option<&str>) -> Result<EventStream> {
        let request = Request::get(format!("{}/events", self.path()));
        self.client
            .events(match after {
                Some(id) => request.header("Last-Event-ID", id),
                None => request,
            })
            .await
    }

    /// Cancels it; finished groups keep their records.
    ///
    /// # Errors
    /// [`Error::Api`] with `run_over`, and as [`Client::send`].
    pub async fn cancel(&self) -> Result<()> {
        self.client.read(Request::delete(self.path())).await.map(drop)
    }

    /// Requeues its failed groups.
    ///
    /// # Errors
    /// [`Error::Api`] with `nothing_failed`, and as [`Client::send`].
    pub async fn retry(&self) -> Result<()> {
        self.client.read(Request::post(format!("{}/retry", self.path()))).await.map(drop)
    }

    fn path(&self) -> String {
        format!("{}/{}", path(&self.agent), segment(self.sid))
    }

    async fn page(&self, number: u32, limit: u32) -> Result<Details> {
        self.client.send(Request::get(self.path()).query("limit", limit).query("page", number)).await
    }

    /// Why the first group has no record.
    pub(crate) async fn first_error(&self) -> Result<GroupError> {
        let group = self.page(1, 1).await?.groups.into_iter().next();
        group.map(Group::into_error).ok_or_else(|| Error::Decode("the run has no groups".to_owned()))
    }
}

impl<T: DeserializeOwned + Send + 'static> Run<T> {
    /// Waits until it is over, and then gives the outcomes of its groups in their order. Pages are read as they are
    /// needed.
    #[must_use]
    pub fn results(&self) -> Items<GroupOutcome<T>> {
        let run = self.clone();
        stream::once(async move {
            let over = run.wait(|_| ()).await?;
            let form = format!("/v1/form/{}/versions/{}", segment(&over.form_id), over.form_version);
            let form: Value = run.client.send(Request::get(form)).await?;
            Ok(Reader::new(run, form["schema"].as_object().cloned().unwrap_or_default()))
        })
        .flat_map(|reader: Result<Reader<T>>| match reader {
            Ok(reader) => reader.outcomes(),
            Err(error) => stream::once(std::future::ready(Err(error))).boxed(),
        })
        .boxed()
    }
}

impl Group {
    fn into_error(self) -> GroupError {
        self.error.unwrap_or_else(|| GroupError {
            class: "internal".to_owned(),
            code: "failed".to_owned(),
            message: format!("the group is {}", self.state),
        })
    }
}

/// Joins the groups of a run with the stored records of the succeeded ones, which have the same order.
struct Reader<T> {
    run: Run<T>,
    /// The fields of the form.
    fields: Map<String, Value>,
    groups: VecDeque<Group>,
    records: VecDeque<Map<String, Value>>,
    /// Pages read of each; `None` after the last page of groups.
    group_pages: Option<u32>,
    record_pages: u32,
}

impl<T: DeserializeOwned + Send + 'static> Reader<T> {
    fn new(run: Run<T>, fields: Map<String, Value>) -> Self {
        let (groups, records) = (VecDeque::new(), VecDeque::new());
        Self { run, fields, groups, records, group_pages: Some(0), record_pages: 0 }
    }

    fn outcomes(self) -> Items<GroupOutcome<T>> {
        stream::unfold(self, |mut reader| async move {
            let outcome = reader.next().await.transpose()?;
            if outcome.is_err() {
                (reader.groups, reader.group_pages) = (VecDeque::new(), None);
            }
            Some((outcome, reader))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<GroupOutcome<T>>> {
        while self.groups.is_empty() {
            let Some(read) = self.group_pages else { return Ok(None) };
            let page = self.run.page(read + 1, PAGE).await?;
            // Beyond the last page a server answers with the last one again.
            let is_past = page.groups.is_empty() || page.meta.current_page != read + 1;
            self.group_pages = (!is_past).then_some(read + 1);
            if !is_past {
                self.groups = page.groups.into();
            }
        }
        let Some(group) = self.groups.pop_front() else { return Ok(None) };
        let documents = group.documents.iter().map(|document| document.url.clone()).collect();
        let number = group.group;
        let result = match group.state.as_str() {
            "succeeded" => {
                let record = self.record().await?;
                self.extraction(record)?.typed(&self.run.schema)
            }
            _ => Err(group.into_error().into()),
        };
        Ok(Some(GroupOutcome { group: number, documents, result }))
    }

    async fn record(&mut self) -> Result<Map<String, Value>> {
        if self.records.is_empty() {
            self.record_pages += 1;
            let request = Request::get(format!("{}/workflow/delta", agents::path(&self.run.agent)))
                .query("sid", self.run.sid)
                .query("evidence", true)
                .query("meta", true)
                .query("limit", PAGE)
                .query("page", self.record_pages);
            let page: Vec<Map<String, Value>> = self.run.client.send(request).await?;
            self.records = page.into();
        }
        let missing = || Error::Decode("a stored record was deleted meanwhile".to_owned());
        self.records.pop_front().ok_or_else(missing)
    }

    fn extraction(&self, mut stored: Map<String, Value>) -> Result<Extraction<Value>> {
        let evidence: BTreeMap<String, Evidence> = self.part(&mut stored, "evidence")?;
        let meta: RecordMeta = self.part(&mut stored, "meta")?;
        stored.retain(|name, _| self.fields.contains_key(name));
        Ok(Extraction {
            value: Value::Object(stored.clone()),
            record: stored,
            evidence,
            conflicts: None,
            errors: None,
            warnings: meta.warnings,
            agent: self.run.agent.clone(),
            sid: self.run.sid,
        })
    }

    /// A part of a stored record, whose key gives way to a field of the same name.
    fn part<P: DeserializeOwned>(&self, stored: &mut Map<String, Value>, name: &str) -> Result<P> {
        let mut key = name.to_owned();
        while self.fields.contains_key(&key) {
            key.insert(0, '_');
        }
        let part = stored.remove(&key).unwrap_or_default();
        serde_json::from_value(part).map_err(|error| Error::Decode(format!("'{key}': {error}")))
    }
}

/// The runs of an agent.
pub(crate) fn path(agent: &str) -> String {
    format!("{}/workflow/delta/runs", agents::path(agent))
}
