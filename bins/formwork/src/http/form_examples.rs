//! Examples of forms from reviewed responses.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::RunId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::FormRecord;
use super::operation::Registry;
use super::request::{Body, Caller, Segment};
use super::{HandlerResult, examples};
use crate::app::AppState;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/form/{form_id}/examples",
            "add_form_example",
            "Adds the documents of a reviewed group with their record to the examples of a form, as a draft.",
        )
        .body::<AddExample>()
        .example(examples::reviewed_group)
        .answers::<FormRecord>()
        .example(examples::form_with_draft)
        .fails(&[404])
        .recovers(recover_example)
        .to_once(add_form_example);
}

/// A group all of whose queued values were decided.
#[derive(Deserialize, JsonSchema)]
struct AddExample {
    /// The agent of its run.
    namespace: String,
    /// The run.
    sid: i64,
    /// Index of the group, from 0.
    group: u32,
}

async fn add_form_example(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(body): Body<AddExample>,
) -> HandlerResult {
    let run = (body.namespace.as_str(), RunId(body.sid));
    let form = state.reviews.add_example(&who.scope, &id, run, body.group).await?;
    Ok(HttpResponse::Ok().json(FormRecord::from(form)))
}

/// The answer to an addition that ended without one.
async fn recover_example(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    Ok(HttpResponse::Ok().json(FormRecord::from(state.forms.get(&who.scope, &id).await?)))
}
