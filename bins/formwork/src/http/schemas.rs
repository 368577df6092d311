//! Utilities for form schemas: generate one from a description, make one of a JSON Schema, validate one.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use forms_core::json_schema::from_json_schema;
use forms_core::{FormsError, misspelt_keys, validate_schema as violations};
use rules_engine::schema::MAX_CONTENT;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_core::{ErrorKind, Violation};
use tracing::Instrument as _;

use super::form_schema::{FormFields, WARNING_HEADER};
use super::lists::AnyObject;
use super::operation::{Access, Registry};
use super::request::{AnyBody, Body, Caller, Query};
use super::rules::NOT_BLANK;
use super::{ApiError, HandlerResult, examples, rules, schema_examples};
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
        .query("strict", rules::flag(), "Whether keys that are most likely slips of others are violations.")
        .answers::<bool>()
        .example(|| json!(true))
        .to(validate_schema);
    registry
        .operation(
            Method::POST,
            "/v1/utilities/schema_converter",
            "convert_schema",
            "Makes a form's schema of a JSON Schema.",
        )
        .access(Access::Read)
        .body::<ConvertSchema>()
        .example(schema_examples::json_schema_to_convert)
        .answers::<ConvertedSchema>()
        .example(schema_examples::converted_schema)
        .to(convert_schema);
}

#[derive(Deserialize, JsonSchema)]
struct ConvertSchema {
    /// A JSON Schema of an object or a list, as Pydantic, Zod and OpenAPI write it. References within the document are
    /// followed.
    #[schemars(with = "AnyObject")]
    schema: Value,
}

#[derive(Serialize, JsonSchema)]
struct ConvertedSchema {
    /// The schema, as a form takes it.
    schema: AnyObject,
    /// What was left out or changed.
    warnings: Vec<SchemaWarning>,
}

/// Something in a schema that is worth a look.
#[derive(Serialize, JsonSchema)]
pub(super) struct SchemaWarning {
    /// JSON pointer into the request body.
    path: String,
    /// One sentence.
    message: String,
}

impl From<Violation> for SchemaWarning {
    fn from(Violation { path, message }: Violation) -> Self {
        Self { path: format!("/schema{path}"), message }
    }
}

#[derive(Deserialize)]
struct ValidateQuery {
    strict: Option<bool>,
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
    let mut answer = HttpResponse::Ok();
    if let Some(warning) = generated.warning() {
        answer.insert_header((WARNING_HEADER, warning));
    }
    Ok(answer.json(generated.schema))
}

async fn validate_schema(Query(query): Query<ValidateQuery>, AnyBody(schema): AnyBody) -> HandlerResult {
    let mut violations = violations(&schema);
    if let (true, Some(true), Value::Object(fields)) = (violations.is_empty(), query.strict, &schema) {
        violations = misspelt_keys(fields);
    }
    if violations.is_empty() {
        return Ok(HttpResponse::Ok().json(json!(true)));
    }
    Err(FormsError::Invalid(violations).into())
}

async fn convert_schema(Body(wanted): Body<ConvertSchema>) -> HandlerResult {
    let import = from_json_schema(&wanted.schema).map_err(|violations| {
        let within =
            |violation: Violation| Violation::new(format!("/schema{}", violation.path), violation.message);
        FormsError::Invalid(violations.into_iter().map(within).collect())
    })?;
    let warnings = import.warnings.into_iter().map(SchemaWarning::from).collect();
    Ok(HttpResponse::Ok().json(ConvertedSchema { schema: import.schema, warnings }))
}
