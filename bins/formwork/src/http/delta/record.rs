//! A run and its groups as they are told of.

use delta_core::{DocumentRef, GroupState, GroupStatus, ItemError, Run, RunState};
use gen_core::Cost;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::lists::ListMeta;

/// A run.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunRecord {
    /// Session id.
    sid: i64,
    /// Where it stands. `stopped`: a limit of the key ended it.
    #[schemars(extend("enum" = RunState::ALL.map(RunState::name)))]
    state: &'static str,
    /// Groups in all.
    total: u32,
    /// Groups that gave a result.
    successful: u32,
    /// Groups that failed.
    failed: u32,
    /// Groups that are still to be done.
    open: u32,
    /// The part of the groups that have their outcome, 0 to 1.
    progress: f64,
    /// Tokens spent so far; answers from the store spend none.
    usage: TokensRecord,
    /// Why it was ended early; null when it was not.
    error: Option<ErrorRecord>,
    /// Whether unreadable documents are left out instead of failing their group.
    partial: bool,
    /// Whether models are asked though identical work was done before.
    fresh: bool,
    /// The model, `model@provider`.
    model: String,
    /// The form.
    form_id: String,
    /// The form's version.
    form_version: u32,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
    /// Null while it runs.
    finished_timestamp: Option<String>,
    /// Seconds from beginning to end; null while it runs.
    duration: Option<f64>,
}

/// A run with a page of its groups.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunDetails {
    #[serde(flatten)]
    pub(super) run: RunRecord,
    /// In the order of the request.
    pub(super) groups: Vec<GroupRecord>,
    /// The page of the groups.
    pub(super) meta: ListMeta,
}

/// A group of a run.
#[derive(Serialize, JsonSchema)]
pub(super) struct GroupRecord {
    /// Position in the request, from 0.
    group: u32,
    /// Where it stands.
    #[schemars(extend("enum" = GroupState::ALL.map(GroupState::name)))]
    state: &'static str,
    /// Attempts that were begun.
    attempts: u32,
    /// Why it failed, or why its last attempt did; null when nothing did.
    error: Option<ErrorRecord>,
    /// Tokens spent on it so far.
    usage: TokensRecord,
    /// Its documents as they were named.
    documents: Vec<DocumentRecord>,
}

/// Tokens and money.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokensRecord {
    /// Read.
    input_tokens: u64,
    /// Written.
    output_tokens: u64,
    /// Read from the provider's cache; part of `inputTokens`.
    cached_tokens: u64,
    /// Written but not shown; part of `outputTokens`.
    reasoning_tokens: u64,
    /// US dollars; null when the price of a call is not known.
    cost: Option<f64>,
}

/// A document as it was named.
#[derive(Serialize, JsonSchema)]
pub(super) struct DocumentRecord {
    /// What was said about it.
    description: String,
    /// The URL or file id.
    url: String,
}

/// Why a run or group ended as it did.
#[derive(Serialize, JsonSchema)]
pub(super) struct ErrorRecord {
    /// What kind of thing failed.
    #[schemars(extend("enum" = delta_core::ErrorClass::ALL.map(delta_core::ErrorClass::name)))]
    class: &'static str,
    /// Stable code.
    code: String,
    /// One sentence.
    message: String,
}

impl TokensRecord {
    pub(super) fn of(usage: gen_core::Usage, cost: Option<Cost>) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_tokens: usage.cached_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cost: cost.map(Cost::dollars),
        }
    }
}

impl From<ItemError> for ErrorRecord {
    fn from(error: ItemError) -> Self {
        Self { class: error.class.name(), code: error.code, message: error.message }
    }
}

impl From<DocumentRef> for DocumentRecord {
    fn from(document: DocumentRef) -> Self {
        Self { description: document.description, url: document.url }
    }
}

impl From<GroupStatus> for GroupRecord {
    fn from(group: GroupStatus) -> Self {
        // The error of an earlier attempt is none of a group that succeeded since.
        let error = group.error.filter(|_| group.state != GroupState::Succeeded);
        Self {
            group: group.index,
            state: group.state.name(),
            attempts: group.attempts,
            error: error.map(ErrorRecord::from),
            usage: TokensRecord::of(group.usage, group.cost),
            documents: group.documents.into_iter().map(DocumentRecord::from).collect(),
        }
    }
}

impl From<Run> for RunRecord {
    fn from(run: Run) -> Self {
        let done = run.successful.saturating_add(run.failed);
        Self {
            sid: run.sid.0,
            state: run.state.name(),
            total: run.total,
            successful: run.successful,
            failed: run.failed,
            open: run.total.saturating_sub(done),
            progress: f64::from(done) / f64::from(run.total.max(1)),
            usage: TokensRecord::of(run.usage, run.cost),
            created_timestamp: run.created.record_text(),
            finished_timestamp: run.finished.map(|finished| finished.record_text()),
            duration: duration(&run),
            error: run.stop.map(ErrorRecord::from),
            partial: run.plan.partial,
            fresh: run.plan.fresh,
            model: run.plan.model_id,
            form_id: run.plan.form_id,
            form_version: run.plan.form_version,
        }
    }
}

/// Seconds from beginning to end of a run that is over.
pub(super) fn duration(run: &Run) -> Option<f64> {
    run.finished.map(|finished| finished.seconds_since(run.created))
}

/// The run as it was when it was accepted.
pub(super) fn as_accepted(run: Run) -> Run {
    Run {
        state: RunState::Running,
        successful: 0,
        failed: 0,
        usage: gen_core::Usage::default(),
        cost: Some(Cost::default()),
        finished: None,
        stop: None,
        ..run
    }
}

/// Where a run is told of, by the name that the agent has now.
pub(super) fn location(namespace: &str, run: &Run) -> String {
    format!("/v1/agent/{namespace}/workflow/delta/runs/{}", run.sid.0)
}
