//! The values of an evaluation that are not right, or that changed.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use evaluation_core::score::{Cell, Change};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::examples;
use crate::app::AppState;
use crate::http::delta::{named_run, run_id};
use crate::http::lists::{page_window, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segments};
use crate::http::{HandlerResult, rules};

/// Default number of values.
const ROWS: u32 = 100;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/evaluation_sets/{set_id}/evaluations/{sid}/values",
            "list_evaluation_values",
            "Lists values by group: those that are not right, or with 'base' those that changed.",
        )
        .query("base", rules::id(), "An earlier evaluation to compare with.")
        .query("from_group", json!({"type": "integer", "minimum": 0}), "Index of the first group; default 0.")
        .query("limit", rules::limit(), "Values, about so many, 1 to 100: the last group is listed whole.")
        .answers::<ValueList>()
        .example(examples::values)
        .fails(&[404])
        .to(list_evaluation_values);
}

#[derive(Deserialize)]
struct ValuesQuery {
    base: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    from_group: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
}

#[derive(Serialize, JsonSchema)]
struct ValueList {
    values: Vec<ValueRecord>,
    /// The group to go on with as `from_group`; null at the end.
    next_group: Option<u32>,
}

/// A value beside the true one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationValue")]
struct ValueRecord {
    /// Index of the group.
    group: u32,
    /// JSON pointer into the true record; a row that the truth does not have has `+` before its index.
    path: String,
    /// What the true record has there.
    truth: Value,
    /// How the value agrees with the truth; null where only the earlier run has the row.
    outcome: Option<&'static str>,
    /// What the record of this evaluation has there.
    value: Value,
    /// How the value of `base` agrees with the truth; null without one.
    base_outcome: Option<&'static str>,
    /// What the record of `base` has there.
    base_value: Value,
}

impl From<Change> for ValueRecord {
    fn from(change: Change) -> Self {
        let Change { group, before, after } = change;
        let shown = after.as_ref().or(before.as_ref());
        let value = |cell: Option<&Cell>| cell.map(|cell| cell.value.clone()).unwrap_or_default();
        let outcome = |cell: Option<&Cell>| cell.map(|cell| cell.outcome.name());
        Self {
            group,
            path: shown.map(|cell| cell.path.clone()).unwrap_or_default(),
            truth: shown.map(|cell| cell.truth.clone()).unwrap_or_default(),
            outcome: outcome(after.as_ref()),
            value: value(after.as_ref()),
            base_outcome: outcome(before.as_ref()),
            base_value: value(before.as_ref()),
        }
    }
}

async fn list_evaluation_values(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, sid): Segments,
    Query(query): Query<ValuesQuery>,
) -> HandlerResult {
    let (_, limit) = page_window(None, query.limit)?;
    let from = query.from_group.map_or(0, |from| u32::try_from(from).unwrap_or(u32::MAX));
    let base = query.base.map(|base| named_run("base", base)).transpose()?;
    let runs = (run_id(&sid)?, base);
    let most = usize::try_from(limit.unwrap_or(ROWS)).unwrap_or(usize::MAX);
    let (values, next_group) = state.evaluations.values(&who.scope, &id, runs, from, most).await?;
    let values = values.into_iter().map(ValueRecord::from).collect();
    Ok(HttpResponse::Ok().json(ValueList { values, next_group }))
}
