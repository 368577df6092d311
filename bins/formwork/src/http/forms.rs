//! Forms.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use forms_core::json_schema::to_json_schema;
use forms_core::{
    Form, FormChange, FormExample, FormSummary, FormVersion, FormVersionSummary, FormsError,
    MAX_EXAMPLE_TEXT, MAX_EXAMPLES, MAX_TITLE, misspelt_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::form_schema::FormFields;
use super::idempotency::Effects;
use super::lists::{AnyObject, Done, List, ListMeta, ListQuery};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment, Segments};
use super::rules::NOT_BLANK;
use super::schemas::SchemaWarning;
use super::{HandlerResult, examples, rules, schema_examples};
use crate::app::AppState;

/// The list of forms.
const LIST: List = List { name: "forms", rows: 50 };
/// The list of a form's versions.
const VERSIONS: List = List { name: "versions", rows: 50 };

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/v1/form", "create_form", "Creates a form.")
        .body::<CreateForm>()
        .example(examples::new_form)
        .answers::<FormRecord>()
        .example(examples::form)
        .recovers(recover_form)
        .to_once(create_form);
    registry
        .operation(Method::GET, "/v1/form", "list_forms", "Lists forms, newest first.")
        .paged()
        .query("title", rules::text(), "Only forms whose title contains this text, ignoring case.")
        .answers::<FormList>()
        .example(examples::forms)
        .to(list_forms);
    registry
        .operation(Method::GET, "/v1/form/{form_id}", "get_form", "Retrieves a form.")
        .answers::<FormRecord>()
        .example(examples::form)
        .fails(&[404])
        .to(get_form);
    registry
        .operation(
            Method::GET,
            "/v1/form/{form_id}/json_schema",
            "get_form_json_schema",
            "Retrieves the JSON Schema (2020-12) of a form's records. The keyword x-formwork has what JSON Schema cannot say.",
        )
        .answers::<AnyObject>()
        .example(schema_examples::json_schema)
        .fails(&[404])
        .to(get_form_json_schema);
    registry
        .operation(
            Method::PUT,
            "/v1/form/{form_id}",
            "update_form",
            "Changes a form. Absent fields are unchanged.",
        )
        .body::<UpdateForm>()
        .example(examples::form_changes)
        .answers::<FormRecord>()
        .example(examples::changed_form)
        .fails(&[404, 409])
        .to(update_form);
    registry
        .operation(Method::DELETE, "/v1/form/{form_id}", "delete_form", "Deletes a form that no agent has.")
        .answers::<Done>()
        .example(|| examples::done("The form was deleted."))
        .fails(&[404, 409])
        .to(delete_form);
    register_versions(registry);
}

/// Registers the operations on versions.
fn register_versions(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/form/{form_id}/versions",
            "list_form_versions",
            "Lists the versions of a form, newest first. Every change creates one.",
        )
        .paged()
        .answers::<FormVersionList>()
        .example(examples::form_versions)
        .fails(&[404])
        .to(list_form_versions);
    registry
        .operation(
            Method::GET,
            "/v1/form/{form_id}/versions/{version}",
            "get_form_version",
            "Retrieves a version of a form.",
        )
        .answers::<FormVersionRecord>()
        .example(examples::form_version)
        .fails(&[404])
        .to(get_form_version);
}

#[derive(Deserialize, JsonSchema)]
struct CreateForm {
    /// Title of the form.
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    title: String,
    #[schemars(with = "FormFields")]
    schema: Value,
    /// Documents with their right records, which show a model how to fill in the form.
    #[schemars(with = "Option<Vec<ExampleRecord>>", length(max = MAX_EXAMPLES))]
    examples: Option<Value>,
}

#[derive(Deserialize, JsonSchema)]
struct UpdateForm {
    /// New title.
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    title: Option<String>,
    /// New schema.
    #[serde(default)]
    #[schemars(with = "Option<FormFields>")]
    schema: Option<Value>,
    /// Examples in place of those that the form has.
    #[schemars(with = "Option<Vec<ExampleRecord>>", length(max = MAX_EXAMPLES))]
    examples: Option<Value>,
}

/// A document with its right record.
#[derive(Serialize, JsonSchema)]
struct ExampleRecord {
    /// The document as text or Markdown.
    #[schemars(length(max = MAX_EXAMPLE_TEXT), extend("pattern" = NOT_BLANK))]
    text: String,
    /// Values of fields of the form. What the document does not state is absent.
    record: AnyObject,
}

impl From<FormExample> for ExampleRecord {
    fn from(example: FormExample) -> Self {
        Self { text: example.text, record: example.record }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormRecord {
    form_id: String,
    title: String,
    /// The schema as it was sent.
    schema: AnyObject,
    /// Documents with their right records; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<ExampleRecord>,
    /// Keys of the schema that are most likely slips of others, after a change; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<SchemaWarning>,
}

impl From<Form> for FormRecord {
    fn from(form: Form) -> Self {
        let examples = form.examples.into_iter().map(ExampleRecord::from).collect();
        Self { form_id: form.id, title: form.title, schema: form.schema, examples, warnings: Vec::new() }
    }
}

impl FormRecord {
    /// The record with warnings about a schema that was sent.
    fn checked(form: Form) -> Self {
        let warnings = misspelt_keys(&form.schema).into_iter().map(SchemaWarning::from).collect();
        Self { warnings, ..Self::from(form) }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormListItem {
    form_id: String,
    title: String,
    created_timestamp: String,
    updated_timestamp: String,
    #[serde(rename = "userName")]
    user_name: String,
}

impl From<FormSummary> for FormListItem {
    fn from(form: FormSummary) -> Self {
        Self {
            form_id: form.id,
            title: form.title,
            created_timestamp: form.created.record_text(),
            updated_timestamp: form.updated.record_text(),
            user_name: form.author.name,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormList {
    forms: Vec<FormListItem>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
struct FormVersionRecord {
    form_id: String,
    /// From 1.
    version: u32,
    title: String,
    /// The schema as it was sent.
    schema: AnyObject,
    /// Documents with their right records; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<ExampleRecord>,
    created_timestamp: String,
}

impl From<FormVersion> for FormVersionRecord {
    fn from(form: FormVersion) -> Self {
        Self {
            form_id: form.form_id,
            version: form.version,
            title: form.title,
            schema: form.schema,
            examples: form.examples.into_iter().map(ExampleRecord::from).collect(),
            created_timestamp: form.created.record_text(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormVersionItem {
    /// From 1.
    version: u32,
    title: String,
    created_timestamp: String,
}

impl From<FormVersionSummary> for FormVersionItem {
    fn from(form: FormVersionSummary) -> Self {
        Self { version: form.version, title: form.title, created_timestamp: form.created.record_text() }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormVersionList {
    versions: Vec<FormVersionItem>,
    meta: ListMeta,
}

async fn create_form(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(form): Body<CreateForm>,
) -> HandlerResult {
    let form = state.forms.create(&who.scope, &who.author, form.title, form.schema, form.examples).await?;
    Ok(HttpResponse::Ok().json(FormRecord::checked(form)))
}

/// The answer to a creation that ended without one.
async fn recover_form(state: web::Data<AppState>, Caller(who): Caller, effects: Effects) -> HandlerResult {
    let form = state.forms.get(&who.scope, effects.id("form")?).await?;
    Ok(HttpResponse::Ok().json(FormRecord::checked(form)))
}

async fn list_forms(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.forms.list(&who.scope, query.title.as_deref(), &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    Ok(HttpResponse::Ok().json(FormList { forms: page.map(FormListItem::from).items, meta }))
}

async fn get_form(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    Ok(HttpResponse::Ok().json(FormRecord::from(state.forms.get(&who.scope, &id).await?)))
}

async fn get_form_json_schema(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let form = state.forms.get(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(to_json_schema(&form.schema)))
}

async fn update_form(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(change): Body<UpdateForm>,
) -> HandlerResult {
    let change = FormChange { title: change.title, schema: change.schema, examples: change.examples };
    let form = state.forms.update(&who.scope, &id, change).await?;
    Ok(HttpResponse::Ok().json(FormRecord::checked(form)))
}

async fn delete_form(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    state.forms.delete(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The form was deleted.")))
}

async fn list_form_versions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&VERSIONS)?;
    let page = state.forms.versions(&who.scope, &id, &request).await?;
    let meta = ListMeta::of(&VERSIONS, &page, &request);
    Ok(HttpResponse::Ok().json(FormVersionList { versions: page.map(FormVersionItem::from).items, meta }))
}

async fn get_form_version(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, version): Segments,
) -> HandlerResult {
    let version = state.forms.version(&who.scope, &id, number(&version)?).await?;
    Ok(HttpResponse::Ok().json(FormVersionRecord::from(version)))
}

/// A segment that is not a positive integer is a version that no form has.
fn number(segment: &str) -> Result<u32, FormsError> {
    let number = segment.parse::<u32>().ok().filter(|number| *number > 0 && number.to_string() == segment);
    number.ok_or(FormsError::VersionNotFound)
}
