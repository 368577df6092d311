//! `GET /openai/v1/models`: models, agents and knowledge bases that can be named as `model`.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use shared_core::{ErrorKind, PageRequest};

use super::super::operation::Registry;
use super::super::request::{Caller, Segment};
use super::super::{ApiError, HandlerResult};
use super::completion::unix_seconds;
use crate::app::AppState;

/// The newest agents and knowledge bases that are listed.
const LISTED: u32 = 100;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/openai/v1/models",
            "list_openai_models",
            "What can be named as `model`: models, and the newest hundred agents and knowledge bases.",
        )
        .answers::<ModelList>()
        .example(|| json!({"object": "list", "data": [model_example()]}))
        .to(list);
    registry
        .operation(Method::GET, "/openai/v1/models/{model}", "get_openai_model", "One of the models.")
        .answers::<OpenAiModel>()
        .example(model_example)
        .fails(&[404])
        .to(get);
}

fn model_example() -> serde_json::Value {
    json!({"id": "extractive@formwork", "object": "model", "created": 0, "owned_by": "formwork"})
}

/// What can be asked.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiModelList")]
struct ModelList {
    /// `list`.
    object: &'static str,
    /// Models first.
    data: Vec<OpenAiModel>,
}

/// An entry of the list.
#[derive(Debug, Serialize, JsonSchema)]
struct OpenAiModel {
    /// The name in requests.
    id: String,
    /// `model`.
    object: &'static str,
    /// Seconds since 1970; 0 where it is unknown.
    created: i64,
    /// Provider of the model; `formwork` for agents and knowledge bases.
    owned_by: &'static str,
}

impl OpenAiModel {
    fn new(id: String, created: i64, owned_by: &'static str) -> Self {
        Self { id, object: "model", created, owned_by }
    }
}

async fn list(state: web::Data<AppState>, caller: Caller) -> HandlerResult {
    Ok(HttpResponse::Ok().json(ModelList { object: "list", data: all(&state, &caller).await? }))
}

async fn get(state: web::Data<AppState>, caller: Caller, Segment(model): Segment) -> HandlerResult {
    let found = all(&state, &caller).await?.into_iter().find(|known| known.id == model);
    let found =
        found.ok_or_else(|| ApiError::new(ErrorKind::NotFound, "not_found", "there is no such model"))?;
    Ok(HttpResponse::Ok().json(found))
}

async fn all(state: &AppState, caller: &Caller) -> Result<Vec<OpenAiModel>, ApiError> {
    let (scope, page) = (&caller.0.scope, PageRequest::first(LISTED));
    let models = state.generation.models().await;
    let agents = state.agents.list(scope, &page).await?;
    let bases = state.knowledge.list(scope, &page).await?;
    let models =
        models.into_iter().map(|model| OpenAiModel::new(model.id.to_string(), 0, model.id.provider.id()));
    let agents = agents.items.into_iter().map(|agent| {
        OpenAiModel::new(format!("agent:{}", agent.namespace), unix_seconds(agent.created), "formwork")
    });
    let bases = bases
        .items
        .into_iter()
        .map(|base| OpenAiModel::new(format!("kb:{}", base.id.0), unix_seconds(base.created), "formwork"));
    Ok(models.chain(agents).chain(bases).collect())
}
