//! The groups of a set.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::{DocumentRef, RunId};
use document::PageRanges;
use evaluation_core::TrueGroup;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::examples;
use super::records::SetRecord;
use crate::app::AppState;
use crate::http::file_ref::FileRef;
use crate::http::idempotency::Effects;
use crate::http::lists::{AnyObject, page_window, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::{ApiError, HandlerResult, rules};

const PATH: &str = "/v1/evaluation_sets/{set_id}/groups";
/// Default number of groups of a page.
const ROWS: u32 = 50;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            PATH,
            "add_evaluation_groups",
            "Adds groups to a set: as they are, from a table in a file (CSV, XLSX), or from the reviewed groups of a run.",
        )
        .body::<AddGroups>()
        .example(examples::new_groups)
        .answers::<SetRecord>()
        .example(examples::set)
        .fails(&[404, 409])
        .recovers(recover_groups)
        .to_once(add_evaluation_groups);
    registry
        .operation(Method::GET, PATH, "list_evaluation_groups", "Lists the groups of a set in order.")
        .query("page", rules::ordinal(), "Page, from 1.")
        .query("limit", rules::limit(), "Rows of a page, 1 to 100.")
        .answers::<GroupList>()
        .example(examples::groups)
        .fails(&[404])
        .to(list_evaluation_groups);
}

/// Groups to add: either `groups`, or `file`, or `namespace` and `sid`.
#[derive(Deserialize, JsonSchema)]
struct AddGroups {
    groups: Option<Vec<GroupBody>>,
    /// A file whose first table has a row for each group: the column `documents` with ids or URLs, separated by
    /// semicolons, and columns of fields, such as `total` and `seller.name`.
    file: Option<FileRef>,
    /// The agent of a run. Its groups whose queued values were all decided are added, with their reviewed records.
    namespace: Option<String>,
    /// The run.
    sid: Option<i64>,
}

/// A group with its true record.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewEvaluationGroup")]
struct GroupBody {
    documents: Vec<DocumentBody>,
    /// The true record. A field that it does not have is not compared; null states that there is no value.
    #[schemars(with = "AnyObject")]
    record: Map<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewEvaluationDocument")]
struct DocumentBody {
    /// A file id, or a URL.
    url: FileRef,
    description: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "pages")]
    pages: Option<PageRanges>,
}

fn pages(_: &mut SchemaGenerator) -> Schema {
    rules::pages().try_into().unwrap_or_default()
}

#[derive(Serialize, JsonSchema)]
struct GroupList {
    groups: Vec<GroupRecord>,
    /// Number of groups of the set.
    total: u32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationGroup")]
struct GroupRecord {
    /// Index of the group, from 0.
    group: u32,
    documents: Vec<DocumentRecord>,
    record: AnyObject,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationDocument")]
struct DocumentRecord {
    url: String,
    description: String,
    /// The pages that are meant; absent for the whole document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<String>,
}

impl From<GroupBody> for TrueGroup {
    fn from(group: GroupBody) -> Self {
        let document = |document: DocumentBody| DocumentRef {
            description: document.description.unwrap_or_default(),
            pages: document.pages,
            ..DocumentRef::new(document.url.0)
        };
        Self { documents: group.documents.into_iter().map(document).collect(), record: group.record }
    }
}

async fn add_evaluation_groups(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(body): Body<AddGroups>,
) -> HandlerResult {
    let (sets, scope) = (&state.evaluations, &who.scope);
    match body {
        AddGroups { groups: Some(groups), file: None, namespace: None, sid: None } => {
            let groups: Vec<TrueGroup> = groups.into_iter().map(TrueGroup::from).collect();
            sets.add(scope, &id, &groups).await?
        }
        AddGroups { groups: None, file: Some(file), namespace: None, sid: None } => {
            sets.add_file(scope, &id, &file.0).await?
        }
        AddGroups { groups: None, file: None, namespace: Some(namespace), sid: Some(sid) } => {
            sets.add_reviewed(scope, &id, &namespace, RunId(sid)).await?
        }
        _ => {
            let rule = "the body must have either 'groups', or 'file', or 'namespace' and 'sid'";
            return Err(ApiError::invalid("", rule));
        }
    };
    Ok(HttpResponse::Ok().json(SetRecord::from(sets.get(scope, &id).await?)))
}

/// The answer to an addition that ended without one.
async fn recover_groups(state: web::Data<AppState>, Caller(who): Caller, effects: Effects) -> HandlerResult {
    let set = state.evaluations.get(&who.scope, effects.id("evaluation_set")?).await?;
    Ok(HttpResponse::Ok().json(SetRecord::from(set)))
}

#[derive(Deserialize)]
struct GroupQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
}

async fn list_evaluation_groups(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<GroupQuery>,
) -> HandlerResult {
    let (page, limit) = page_window(query.page, query.limit)?;
    let limit = limit.unwrap_or(ROWS);
    let from = page.unwrap_or(1).saturating_sub(1).saturating_mul(limit);
    let (set, groups) = state.evaluations.groups(&who.scope, &id, from, limit).await?;
    let record = |(group, one): (u32, TrueGroup)| GroupRecord {
        group,
        documents: one
            .documents
            .into_iter()
            .map(|document| DocumentRecord {
                url: document.url,
                description: document.description,
                pages: document.pages.map(|pages| pages.to_string()),
            })
            .collect(),
        record: one.record,
    };
    let groups = (from..).zip(groups).map(record).collect();
    Ok(HttpResponse::Ok().json(GroupList { groups, total: set.groups }))
}
