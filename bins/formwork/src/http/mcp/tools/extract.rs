//! Extraction of a record from documents by a form, without an agent.

use agents_core::rules::MAX_INSTRUCTIONS;
use forms_core::{Extraction, FormSchema, FormsError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shared_core::Scope;

use super::call_documents::ExtractionDocuments;
use super::documents::{self, DOCUMENTS};
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::body::deserialize_at;
use crate::http::file_ref::FileRef;
use crate::http::generate::UsageRecord;
use crate::http::mcp::exchange::Exchange;
use crate::http::mcp::schema;
use crate::http::utilities::inputs::references;

/// The arguments besides the documents in them.
#[derive(Deserialize)]
struct Arguments {
    form_id: Option<String>,
    schema: Option<Map<String, Value>>,
    urls: Option<Vec<FileRef>>,
    instructions: Option<String>,
    model: Option<String>,
}

/// The schema of the arguments.
pub(super) fn input(definitions: &Map<String, Value>) -> Value {
    let mut urls = references(&mut schemars::SchemaGenerator::default()).to_value();
    urls["description"] = json!("Ids or own URLs of files, or addresses of the web.");
    let properties = json!({
        "form_id": {"type": "string", "description": "The form to fill."},
        "schema": {"$ref": "#/$defs/FormFields", "description": "The fields to fill, instead of a stored form."},
        "urls": urls,
        DOCUMENTS: documents::described(),
        "instructions": {
            "type": "string", "maxLength": MAX_INSTRUCTIONS,
            "description": "What else matters for the extraction."
        },
        "model": {"type": "string", "description": "The model, model@provider; the server's default when absent."}
    });
    let properties = properties.as_object().cloned().unwrap_or_default();
    schema::object(properties, Vec::new(), definitions)
}

/// Extracts the record.
///
/// # Errors
/// When an argument breaks a rule, a document cannot be read, or the model fails.
pub(super) async fn call(exchange: &Exchange, mut arguments: Map<String, Value>) -> Result<Value, ApiError> {
    let (state, scope) = (&exchange.state, &exchange.caller.0.scope);
    let inline = documents::take(&mut arguments)?;
    let Arguments { form_id, schema, urls, instructions, model } = deserialize_at(Value::Object(arguments))?;
    let instructions = instructions.unwrap_or_default();
    if instructions.chars().count() > MAX_INSTRUCTIONS {
        let message = format!("'instructions' must have at most {MAX_INSTRUCTIONS} characters");
        return Err(ApiError::invalid("/instructions", message));
    }
    let urls: Vec<String> = urls.unwrap_or_default().into_iter().map(|FileRef(url)| url).collect();
    if urls.is_empty() && inline.is_empty() {
        return Err(ApiError::invalid("/urls", "'urls' or 'documents' must have a document"));
    }
    let model = state.mcp.model(model.as_deref())?;
    state.generation.check(&model)?;
    let form = form(state, scope, form_id, schema).await?;
    let documents = ExtractionDocuments::read(state, scope, urls, inline, state.mcp.sees(&model)).await?;
    let payer = exchange.caller.payer();
    let asked = (&form, instructions.as_str());
    let pictures = documents.pictures(scope);
    let mut found = state.mcp.extract(&payer, &model, asked, documents.group.documents(), &pictures).await?;
    let named: Vec<_> = (0_u32..).zip(documents.references.iter().cloned()).map(Some).collect();
    documents.group.name_documents(&mut found, &named);
    let Extraction { record, evidence, conflicts, errors, usage, cost, pictures } = found;
    let warnings = documents.warnings(&pictures)?;
    Ok(json!({
        "record": record,
        "evidence": evidence,
        "conflicts": conflicts,
        "errors": errors,
        "model": model.to_string(),
        "usage": UsageRecord::of(usage, cost),
        "warnings": warnings
    }))
}

/// The form of a call.
async fn form(
    state: &AppState,
    scope: &Scope,
    form_id: Option<String>,
    schema: Option<Map<String, Value>>,
) -> Result<FormSchema, ApiError> {
    let (schema, place) = match (form_id, schema) {
        (Some(id), None) => (state.forms.get(scope, &id).await?.schema, ""),
        (None, Some(schema)) => (schema, "/schema"),
        _ => return Err(ApiError::invalid("/form_id", "either 'form_id' or 'schema' is needed")),
    };
    FormSchema::parse(&schema).map_err(|mut violations| {
        for violation in &mut violations {
            violation.path.insert_str(0, place);
        }
        FormsError::Invalid(violations).into()
    })
}
