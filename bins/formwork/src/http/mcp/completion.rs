//! Completion of the arguments of prompts and of the parameters of addresses: ids of what the workspace has.

use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::exchange::Exchange;
use super::{catalogue, prompts};
use crate::http::json_rpc::RpcError;

/// Maximum number of suggestions, by the protocol.
const MAX_VALUES: usize = 100;

/// The answer to `completion/complete`: ids that begin with the text, or whose names contain it.
///
/// # Errors
/// For malformed parameters and an unknown prompt.
pub(super) async fn complete(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let reference = params.get("ref").unwrap_or(&Value::Null);
    match reference["type"].as_str() {
        Some("ref/resource") => {}
        Some("ref/prompt") if prompts::is_known(reference["name"].as_str().unwrap_or_default()) => {}
        Some("ref/prompt") => return Err(RpcError::invalid_params("Unknown prompt")),
        _ => return Err(RpcError::invalid_params("'ref' must name a prompt or a resource")),
    }
    let argument = params.get("argument").unwrap_or(&Value::Null);
    let (Some(name), Some(text)) = (argument["name"].as_str(), argument["value"].as_str()) else {
        return Err(RpcError::invalid_params("'argument' needs 'name' and 'value', both texts"));
    };
    let (operation, rows, id, title) = match name {
        "form_id" => ("list_forms", "forms", "form_id", "title"),
        "knowledgeId" => ("list_knowledge_bases", "knowledgebases", "knowledgeId", "name"),
        "namespace" => ("list_agents", "agents", "namespace", "name"),
        "file_id" | "document" => ("list_files", "files", "id", "name"),
        _ => return Ok(suggestions(Vec::new())),
    };
    let limit = Map::from_iter([("limit".to_owned(), json!(MAX_VALUES))]);
    let page = match catalogue::call(exchange, operation, limit).await {
        Ok(page) => page,
        Err(error) if error.is(ErrorKind::Forbidden) => return Ok(suggestions(Vec::new())),
        Err(error) => return Err(RpcError::failed(error)),
    };
    let text = text.to_lowercase();
    let matching = page[rows].as_array().into_iter().flatten().filter_map(|row| {
        let id = row[id].as_str().map_or_else(|| row[id].to_string(), str::to_owned);
        let named = row[title].as_str().unwrap_or_default().to_lowercase();
        (id.starts_with(&text) || named.contains(&text)).then_some(id)
    });
    Ok(suggestions(matching.collect()))
}

fn suggestions(values: Vec<String>) -> Value {
    json!({"completion": {"total": values.len(), "values": values, "hasMore": false}})
}
