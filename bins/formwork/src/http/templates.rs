//! The gallery of forms of common documents.

use actix_web::HttpResponse;
use actix_web::http::Method;
use gen_core::suggestions::{format_likely, likely};
use rules_engine::schema::{FormTemplate, template, template_ids, template_languages};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_core::ErrorKind;

use super::lists::AnyObject;
use super::operation::{Access, Registry};
use super::request::{Query, Segment};
use super::{ApiError, HandlerResult, schema_examples};

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/templates",
            "list_templates",
            "Lists the ready forms of common documents, by their id.",
        )
        .access(Access::Read)
        .query("language", languages(), LANGUAGE)
        .answers::<TemplateList>()
        .example(schema_examples::templates)
        .to(list_templates);
    registry
        .operation(
            Method::GET,
            "/v1/templates/{template_id}",
            "get_template",
            "Retrieves a ready form with a sample document and what it says.",
        )
        .access(Access::Read)
        .query("language", languages(), LANGUAGE)
        .answers::<TemplateRecord>()
        .example(schema_examples::template)
        .fails(&[404])
        .to(get_template);
}

/// What the parameter is for.
const LANGUAGE: &str = "Language of the fields and the sample; English if absent.";

/// The languages of the gallery, as JSON Schema.
fn languages() -> Value {
    json!({"type": "string", "enum": codes(), "default": "en"})
}

fn codes() -> Vec<&'static str> {
    template_languages().collect()
}

#[derive(Deserialize)]
struct TemplateQuery {
    language: Option<String>,
}

impl TemplateQuery {
    fn language(&self) -> Result<&'static str, ApiError> {
        let wanted = self.language.as_deref().unwrap_or("en");
        template_languages().find(|code| *code == wanted).ok_or_else(|| {
            ApiError::invalid("?language", format!("'language' must be one of {}", codes().join(", ")))
        })
    }
}

#[derive(Serialize, JsonSchema)]
struct TemplateList {
    templates: Vec<TemplateItem>,
    /// The languages that templates can be had in.
    languages: Vec<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct TemplateItem {
    template_id: &'static str,
    title: String,
    /// Names of the fields in asking order.
    fields: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct TemplateRecord {
    template_id: &'static str,
    title: String,
    /// Code of the language (ISO 639-1).
    language: &'static str,
    /// The schema, as a form takes it.
    schema: AnyObject,
    /// Text of an invented document of the kind.
    sample: String,
    /// What the sample says: the record that an extraction should give.
    record: AnyObject,
}

impl From<FormTemplate> for TemplateRecord {
    fn from(template: FormTemplate) -> Self {
        Self {
            template_id: template.id,
            title: template.title,
            language: template.language,
            schema: template.schema,
            sample: template.sample,
            record: template.record,
        }
    }
}

async fn list_templates(Query(query): Query<TemplateQuery>) -> HandlerResult {
    let language = query.language()?;
    let found = template_ids(language).into_iter().filter_map(|id| template(id, language));
    let templates = found.map(|template| TemplateItem {
        template_id: template.id,
        title: template.title,
        fields: template.schema.keys().cloned().collect(),
    });
    Ok(HttpResponse::Ok().json(TemplateList { templates: templates.collect(), languages: codes() }))
}

async fn get_template(Segment(id): Segment, Query(query): Query<TemplateQuery>) -> HandlerResult {
    let language = query.language()?;
    let found = template(&id, language).ok_or_else(|| {
        let suggestion = format_likely(likely(&id, template_ids(language)));
        ApiError::new(
            ErrorKind::NotFound,
            "template_not_found",
            format!("there is no such template{suggestion}"),
        )
    })?;
    Ok(HttpResponse::Ok().json(TemplateRecord::from(found)))
}
