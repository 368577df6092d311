//! Workspaces and their quotas. Owners see and rename their own one; the owners of the first workspace administer all.

use accounts_core::{KeyScope, NewKey, NewWorkspace, Principal, QuotaChange, QuotaKind, Workspace};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use shared_core::{ErrorKind, Scope, WorkspaceId};

use super::members::MemberRecord;
use super::{List, ListMeta, ListQuery, administered, examples, page};
use crate::app::AppState;
use crate::http::lists::nullable;
use crate::http::operation::Registry;
use crate::http::quotas::QuotaReport;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::{ApiError, HandlerResult};

const LIST: List = List { name: "workspaces", rows: 50 };
const ONE: &str = "/v1/workspaces/{workspace_id}";
const QUOTAS: &str = "/v1/workspaces/{workspace_id}/quotas";

pub(super) fn register(registry: &mut Registry) {
    administered(
        registry,
        Method::GET,
        "/v1/workspaces",
        "list_workspaces",
        "Lists workspaces, newest first: all for owners of the first workspace, else the caller's own.",
    )
    .paged()
    .answers::<WorkspaceList>()
    .example(examples::workspaces)
    .to(list_workspaces);
    administered(
        registry,
        Method::POST,
        "/v1/workspaces",
        "create_workspace",
        "Creates a workspace with an owner and a key of scope admin, whose secret is shown once. For owners of the \
         first workspace.",
    )
    .body::<CreateWorkspace>()
    .example(examples::new_workspace)
    .answers::<CreatedWorkspace>()
    .example(examples::created_workspace)
    .to(create_workspace);
    administered(registry, Method::GET, ONE, "get_workspace", "Retrieves a workspace.")
        .answers::<WorkspaceRecord>()
        .example(examples::workspace)
        .fails(&[404])
        .to(get_workspace);
    administered(registry, Method::PUT, ONE, "update_workspace", "Renames a workspace.")
        .body::<RenameWorkspace>()
        .example(examples::workspace_name)
        .answers::<WorkspaceRecord>()
        .example(examples::workspace)
        .fails(&[404])
        .to(update_workspace);
    administered(
        registry,
        Method::GET,
        QUOTAS,
        "get_workspace_quotas",
        "What a workspace stores, and the most that it may store.",
    )
    .answers::<QuotaReport>()
    .example(crate::http::examples::quotas)
    .fails(&[404])
    .to(get_workspace_quotas);
    administered(
        registry,
        Method::PUT,
        QUOTAS,
        "set_workspace_quotas",
        "Sets quotas of a workspace; null removes one, and what is absent is unchanged. For owners of the first \
         workspace.",
    )
    .body::<SetQuotas>()
    .example(examples::new_quotas)
    .answers::<QuotaReport>()
    .example(crate::http::examples::quotas)
    .fails(&[404])
    .to(set_workspace_quotas);
}

#[derive(Deserialize, JsonSchema)]
struct CreateWorkspace {
    #[schemars(length(min = 1, max = 255))]
    name: String,
    owner: NewOwner,
}

#[derive(Deserialize, JsonSchema)]
struct NewOwner {
    #[schemars(length(min = 1, max = 255))]
    name: String,
    #[schemars(length(min = 3, max = 255))]
    email: String,
}

#[derive(Deserialize, JsonSchema)]
struct RenameWorkspace {
    #[schemars(length(min = 1, max = 255))]
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct SetQuotas {
    /// Uploaded files.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<u64>")]
    files: Option<Option<u64>>,
    /// Bytes of contents.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<u64>")]
    bytes: Option<Option<u64>>,
    /// Chunks of knowledge bases.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<u64>")]
    chunks: Option<Option<u64>>,
    /// Groups of batch runs.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<u64>")]
    groups: Option<Option<u64>>,
}

impl SetQuotas {
    fn changes(&self) -> Vec<QuotaChange> {
        let given = [
            (QuotaKind::Files, self.files),
            (QuotaKind::Bytes, self.bytes),
            (QuotaKind::Chunks, self.chunks),
            (QuotaKind::Groups, self.groups),
        ];
        given.into_iter().filter_map(|(kind, limit)| Some((kind, limit?))).collect()
    }
}

#[derive(Serialize, JsonSchema)]
struct WorkspaceList {
    workspaces: Vec<WorkspaceRecord>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
struct WorkspaceRecord {
    id: String,
    name: String,
    /// Whether its owners administer all workspaces.
    operator: bool,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
}

#[derive(Serialize, JsonSchema)]
struct CreatedWorkspace {
    workspace: WorkspaceRecord,
    owner: MemberRecord,
    /// A key of the owner with the scope admin. It is only shown once.
    secret: String,
}

impl From<Workspace> for WorkspaceRecord {
    fn from(workspace: Workspace) -> Self {
        Self {
            id: workspace.id.0,
            name: workspace.name,
            operator: workspace.is_operator,
            created_timestamp: workspace.created.record_text(),
        }
    }
}

fn require_operator(who: &Principal) -> Result<(), ApiError> {
    if who.is_operator {
        return Ok(());
    }
    let message = "only owners of the first workspace administer other workspaces and quotas";
    Err(ApiError::new(ErrorKind::Forbidden, "not_operator", message))
}

/// The workspace with this id. One that the caller does not administer is as unknown as one that is not there.
async fn administered_workspace(
    state: &AppState,
    who: &Principal,
    id: String,
) -> Result<Workspace, ApiError> {
    let id = WorkspaceId(id);
    if !who.is_operator && id != who.scope.workspace {
        return Err(accounts_core::AccountsError::WorkspaceNotFound.into());
    }
    Ok(state.accounts.workspace(&id).await?)
}

async fn list_workspaces(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let mut workspaces = state.accounts.workspaces().await?;
    workspaces.retain(|workspace| who.is_operator || workspace.id == who.scope.workspace);
    let page = page(workspaces, &request, |workspace| (workspace.created, workspace.id.as_str()));
    let meta = ListMeta::of(&LIST, &page, &request);
    let workspaces = page.map(WorkspaceRecord::from).items;
    Ok(HttpResponse::Ok().json(WorkspaceList { workspaces, meta }))
}

async fn create_workspace(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(new): Body<CreateWorkspace>,
) -> HandlerResult {
    require_operator(&who)?;
    let first = NewWorkspace { workspace: new.name, user_name: new.owner.name, user_email: new.owner.email };
    let (workspace, owner) = state.accounts.add_workspace(first).await?;
    let scope = Scope { workspace: workspace.id.clone(), user: owner.id.clone() };
    let key = NewKey {
        name: "first key".to_owned(),
        scope: KeyScope::Admin,
        bases: None,
        filter: None,
        publication: None,
        expires: None,
        limits: accounts_core::KeyLimits::default(),
    };
    let issued = state.accounts.issue_key(&scope, key).await?;
    let secret = issued.secret.expose_secret().to_owned();
    let created = CreatedWorkspace { workspace: workspace.into(), owner: owner.into(), secret };
    Ok(HttpResponse::Ok().json(created))
}

async fn get_workspace(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let workspace = administered_workspace(&state, &who, id).await?;
    Ok(HttpResponse::Ok().json(WorkspaceRecord::from(workspace)))
}

async fn update_workspace(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(new): Body<RenameWorkspace>,
) -> HandlerResult {
    let workspace = administered_workspace(&state, &who, id).await?;
    let workspace = state.accounts.rename_workspace(&workspace.id, &new.name).await?;
    Ok(HttpResponse::Ok().json(WorkspaceRecord::from(workspace)))
}

async fn get_workspace_quotas(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let workspace = administered_workspace(&state, &who, id).await?;
    let quotas = state.accounts.quotas(&workspace.id).await?;
    Ok(HttpResponse::Ok().json(QuotaReport::of(&quotas)))
}

async fn set_workspace_quotas(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(new): Body<SetQuotas>,
) -> HandlerResult {
    let workspace = administered_workspace(&state, &who, id).await?;
    require_operator(&who)?;
    state.accounts.set_quotas(&workspace.id, &new.changes()).await?;
    let quotas = state.accounts.quotas(&workspace.id).await?;
    Ok(HttpResponse::Ok().json(QuotaReport::of(&quotas)))
}
