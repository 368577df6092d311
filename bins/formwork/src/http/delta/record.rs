//! The JSON shapes of a run and its groups.

use delta_core::{Classification, DocumentRef, GroupState, GroupStatus, ItemError, Run, RunForm, RunState};
use gen_core::{Cost, Effort};
use schemars::JsonSchema;
use serde::Serialize;

use super::left_out::{LeftOutRecord, unit_numbers};
use crate::http::lists::ListMeta;

/// A run.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunRecord {
    /// Session id.
    sid: i64,
    /// State of the run. `stopped`: a limit of the key, or the budget, ended it.
    #[schemars(extend("enum" = RunState::ALL.map(RunState::name)))]
    state: &'static str,
    /// Number of groups.
    total: u32,
    /// Number of groups with a result.
    successful: u32,
    /// Number of failed groups.
    failed: u32,
    /// Number of unfinished groups.
    open: u32,
    /// Share of the groups that are finished, 0 to 1.
    progress: f64,
    /// Tokens spent so far; stored answers spend none.
    usage: TokensRecord,
    /// Why the run ended early; null when it did not.
    error: Option<ErrorRecord>,
    /// Whether unreadable documents are left out instead of failing their group.
    partial: bool,
    /// Whether stored answers to identical work are ignored.
    fresh: bool,
    /// The evaluation set whose groups they are; null for other runs.
    evaluation_set: Option<String>,
    /// The model, `model@provider`.
    model: String,
    /// The form.
    form_id: String,
    /// The form's version.
    form_version: u32,
    /// How much the model may reason; null for the vendor's default.
    #[schemars(extend("enum" = ["low", "medium", "high", null]))]
    effort: Option<&'static str>,
    /// Limit of a model call in seconds; null where it is measured from the prompt.
    timeout: Option<u32>,
    /// US dollars, after which no group starts; null for no budget.
    budget: Option<f64>,
    /// Which of the workspace's runs are processed first.
    #[schemars(extend("enum" = ["high", "normal", "low"]))]
    priority: &'static str,
    /// Whether its model is called in batches of the provider.
    #[schemars(extend("enum" = ["direct", "batch"]))]
    mode: &'static str,
    /// Names by which the run is found again.
    labels: Vec<String>,
    /// The forms to which its documents were classified; absent for a run of one form. `form_id` is the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<RunFormRecord>,
    /// How many documents no group has, because they fill none of the forms or were not classified; absent for a run of
    /// one form.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u32>,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
    /// End of the run; null while it runs.
    finished_timestamp: Option<String>,
    /// Seconds from start to end; null while it runs.
    duration: Option<f64>,
}

/// A run with a page of its groups.
#[derive(Serialize, JsonSchema)]
pub(super) struct RunDetails {
    #[serde(flatten)]
    pub(super) run: RunRecord,
    /// In the order of the request.
    pub(super) groups: Vec<GroupRecord>,
    /// The documents that no group has, the first thousand; absent for a run of one form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left_out_documents: Option<Vec<LeftOutRecord>>,
    /// The page of the groups.
    pub(super) meta: ListMeta,
}

/// A form at a version.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunForm")]
struct RunFormRecord {
    form_id: String,
    form_version: u32,
}

/// A group of a run.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunGroup")]
pub(super) struct GroupRecord {
    /// Position in the request, from 0.
    group: u32,
    /// State of the group.
    #[schemars(extend("enum" = GroupState::ALL.map(GroupState::name)))]
    state: &'static str,
    /// Number of attempts started.
    attempts: u32,
    /// The error of the group or of its last attempt; null when there is none.
    error: Option<ErrorRecord>,
    /// Tokens spent on it so far.
    usage: TokensRecord,
    /// Its documents as in the request.
    documents: Vec<DocumentRecord>,
}

/// Tokens and cost.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunUsage")]
pub(super) struct TokensRecord {
    /// Input tokens.
    input_tokens: u64,
    /// Output tokens.
    output_tokens: u64,
    /// Input tokens from the provider's cache; part of `inputTokens`.
    cached_tokens: u64,
    /// Output tokens of reasoning, which are not shown; part of `outputTokens`.
    reasoning_tokens: u64,
    /// US dollars; null when the price of a call is unknown.
    cost: Option<f64>,
}

/// A document as in the request.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunDocument")]
pub(super) struct DocumentRecord {
    /// Description from the request.
    description: String,
    /// The URL or file id.
    url: String,
    /// The pages that are meant; absent for the whole document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<String>,
    /// The row of the main table that is meant, from 1; with target=row.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<u32>,
    /// The section that is meant, from 1; with target=section.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<u32>,
    /// The form that it fills, as the classification told; absent in a run of one form.
    #[serde(skip_serializing_if = "Option::is_none")]
    form_id: Option<String>,
    /// The form's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    form_version: Option<u32>,
    /// The probability that it fills the form, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
}

/// Why a run or group failed or ended early.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunError")]
pub(super) struct ErrorRecord {
    /// Category of the failure.
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
        let (row, section) = unit_numbers(document.unit);
        let class = document.class.map(|class| *class);
        Self {
            description: document.description,
            url: document.url,
            pages: document.pages.map(|pages| pages.to_string()),
            row,
            section,
            form_version: class.as_ref().map(|class| class.form.form_version),
            probability: class.as_ref().map(|class| class.probability),
            form_id: class.map(|class| class.form.form_id),
        }
    }
}

impl From<GroupStatus> for GroupRecord {
    fn from(group: GroupStatus) -> Self {
        // A group that succeeded after a failed attempt reports no error.
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
            evaluation_set: run.plan.evaluation_set,
            model: run.plan.model_id,
            form_id: run.plan.form_id,
            form_version: run.plan.form_version,
            effort: run.plan.settings.effort.map(Effort::name),
            timeout: run.plan.settings.timeout,
            budget: run.plan.settings.budget.map(Cost::dollars),
            priority: run.plan.settings.priority.name(),
            mode: run.plan.settings.mode.name(),
            labels: run.plan.settings.labels,
            left_out: run.plan.classification.as_ref().map(Classification::left_out_count),
            forms: run.plan.classification.map(run_forms).unwrap_or_default(),
        }
    }
}

fn run_forms(found: Classification) -> Vec<RunFormRecord> {
    let record = |form: RunForm| RunFormRecord { form_id: form.form_id, form_version: form.form_version };
    found.forms.into_iter().map(record).collect()
}

/// Seconds from start to end of a finished run.
pub(super) fn duration(run: &Run) -> Option<f64> {
    run.finished.map(|finished| finished.seconds_since(run.created))
}

/// The run in its state when it was accepted.
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

/// URL of a run under the agent's current namespace.
pub(super) fn location(namespace: &str, run: &Run) -> String {
    format!("/v1/agent/{namespace}/workflow/delta/runs/{}", run.sid.0)
}
