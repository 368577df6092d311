//! The gate of a form: what an evaluation of a version must fulfil before the version is put in force.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};

use super::form_gate_record::FormGateRecord;
use super::forms::FormRecord;
use super::operation::{Access, Registry};
use super::request::{Body, Caller, Segment};
use super::{HandlerResult, examples};
use crate::app::AppState;

const PATH: &str = "/v1/form/{form_id}/gate";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::PUT,
            PATH,
            "set_form_gate",
            "Sets the gate of a form: a version comes into force only if its evaluation passes.",
        )
        .access(Access::Admin)
        .body::<FormGateRecord>()
        .example(examples::form_gate)
        .answers::<FormRecord>()
        .example(examples::gated_form)
        .fails(&[404, 409])
        .to(set_form_gate);
    registry
        .operation(Method::DELETE, PATH, "remove_form_gate", "Removes the gate of a form.")
        .access(Access::Admin)
        .answers::<FormRecord>()
        .example(examples::form)
        .fails(&[404, 409])
        .to(remove_form_gate);
}

async fn set_form_gate(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(gate): Body<FormGateRecord>,
) -> HandlerResult {
    let form = state.evaluations.set_gate(&who.scope, &id, Some(gate.into())).await?;
    Ok(HttpResponse::Ok().json(FormRecord::from(form)))
}

async fn remove_form_gate(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let form = state.evaluations.set_gate(&who.scope, &id, None).await?;
    Ok(HttpResponse::Ok().json(FormRecord::from(form)))
}
