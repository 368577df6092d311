//! The keys of a workspace.

use accounts_core::{
    ApiKey, IssuedKey, KeyChanges, KeyScope, MAX_BASES, MAX_GRACE, MAX_ORIGIN, MAX_ORIGINS, MAX_PAGE, NewKey,
};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use kb_core::{KnowledgeError, check_filter};
use schemars::JsonSchema;
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Scope, Timestamp, UserId};

use super::key_record::{KeyRecord, LimitsBody};
use super::publication::{self, NewPublication};
use super::{List, ListMeta, ListQuery, administered, examples, parse_time};
use crate::app::AppState;
use crate::http::knowledge::restrictions::MetaFilter;
use crate::http::lists::{Done, nullable};
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::{ApiError, HandlerResult};

const LIST: List = List { name: "keys", rows: 50 };
const ONE: &str = "/v1/keys/{key_id}";

pub(super) fn register(registry: &mut Registry) {
    administered(
        registry,
        Method::GET,
        "/v1/keys",
        "list_keys",
        "Lists the API keys of the workspace, newest first, with the sign-ins that last.",
    )
    .paged()
    .answers::<KeyList>()
    .example(examples::keys)
    .to(list_keys);
    administered(
        registry,
        Method::POST,
        "/v1/keys",
        "create_key",
        "Issues an API key. Its secret is shown once. Without Idempotency-Key, since a stored answer would have the \
         secret.",
    )
    .body::<CreateKey>()
    .example(examples::new_key)
    .answers::<IssuedKeyRecord>()
    .example(examples::issued_key)
    .fails(&[404, 409])
    .to(create_key);
    administered(registry, Method::GET, ONE, "get_key", "Retrieves an API key, by its id or prefix.")
        .answers::<KeyRecord>()
        .example(examples::key)
        .fails(&[404])
        .to(get_key);
    administered(
        registry,
        Method::PUT,
        ONE,
        "update_key",
        "Changes an API key. What is absent is unchanged.",
    )
    .body::<UpdateKey>()
    .example(examples::key_changes)
    .answers::<KeyRecord>()
    .example(examples::key)
    .fails(&[404, 409])
    .to(update_key);
    administered(
        registry,
        Method::POST,
        "/v1/keys/{key_id}/rotate",
        "rotate_key",
        "Issues a key of the same settings in place of this one, which stays valid for `grace_seconds`.",
    )
    .body::<RotateKey>()
    .example(examples::rotation)
    .answers::<IssuedKeyRecord>()
    .example(examples::issued_key)
    .fails(&[404, 409])
    .to(rotate_key);
    administered(
        registry,
        Method::DELETE,
        ONE,
        "revoke_key",
        "Revokes an API key. It is refused from the next request on.",
    )
    .answers::<Done>()
    .example(|| crate::http::examples::done("The key was revoked."))
    .fails(&[404])
    .to(revoke_key);
}

#[derive(Deserialize, JsonSchema)]
struct CreateKey {
    /// What the key is for.
    #[schemars(length(min = 1, max = 255))]
    name: String,
    /// `read`, `write` (when absent) or `admin`; at most what the member's role permits.
    #[schemars(extend("enum" = scopes()))]
    scope: Option<String>,
    /// The member that it acts as; the caller when absent.
    member_id: Option<String>,
    /// Ids of the knowledge bases that are all it may search. Such a key may search them and generate with them as
    /// context, and nothing else.
    #[schemars(length(min = 1, max = MAX_BASES))]
    bases: Option<Vec<String>>,
    /// What the metadata of a file in these knowledge bases must match, as in searches of them. The server adds it to each
    /// search, also for answers; the key finds nothing else.
    #[serde(default)]
    #[schemars(with = "Option<MetaFilter>")]
    filter: Option<Value>,
    /// Namespace of the agent with which anyone may fill its form: the key is public, and may stand in web pages. It does
    /// nothing else.
    agent: Option<String>,
    /// Origins of the pages that may use a public key, such as `https://shop.example`.
    #[schemars(length(max = MAX_ORIGINS), inner(length(max = MAX_ORIGIN)))]
    origins: Option<Vec<String>>,
    /// Name of the page `/f/{page}` of this server that uses a public key: 3 to 63 lower-case letters, digits and hyphens.
    #[schemars(length(min = 3, max = MAX_PAGE), regex(pattern = PAGE_NAME))]
    page: Option<String>,
    /// Expiry in RFC 3339; never when absent.
    #[serde(default)]
    #[schemars(schema_with = "super::time")]
    expires: Option<String>,
    /// Limits per minute and per day (UTC).
    limits: Option<LimitsBody>,
}

/// What a name of a page looks like.
const PAGE_NAME: &str = "^[a-z0-9][a-z0-9-]+[a-z0-9]$";

fn scopes() -> serde_json::Value {
    let names = KeyScope::ALL.iter().map(|scope| Some(scope.name()));
    names.chain([None]).collect()
}

#[derive(Deserialize, JsonSchema)]
struct UpdateKey {
    #[schemars(length(min = 1, max = 255))]
    name: Option<String>,
    /// Null removes the restriction.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<Vec<String>>", length(min = 1, max = MAX_BASES))]
    bases: Option<Option<Vec<String>>>,
    /// Null removes the filter.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<MetaFilter>")]
    filter: Option<Option<Value>>,
    /// Origins of the pages that may use a public key.
    #[schemars(length(max = MAX_ORIGINS), inner(length(max = MAX_ORIGIN)))]
    origins: Option<Vec<String>>,
    /// Name of the page of a public key; null for no page.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>", length(min = 3, max = MAX_PAGE), regex(pattern = PAGE_NAME))]
    page: Option<Option<String>>,
    /// Expiry in RFC 3339; null for never.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(schema_with = "super::time")]
    expires: Option<Option<String>>,
    /// All limits of the key; those that are absent are unlimited.
    limits: Option<LimitsBody>,
}

#[derive(Deserialize, JsonSchema)]
struct RotateKey {
    /// Seconds for which the old key stays valid; 0 when absent.
    #[schemars(range(max = MAX_GRACE))]
    grace_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct KeyList {
    keys: Vec<KeyRecord>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
struct IssuedKeyRecord {
    #[serde(flatten)]
    key: KeyRecord,
    /// The key itself. It is only shown once.
    secret: String,
}

async fn list_keys(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let workspace = &who.scope.workspace;
    let page = state.accounts.list_keys(workspace, &request).await?;
    let (users, now) = (state.accounts.users(workspace).await?, state.clock.now());
    let meta = ListMeta::of(&LIST, &page, &request);
    let keys = page.map(|key| KeyRecord::of(key, &users, now)).items;
    Ok(HttpResponse::Ok().json(KeyList { keys, meta }))
}

async fn get_key(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let key = state.accounts.key(&who.scope.workspace, &id).await?;
    record(&state, key).await.map(|record| HttpResponse::Ok().json(record))
}

async fn record(state: &AppState, key: ApiKey) -> Result<KeyRecord, ApiError> {
    let users = state.accounts.users(&key.workspace).await?;
    Ok(KeyRecord::of(key, &users, state.clock.now()))
}

async fn issued(state: &AppState, issued: IssuedKey) -> HandlerResult {
    let secret = issued.secret.expose_secret().to_owned();
    let key = record(state, issued.key).await?;
    Ok(HttpResponse::Ok().json(IssuedKeyRecord { key, secret }))
}

async fn create_key(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(new): Body<CreateKey>,
) -> HandlerResult {
    let owner = Scope {
        user: new.member_id.map_or_else(|| who.scope.user.clone(), UserId),
        workspace: who.scope.workspace,
    };
    let public = NewPublication { agent: new.agent, origins: new.origins, page: new.page };
    let new = NewKey {
        publication: public.read(&state, &owner).await?,
        name: new.name,
        scope: new.scope.as_deref().map_or(Ok(KeyScope::Write), scope)?,
        bases: new.bases,
        filter: checked_filter(new.filter)?,
        expires: expiry(&state, new.expires.as_deref())?,
        limits: new.limits.map(LimitsBody::read).transpose()?.unwrap_or_default(),
    };
    let key = state.accounts.issue_key(&owner, new).await?;
    issued(&state, key).await
}

fn checked_filter(filter: Option<Value>) -> Result<Option<Value>, ApiError> {
    if let Some(filter) = &filter {
        check_filter(filter, "/filter").map_err(KnowledgeError::Invalid)?;
    }
    Ok(filter)
}

fn scope(name: &str) -> Result<KeyScope, ApiError> {
    let rule = "'scope' must be read, write or admin";
    KeyScope::from_name(name).ok_or_else(|| ApiError::invalid("/scope", rule))
}

fn expiry(state: &AppState, text: Option<&str>) -> Result<Option<Timestamp>, ApiError> {
    let expires = text.map(|text| parse_time("/expires", text)).transpose()?;
    if expires.is_some_and(|end| end <= state.clock.now()) {
        return Err(ApiError::invalid("/expires", "'expires' must be in the future"));
    }
    Ok(expires)
}

async fn update_key(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(changes): Body<UpdateKey>,
) -> HandlerResult {
    let workspace = &who.scope.workspace;
    let key = state.accounts.key(workspace, &id).await?;
    let changes = KeyChanges {
        publication: publication::changed(&key, changes.origins, changes.page)?,
        name: changes.name,
        bases: changes.bases,
        filter: changes.filter.map(checked_filter).transpose()?,
        expires: changes.expires.map(|text| expiry(&state, text.as_deref())).transpose()?,
        limits: changes.limits.map(LimitsBody::read).transpose()?,
    };
    let key = state.accounts.update_key(workspace, &key.id, changes).await?;
    record(&state, key).await.map(|record| HttpResponse::Ok().json(record))
}

async fn rotate_key(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(rotation): Body<RotateKey>,
) -> HandlerResult {
    let grace = rotation.grace_seconds.unwrap_or_default();
    let key = state.accounts.rotate_key(&who.scope.workspace, &id, grace).await?;
    issued(&state, key).await
}

async fn revoke_key(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    state.accounts.revoke_key(&who.scope.workspace, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The key was revoked.")))
}
