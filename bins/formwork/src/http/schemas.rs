//! Utilities for form schemas: generate one from a description, validate one.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use forms_core::{FormsError, validate_schema as violations};
use rules_engine::schema::MAX_CONTENT;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use shared_core::ErrorKind;
use tracing::Instrument as _;

use super::form_schema::FormFields;
use super::lists::AnyObject;
use super::operation::{Access, Registry};
use super::request::{AnyBody, Body, Caller};
use super::rules::NOT_BLANK;
use super::{ApiError, HandlerResult, examples};
use crate::app::AppState;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/schema_generator",
            "generate_schema",
            "Generates a form's schema from a description in plain words.",
        )
        .body::<GenerateSchema>()
        .example(examples::wanted_schema)
        .answers::<AnyObject>()
        .example(examples::made_schema)
        .fails(&[502, 503, 504])
        .to_once(generate_schema);
    registry
        .operation(
            Method::POST,
            "/v1/utilities/schema_validator",
            "validate_schema",
            "Checks a form's schema.",
        )
        .access(Access::Read)
        .body::<FormFields>()
        .example(examples::schema)
        .answers::<bool>()
        .example(|| json!(true))
        .to(validate_schema);
}

#[derive(Deserialize, JsonSchema)]
struct GenerateSchema {
    /// Purpose and fields of the form, in plain words.
    // It must have a letter, which patterns cannot say in every language.
    #[schemars(length(max = MAX_CONTENT), extend("pattern" = NOT_BLANK))]
    content: String,
}

async fn generate_schema(
    state: web::Data<AppState>,
    caller: Caller,
    Body(wanted): Body<GenerateSchema>,
) -> HandlerResult {
    // A long text takes some time; this thread serves other requests meanwhile.
    let (schemas, payer) = (state.schemas.clone(), caller.payer());
    let generate = async move { schemas.generate(&payer, &wanted.content).await };
    let made = state.background.spawn(generate.in_current_span()).await;
    let generated = made.map_err(|error| {
        ApiError::new(ErrorKind::Internal, "internal", format!("a schema could not be generated: {error}"))
    })??;
    Ok(HttpResponse::Ok().json(generated.schema))
}

async fn validate_schema(AnyBody(schema): AnyBody) -> HandlerResult {
    let violations = violations(&schema);
    if violations.is_empty() {
        return Ok(HttpResponse::Ok().json(json!(true)));
    }
    Err(FormsError::Invalid(violations).into())
}
