//! Forms.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use forms_core::json_schema::to_json_schema;
use forms_core::{
    Form, FormChange, FormExample, FormSummary, MAX_EXAMPLE_TEXT, MAX_EXAMPLES, MAX_TITLE, misspelt_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::form_gate_record::FormGateRecord;
use super::form_schema::FormFields;
use super::idempotency::Effects;
use super::lists::{AnyObject, Done, List, ListMeta, ListQuery};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment};
use super::rules::NOT_BLANK;
use super::schemas::SchemaWarning;
use super::{HandlerResult, examples, rules, schema_examples};
use crate::app::AppState;

/// The list of forms.
const LIST: List = List { name: "forms", rows: 50 };

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
    /// Whether the change makes a draft: a version that is not in force until it is published. It starts from the newest
    /// draft, and has no title of its own.
    draft: Option<bool>,
}

/// A document with its right record.
#[derive(Serialize, JsonSchema)]
pub(super) struct ExampleRecord {
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
pub(super) struct FormRecord {
    form_id: String,
    title: String,
    /// The schema as it was sent, of the version in force.
    schema: AnyObject,
    /// The version in force; absent when it is the newest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    /// The draft that the next draft starts from; absent when a version was published after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_version: Option<u32>,
    /// What an evaluation of a version must fulfil before it is put in force; absent where nothing is demanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<FormGateRecord>,
    /// Documents with their right records; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<ExampleRecord>,
    /// Keys of the schema that are most likely slips of others, after a change; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<SchemaWarning>,
}

impl From<Form> for FormRecord {
    fn from(form: Form) -> Self {
        Self {
            form_id: form.id,
            title: form.title,
            schema: form.schema,
            version: (form.version != form.latest).then_some(form.version),
            draft_version: form.draft,
            gate: form.gate.map(FormGateRecord::from),
            examples: form.examples.into_iter().map(ExampleRecord::from).collect(),
            warnings: Vec::new(),
        }
    }
}

impl FormRecord {
    /// The record with warnings about its schema.
    fn checked(form: Form) -> Self {
        let warnings = warnings(&form.schema);
        Self { warnings, ..Self::from(form) }
    }
}

fn warnings(schema: &Map<String, Value>) -> Vec<SchemaWarning> {
    misspelt_keys(schema).into_iter().map(SchemaWarning::from).collect()
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
    let UpdateForm { title, schema, examples, draft } = change;
    // A draft is not the schema that the record has.
    let of_draft = schema.as_ref().filter(|_| draft == Some(true)).and_then(Value::as_object).map(warnings);
    let change = FormChange { title, schema, examples, draft: draft.unwrap_or_default() };
    let record = FormRecord::checked(state.forms.update(&who.scope, &id, change).await?);
    let warnings = of_draft.unwrap_or(record.warnings);
    Ok(HttpResponse::Ok().json(FormRecord { warnings, ..record }))
}

async fn delete_form(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    state.forms.delete(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The form was deleted.")))
}
