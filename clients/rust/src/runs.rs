//! Runs: many groups of documents, each of which gives a record.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::agents;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::events::EventStream;
use crate::extraction::schema_of;
use crate::records::{GroupError, RunRecord, RunState};
use crate::request::{Request, segment};

/// Pauses between two looks at a run.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A run over groups of documents, whose records are values of the type `T`. It goes on when this value is dropped.
#[derive(Debug)]
pub struct Run<T> {
    pub(crate) client: Client,
    pub(crate) agent: String,
    pub(crate) sid: i64,
    /// The JSON Schema of `T`.
    pub(crate) schema: Arc<Value>,
    value: PhantomData<fn() -> T>,
}

/// A run with a page of its groups.
#[derive(Deserialize)]
pub(crate) struct Details {
    #[serde(flatten)]
    pub(crate) run: RunRecord,
    pub(crate) groups: Vec<Group>,
    pub(crate) meta: Meta,
}

#[derive(Deserialize)]
pub(crate) struct Meta {
    pub(crate) current_page: u32,
}

#[derive(Deserialize)]
pub(crate) struct Group {
    pub(crate) group: u32,
    pub(crate) state: String,
    pub(crate) error: Option<GroupError>,
    pub(crate) documents: Vec<Reference>,
}

#[derive(Deserialize)]
pub(crate) struct Reference {
    pub(crate) url: String,
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
        format!("{}/{}", agents::runs_path(&self.agent), segment(self.sid))
    }

    pub(crate) async fn page(&self, number: u32, limit: u32) -> Result<Details> {
        self.client.send(Request::get(self.path()).query("limit", limit).query("page", number)).await
    }

    /// Why the first group has no record.
    pub(crate) async fn first_error(&self) -> Result<GroupError> {
        let group = self.page(1, 1).await?.groups.into_iter().next();
        group.map(Group::into_error).ok_or_else(|| Error::Decode("the run has no groups".to_owned()))
    }
}

impl Group {
    pub(crate) fn into_error(self) -> GroupError {
        self.error.unwrap_or_else(|| GroupError {
            class: "internal".to_owned(),
            code: "failed".to_owned(),
            message: format!("the group is {}", self.state),
        })
    }
}
