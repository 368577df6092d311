//! Versions of forms.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::RunId;
use evaluation_core::GateRequest;
use forms_core::{FormVersion, FormVersionSummary, FormsError, VersionState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::forms::{ExampleRecord, FormRecord};
use super::lists::{AnyObject, List, ListMeta, ListQuery};
use super::operation::Registry;
use super::request::{Caller, OptionalBody, Query, Segment, Segments};
use super::{ApiError, HandlerResult, examples};
use crate::app::AppState;

/// Fields in `may_drop` at most: as many as a form may have.
const MAX_DROPPED: usize = 1_000;

/// The list of a form's versions.
const VERSIONS: List = List { name: "versions", rows: 50 };

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/form/{form_id}/versions",
            "list_form_versions",
            "Lists the versions of a form, newest first. Every change of schema or examples creates one.",
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
    registry
        .operation(
            Method::POST,
            "/v1/form/{form_id}/versions/{version}/publish",
            "publish_form_version",
            "Puts a version of a form in force: a draft, or an older version. With an evaluation, or where the form has a gate, \
             only if it passes.",
        )
        .body::<PublishVersion>()
        .without_body_too()
        .example(examples::publication)
        .answers::<FormRecord>()
        .example(examples::form)
        .fails(&[404, 409])
        .recovers(recover_publication)
        .to_once(publish_form_version);
}

#[derive(Serialize, JsonSchema)]
struct FormVersionRecord {
    form_id: String,
    /// From 1.
    version: u32,
    #[schemars(extend("enum" = VersionState::ALL.map(VersionState::name)))]
    state: &'static str,
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
            state: form.state.name(),
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
    /// `draft`: it was never in force.
    #[schemars(extend("enum" = VersionState::ALL.map(VersionState::name)))]
    state: &'static str,
    title: String,
    created_timestamp: String,
}

impl From<FormVersionSummary> for FormVersionItem {
    fn from(form: FormVersionSummary) -> Self {
        Self {
            version: form.version,
            state: form.state.name(),
            title: form.title,
            created_timestamp: form.created.record_text(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct FormVersionList {
    versions: Vec<FormVersionItem>,
    /// The version in force.
    published_version: u32,
    meta: ListMeta,
}

/// What a version must fulfil to be put in force; nothing when the body is empty.
#[derive(Default, Deserialize, JsonSchema)]
struct PublishVersion {
    /// A finished evaluation of this version. It must not be worse than `base`.
    evaluation: Option<i64>,
    /// An evaluation over the same set. Default: the newest one of the version in force with the same model.
    base: Option<i64>,
    /// Least share of right values.
    #[schemars(range(min = 0.0, max = 1.0))]
    minimum: Option<f64>,
    /// Fields that the version may drop, by JSON pointers without indexes of lists; others are worse.
    #[schemars(length(max = MAX_DROPPED))]
    may_drop: Option<Vec<String>>,
}

impl PublishVersion {
    fn request(self) -> Result<GateRequest, ApiError> {
        let Self { evaluation, base, minimum, may_drop } = self;
        if evaluation.is_none() && (base.is_some() || minimum.is_some()) {
            return Err(ApiError::invalid("/evaluation", "'base' and 'minimum' need 'evaluation'"));
        }
        let may_drop = may_drop.unwrap_or_default();
        if may_drop.len() > MAX_DROPPED {
            let rule = format!("'may_drop' may have at most {MAX_DROPPED} entries");
            return Err(ApiError::invalid("/may_drop", rule));
        }
        let (evaluation, base) = (evaluation.map(RunId), base.map(RunId));
        Ok(GateRequest { evaluation, base, minimum, may_drop })
    }
}

async fn list_form_versions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&VERSIONS)?;
    let page = state.forms.versions(&who.scope, &id, &request).await?;
    let published_version = state.forms.get(&who.scope, &id).await?.version;
    let meta = ListMeta::of(&VERSIONS, &page, &request);
    let versions = page.map(FormVersionItem::from).items;
    Ok(HttpResponse::Ok().json(FormVersionList { versions, published_version, meta }))
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

async fn publish_form_version(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, version): Segments,
    OptionalBody(body): OptionalBody<PublishVersion>,
) -> HandlerResult {
    let version = number(&version)?;
    let gate = state.evaluations.demanded_gate(&who.scope, &id, version, body.request()?).await?;
    let compared = match gate {
        Some(gate) => Some(state.evaluations.check_gate(&who.scope, &id, version, &gate).await?),
        None => None,
    };
    let form = state.forms.publish(&who.scope, &id, version, compared).await?;
    Ok(HttpResponse::Ok().json(FormRecord::from(form)))
}

/// The answer to a publication that ended without one.
async fn recover_publication(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, _): Segments,
) -> HandlerResult {
    Ok(HttpResponse::Ok().json(FormRecord::from(state.forms.get(&who.scope, &id).await?)))
}
