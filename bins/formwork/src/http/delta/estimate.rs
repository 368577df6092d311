//! Estimates a run without starting it.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::{ExpandOptions, RunEstimate, RunTarget};
use gen_core::Cost;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::examples;
use super::groups::Groups;
use super::settings;
use super::start::{DeltaBody, RunRequestOptions, relocate_violations};
use crate::app::AppState;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Caller, Segment};
use crate::http::{HandlerResult, rules};

pub(super) fn register(registry: &mut Registry) {
    let operation = registry
        .operation(
            Method::POST,
            "/v1/agent/{namespace}/workflow/delta/estimate",
            "estimate_delta",
            "Estimates the calls, tokens and cost of a run, without starting it. Documents are read; no model is called.",
        )
        .access(Access::Read)
        .query("partial", rules::flag(), "Leave unreadable documents out instead of failing their group.")
        .query("modelId", rules::text(), "The model, model@provider, instead of the agent's.")
        .query("form_version", rules::ordinal(), "Version of the agent's form, a draft too, instead of the agent's.")
        .query(
            "target",
            json!({"type": "string", "enum": RunTarget::ALL.map(RunTarget::name)}),
            "What gives one record: a group (the default), each document, part, page, row or section.",
        )
        .query("classify", rules::flag(), "Find the form of each part. No model is asked for it.")
        .query(
            "threshold",
            json!({"type": "number", "minimum": 0, "maximum": 1}),
            "The probability that the form of a part must have, default 0.5.",
        );
    settings::describe(operation)
        .body::<DeltaBody>()
        .example(examples::groups)
        .answers::<EstimateRecord>()
        .example(examples::estimate)
        .fails(&[404])
        .to(estimate_delta);
}

/// What a run is going to take.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RunEstimate")]
struct EstimateRecord {
    /// Groups of the run.
    groups: u64,
    /// Groups whose documents were read; the figures of more are extrapolated from these.
    estimated_groups: u64,
    /// Of these, groups with documents that cannot be read now.
    unreadable_groups: u64,
    /// Planned model calls. Calls for failed values and missing rows come on top.
    calls: u64,
    /// Input tokens: those of texts at four characters a token, and those of pictures.
    input_tokens: u64,
    /// Pictures of pages in the planned calls.
    pictures: u64,
    /// Their part of the input tokens, as the vendor of the model counts them.
    picture_tokens: u64,
    /// Output tokens, by the fields of the form, and by the length of documents where it has lists.
    output_tokens: u64,
    /// US dollars, with mode=batch at the price of batches; null when the price of the model is unknown.
    cost: Option<f64>,
    /// The model, `model@provider`.
    model: String,
    /// The form's version; that of the first form where there are several.
    form_version: u32,
    /// Documents and pages that no group has; absent without classification.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u32>,
}

impl From<RunEstimate> for EstimateRecord {
    fn from(found: RunEstimate) -> Self {
        Self {
            groups: found.groups,
            estimated_groups: found.estimated_groups,
            unreadable_groups: found.unreadable_groups,
            calls: found.calls,
            input_tokens: found.usage.input_tokens,
            pictures: found.pictures,
            picture_tokens: found.picture_tokens,
            output_tokens: found.usage.output_tokens,
            cost: found.cost.map(Cost::dollars),
            model: found.model,
            form_version: found.form_version,
            left_out: found.left_out,
        }
    }
}

async fn estimate_delta(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(namespace): Segment,
    options: RunRequestOptions,
    groups: Groups,
) -> HandlerResult {
    let payer = caller.payer();
    let (groups, path) = groups.parse(&state.limits)?;
    let estimate = async {
        let how = ExpandOptions { estimate: true, ..options.how };
        let expansion = state.runs.expand(&payer, &namespace, groups, &how).await?;
        state.runs.estimate(&payer, &namespace, &expansion, options.options).await
    };
    let found = estimate.await.map_err(|error| relocate_violations(error, path))?;
    Ok(HttpResponse::Ok().json(EstimateRecord::from(found)))
}
