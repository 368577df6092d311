//! The members of a workspace.

use accounts_core::{MemberChanges, NewMember, Role, User};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::UserId;

use super::key_record::roles;
use super::{List, ListMeta, ListQuery, administered, examples, page};
use crate::app::AppState;
use crate::http::lists::Done;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::{ApiError, HandlerResult};

const LIST: List = List { name: "members", rows: 50 };
const ONE: &str = "/v1/members/{member_id}";

pub(super) fn register(registry: &mut Registry) {
    administered(
        registry,
        Method::GET,
        "/v1/members",
        "list_members",
        "Lists the members of the workspace, newest first.",
    )
    .paged()
    .answers::<MemberList>()
    .example(examples::members)
    .to(list_members);
    administered(
        registry,
        Method::POST,
        "/v1/members",
        "add_member",
        "Adds a member to the workspace. A removed one of the same e-mail address comes back.",
    )
    .body::<AddMember>()
    .example(examples::new_member)
    .answers::<MemberRecord>()
    .example(examples::member)
    .fails(&[409])
    .to(add_member);
    administered(registry, Method::GET, ONE, "get_member", "Retrieves a member.")
        .answers::<MemberRecord>()
        .example(examples::member)
        .fails(&[404])
        .to(get_member);
    administered(
        registry,
        Method::PUT,
        ONE,
        "update_member",
        "Changes the name or role of a member. The last owner stays one.",
    )
    .body::<UpdateMember>()
    .example(examples::member_changes)
    .answers::<MemberRecord>()
    .example(examples::member)
    .fails(&[404, 409])
    .to(update_member);
    administered(
        registry,
        Method::DELETE,
        ONE,
        "remove_member",
        "Removes a member: its keys are revoked, its password is forgotten, and what it created stays.",
    )
    .answers::<Done>()
    .example(|| crate::http::examples::done("The member was removed."))
    .fails(&[404, 409])
    .to(remove_member);
}

#[derive(Deserialize, JsonSchema)]
struct AddMember {
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// E-mail address, by which the member signs in.
    #[schemars(length(min = 3, max = 255))]
    email: String,
    /// `owner` administers the workspace, `member` reads and writes, `viewer` reads.
    #[schemars(extend("enum" = roles()))]
    role: String,
}

#[derive(Deserialize, JsonSchema)]
struct UpdateMember {
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// `owner`, `member` or `viewer`.
    role: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct MemberList {
    members: Vec<MemberRecord>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemberRecord {
    id: String,
    user_name: String,
    user_email: String,
    /// `owner`, `member` or `viewer`.
    role: &'static str,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    #[serde(rename = "created_timestamp")]
    created_timestamp: String,
}

impl From<User> for MemberRecord {
    fn from(user: User) -> Self {
        Self {
            id: user.id.0,
            user_name: user.name,
            user_email: user.email,
            role: user.role.name(),
            created_timestamp: user.created.record_text(),
        }
    }
}

fn role(name: &str) -> Result<Role, ApiError> {
    let rule = "'role' must be owner, member or viewer";
    Role::from_name(name).ok_or_else(|| ApiError::invalid("/role", rule))
}

async fn list_members(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let members = state.accounts.members(&who.scope.workspace).await?;
    let page = page(members, &request, |user| (user.created, user.id.as_str()));
    let meta = ListMeta::of(&LIST, &page, &request);
    let members = page.map(MemberRecord::from).items;
    Ok(HttpResponse::Ok().json(MemberList { members, meta }))
}

async fn add_member(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(new): Body<AddMember>,
) -> HandlerResult {
    let new = NewMember { role: role(&new.role)?, name: new.name, email: new.email };
    let user = state.accounts.add_member(&who.scope.workspace, new).await?;
    Ok(HttpResponse::Ok().json(MemberRecord::from(user)))
}

async fn get_member(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let user = state.accounts.member(&who.scope.workspace, &UserId(id)).await?;
    Ok(HttpResponse::Ok().json(MemberRecord::from(user)))
}

async fn update_member(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(changes): Body<UpdateMember>,
) -> HandlerResult {
    let changes = MemberChanges { name: changes.name, role: changes.role.as_deref().map(role).transpose()? };
    let user = state.accounts.update_member(&who.scope.workspace, &UserId(id), changes).await?;
    Ok(HttpResponse::Ok().json(MemberRecord::from(user)))
}

async fn remove_member(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    state.accounts.remove_member(&who.scope.workspace, &UserId(id)).await?;
    Ok(HttpResponse::Ok().json(Done::new("The member was removed.")))
}
