//! The long answers of batch extraction, written piece by piece while they are read from the store.

use bytes::Bytes;
use delta_core::{DeltaError, FinishedGroup, Response, Run, StoredResponse, with_own_keys};
use futures_util::stream::{BoxStream, Stream, StreamExt as _};
use serde::Serialize;
use serde_json::{Value, json};
use shared_core::{BoxError, Scope};
use tokio::sync::mpsc;

use crate::app::AppState;

/// Bytes that are gathered before they are sent.
const PIECE: usize = 16 << 10;
/// Stored responses whose texts are read at the same time.
const READ_AHEAD: usize = 8;

/// A writer of JSON whose reader may be slow or gone.
struct Writer {
    gathered: Vec<u8>,
    channel: mpsc::Sender<Result<Bytes, BoxError>>,
}

/// The reader went away, or the answer broke off and the reader was told.
struct Ended;

type Written = Result<(), Ended>;

impl Writer {
    async fn raw(&mut self, text: &str) -> Written {
        self.gathered.extend_from_slice(text.as_bytes());
        if self.gathered.len() >= PIECE { self.send().await } else { Ok(()) }
    }

    async fn json(&mut self, value: &(impl Serialize + Sync)) -> Written {
        match serde_json::to_string(value) {
            Ok(text) => self.raw(&text).await,
            Err(error) => self.break_off(error.into()).await,
        }
    }

    async fn send(&mut self) -> Written {
        let piece = std::mem::take(&mut self.gathered);
        self.channel.send(Ok(piece.into())).await.map_err(|_gone| Ended)
    }

    /// An error in the middle of an answer ends the connection, so that nobody takes it for whole.
    async fn break_off(&mut self, error: BoxError) -> Written {
        tracing::error!(%error, "an answer broke off");
        self.channel.send(Err(error)).await.ok();
        Err(Ended)
    }

    /// Writes what `pick` takes from each group as the items of an array.
    async fn array<F>(&mut self, mut groups: Groups, pick: F) -> Written
    where
        F: Fn(FinishedGroup) -> Vec<Value>,
    {
        let mut first = true;
        while let Some(group) = groups.next().await {
            match group {
                Ok(group) => {
                    for item in pick(group) {
                        if !std::mem::take(&mut first) {
                            self.raw(",").await?;
                        }
                        self.json(&item).await?;
                    }
                }
                Err(error) => return self.break_off(error.into()).await,
            }
        }
        Ok(())
    }
}

type Groups = BoxStream<'static, Result<FinishedGroup, DeltaError>>;
type Pieces = mpsc::Receiver<Result<Bytes, BoxError>>;

fn pieces(receiver: Pieces) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    futures_util::stream::unfold(receiver, |mut receiver| async move {
        let piece = receiver.recv().await?;
        Some((piece.map_err(std::io::Error::other), receiver))
    })
}

/// Streams the answer of a run as its groups are done.
pub(super) fn results(
    state: &AppState,
    scope: Scope,
    run: Run,
    evidence: bool,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + use<> {
    let (channel, receiver) = mpsc::channel(4);
    let state = state.clone();
    state.background.clone().spawn(async move {
        let mut writer = Writer { gathered: Vec::new(), channel };
        // Ended: the reader is gone or knows.
        if write_results(&mut writer, &state, scope, run, evidence).await.is_ok() {
            writer.send().await.ok();
        }
    });
    pieces(receiver)
}

async fn write_results(
    writer: &mut Writer,
    state: &AppState,
    scope: Scope,
    run: Run,
    evidence: bool,
) -> Written {
    let picked = |pick: fn(&Response) -> Value| {
        move |group: FinishedGroup| group.response.iter().map(pick).collect::<Vec<_>>()
    };
    writer.raw(&format!("{{\"sid\":{},\"results\":[", run.sid.0)).await?;
    writer.array(state.runs.outcomes(&scope, &run), picked(|response| json!(response.record))).await?;
    writer.raw("],\"failed\":[").await?;
    writer.array(state.runs.finished(&scope, &run), failures).await?;
    let done = match state.runs.reload(&scope, &run).await {
        Ok(done) => done,
        Err(error) => return writer.break_off(error.into()).await,
    };
    writer.raw("],\"meta\":").await?;
    writer.json(&meta(&done)).await?;
    writer.raw(",\"errors\":[").await?;
    writer.array(state.runs.finished(&scope, &run), picked(|response| json!(response.errors))).await?;
    if evidence {
        writer.raw("],\"evidence\":[").await?;
        writer.array(state.runs.finished(&scope, &run), picked(|response| json!(response.evidence))).await?;
        writer.raw("],\"conflicts\":[").await?;
        writer.array(state.runs.finished(&scope, &run), picked(|response| json!(response.conflicts))).await?;
    }
    writer.raw("]}").await
}

fn failures(group: FinishedGroup) -> Vec<Value> {
    let index = group.index;
    let failed = group.failures.into_iter().map(|failure| {
        json!({
            "description": failure.document.description,
            "url": failure.document.url,
            "error": failure.error,
            "group": index
        })
    });
    failed.collect()
}

fn meta(run: &Run) -> Value {
    let duration = run.finished.map_or(0.0, |finished| finished.seconds_since(run.created));
    json!({
        "total": run.total,
        "successful": run.successful,
        "failed": run.failed,
        "duration": duration,
        "usage": run.usage
    })
}

/// What is wanted beside the fields of a stored response.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) context: bool,
    pub(super) meta: bool,
    pub(super) evidence: bool,
}

/// Streams stored responses as an array, at most so many.
pub(super) fn responses(
    state: &AppState,
    scope: Scope,
    stored: BoxStream<'static, Result<StoredResponse, DeltaError>>,
    limit: Option<u64>,
    wanted: Wanted,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + use<> {
    let (channel, receiver) = mpsc::channel(4);
    let state = state.clone();
    state.background.clone().spawn(async move {
        let mut writer = Writer { gathered: Vec::new(), channel };
        let rows =
            stored.take(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)));
        if write_responses(&mut writer, &state, &scope, rows, wanted).await.is_ok() {
            writer.send().await.ok();
        }
    });
    pieces(receiver)
}

async fn write_responses(
    writer: &mut Writer,
    state: &AppState,
    scope: &Scope,
    rows: impl Stream<Item = Result<StoredResponse, DeltaError>>,
    wanted: Wanted,
) -> Written {
    let records = rows
        .map(|row| async move {
            match row {
                Ok(row) => record(state, scope, row, wanted).await,
                Err(error) => Err(error),
            }
        })
        .buffered(READ_AHEAD);
    let mut records = std::pin::pin!(records);
    writer.raw("[").await?;
    let mut first = true;
    while let Some(record) = records.next().await {
        match record {
            Ok(record) => {
                if !std::mem::take(&mut first) {
                    writer.raw(",").await?;
                }
                writer.json(&record).await?;
            }
            Err(error) => return writer.break_off(error.into()).await,
        }
    }
    writer.raw("]").await
}

async fn record(
    state: &AppState,
    scope: &Scope,
    stored: StoredResponse,
    wanted: Wanted,
) -> Result<serde_json::Map<String, Value>, DeltaError> {
    let mut own = Vec::new();
    if wanted.context {
        own.push(("context", json!(state.runs.context(scope, &stored).await?)));
    }
    let response = stored.response;
    if wanted.meta {
        let files: Vec<&str> = response.sources.iter().map(|source| source.name.as_str()).collect();
        own.push((
            "meta",
            json!({
                "files": files,
                "generation_duration": response.generation_duration,
                "scraping_duration": response.scraping_duration,
                "total_duration": response.total_duration
            }),
        ));
    }
    if wanted.evidence {
        own.push(("evidence", json!(response.evidence)));
    }
    own.push(("gid", json!(response.gid)));
    own.push(("sid", json!(stored.sid)));
    Ok(with_own_keys(&response.record, own))
}
