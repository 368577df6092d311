//! The JSON shapes of sets and scores.

use std::collections::BTreeMap;

use delta_core::{Run, RunState};
use evaluation_core::score::{Comparison, FieldScore, FormChanges, Interval, Report};
use evaluation_core::{EvaluationReport, EvaluationSet};
use schemars::JsonSchema;
use serde::Serialize;

/// A set of groups with true records.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationSet")]
pub(super) struct SetRecord {
    id: String,
    name: String,
    form_id: String,
    weights: BTreeMap<String, f64>,
    /// Number of groups.
    groups: u32,
    created_timestamp: String,
    #[serde(rename = "userName")]
    user_name: String,
}

impl From<EvaluationSet> for SetRecord {
    fn from(set: EvaluationSet) -> Self {
        Self {
            id: set.id,
            name: set.name,
            form_id: set.form_id,
            weights: set.weights,
            groups: set.groups,
            created_timestamp: set.created.record_text(),
            user_name: set.author.name,
        }
    }
}

/// A run over a set.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Evaluation")]
pub(super) struct EvaluationRecord {
    /// The run.
    sid: i64,
    namespace: String,
    #[schemars(extend("enum" = RunState::ALL.map(RunState::name)))]
    state: &'static str,
    /// Number of groups.
    total: u32,
    /// Groups without an outcome.
    open: u32,
    model: String,
    form_id: String,
    form_version: u32,
    /// Cost of its calls in dollars; null where a price is not known.
    cost: Option<f64>,
    /// Tokens of its calls.
    input_tokens: u64,
    output_tokens: u64,
    /// Seconds from start to end; null while it runs.
    duration: Option<f64>,
    created_timestamp: String,
}

impl From<&Run> for EvaluationRecord {
    fn from(run: &Run) -> Self {
        Self {
            sid: run.sid.0,
            namespace: run.plan.namespace.clone(),
            state: run.state.name(),
            total: run.total,
            open: run.total.saturating_sub(run.successful + run.failed),
            model: run.plan.model_id.clone(),
            form_id: run.plan.form_id.clone(),
            form_version: run.plan.form_version,
            cost: run.cost.map(gen_core::Cost::dollars),
            input_tokens: run.usage.input_tokens,
            output_tokens: run.usage.output_tokens,
            duration: run.finished.map(|finished| finished.seconds_since(run.created)),
            created_timestamp: run.created.record_text(),
        }
    }
}

/// A share with its confidence interval of 95 % (Wilson).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Share")]
pub(in crate::http) struct ShareRecord {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Interval> for ShareRecord {
    fn from(share: Interval) -> Self {
        Self { value: share.value, low: share.low, high: share.high }
    }
}

/// The scores of a run over a set.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationScores")]
pub(super) struct ScoresRecord {
    #[serde(flatten)]
    evaluation: EvaluationRecord,
    /// Share of right values over all fields, by their weights; null without any.
    accuracy: Option<ShareRecord>,
    /// Groups that have an outcome.
    groups: u64,
    /// Groups that failed. Their values are missing.
    failed: u64,
    /// Groups all of whose values are right.
    whole: u64,
    /// In the order of the form.
    fields: Vec<FieldRecord>,
    /// How it differs from `base`; null without one.
    comparison: Option<ComparisonRecord>,
}

/// The scores of a field.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FieldScores")]
struct FieldRecord {
    /// JSON pointer without indexes of lists.
    field: String,
    /// Share of right values, with the rightly empty ones.
    accuracy: Option<ShareRecord>,
    /// Values that were compared.
    values: u64,
    right: u64,
    /// Rightly empty values, which are also right.
    empty: u64,
    wrong: u64,
    missing: u64,
    invented: u64,
}

/// Values that differ from those of an earlier run.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationComparison")]
struct ComparisonRecord {
    /// Values that became right.
    better: u64,
    /// Values that became wrong.
    worse: u64,
    /// Values that are another wrong value.
    other: u64,
    /// Probability of so many values that became wrong, if both runs were equally good (one-sided sign test).
    chance: f64,
    /// Whether the run is worse: with 95 % certainty by its values, or because its form drops a field.
    is_worse: bool,
    /// Fields of the earlier run's form that the form does not have; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<String>,
    /// Fields that the earlier run's form does not have; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    added: Vec<String>,
    /// Fields that have another name, which are compared; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    renamed: Vec<RenamedField>,
}

/// A field with another name.
#[derive(Serialize, JsonSchema)]
struct RenamedField {
    /// JSON pointer in the earlier form.
    from: String,
    /// JSON pointer in the later form.
    to: String,
}

impl From<Comparison> for ComparisonRecord {
    fn from(comparison: Comparison) -> Self {
        let (chance, is_worse) = (comparison.chance(), comparison.is_worse());
        let Comparison { better, worse, other, fields: _, form } = comparison;
        let FormChanges { dropped, added, renamed, .. } = form;
        let renamed = renamed.into_iter().map(|(from, to)| RenamedField { from, to }).collect();
        Self { better, worse, other, chance, is_worse, dropped, added, renamed }
    }
}

fn field((field, score): (String, FieldScore)) -> FieldRecord {
    FieldRecord {
        field,
        accuracy: score.accuracy().map(ShareRecord::from),
        values: score.values,
        right: score.right,
        empty: score.empty,
        wrong: score.wrong,
        missing: score.missing,
        invented: score.invented,
    }
}

impl From<EvaluationReport> for ScoresRecord {
    fn from(scored: EvaluationReport) -> Self {
        let Report { fields, accuracy, groups, failed, whole } = scored.report;
        Self {
            evaluation: EvaluationRecord::from(&scored.run),
            accuracy: accuracy.map(ShareRecord::from),
            groups,
            failed,
            whole,
            fields: fields.into_iter().map(field).collect(),
            comparison: scored.comparison.map(ComparisonRecord::from),
        }
    }
}
