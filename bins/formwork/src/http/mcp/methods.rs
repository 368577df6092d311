//! The methods of the protocol.

use serde_json::{Value, json};

use super::exchange::Exchange;
use super::server_info::{self, CacheScope, make_cacheable};
use super::tasks::{extension, requested};
use super::{completion, prompts, resources, tools};
use crate::http::json_rpc::Request;
use crate::http::json_rpc::RpcError;

/// The levels of `logging/setLevel`.
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Performs a request.
///
/// # Errors
/// For methods and parameters that the server does not have, and where the protocol has no result for a failure.
pub(super) async fn perform(exchange: Exchange, request: Request) -> Result<Value, RpcError> {
    let Request { method, params, .. } = request;
    let is_stateless = exchange.terms.is_stateless;
    let has_requested_tasks = exchange.terms.has_requested_tasks;
    // Private where it depends on the key.
    let kept = |mut result: Value, scope: CacheScope| {
        if is_stateless {
            make_cacheable(&mut result, scope);
        }
        result
    };
    match method.as_str() {
        "tools/list" => Ok(kept(tools::list(&exchange), CacheScope::Private)),
        "tools/call" => tools::call(exchange, params).await,
        "resources/list" => Ok(kept(resources::list(&exchange, &params).await?, CacheScope::Private)),
        "resources/templates/list" => Ok(kept(resources::templates(), CacheScope::Public)),
        "resources/read" => Ok(kept(resources::read(&exchange, &params).await?, CacheScope::Private)),
        "prompts/list" => Ok(kept(prompts::list(), CacheScope::Public)),
        "prompts/get" => prompts::get(&params),
        "completion/complete" => completion::complete(&exchange, &params).await,
        "server/discover" if is_stateless => Ok(server_info::discover()),
        "tasks/get" if is_stateless => extension::get(&exchange, &params).await,
        "tasks/update" if is_stateless => extension::update(&exchange, &params).await,
        "tasks/cancel" if is_stateless => extension::cancel(&exchange, &params).await,
        "tasks/get" if has_requested_tasks => requested::get(&exchange, &params).await,
        "tasks/result" if has_requested_tasks => requested::result(&exchange, &params).await,
        "tasks/list" if has_requested_tasks => requested::list(&exchange, &params).await,
        "tasks/cancel" if has_requested_tasks => requested::cancel(&exchange, &params).await,
        "initialize" if !is_stateless => Ok(server_info::initialize(&params)),
        "ping" if !is_stateless => Ok(json!({})),
        "logging/setLevel" if !is_stateless => {
            let level = params.get("level").and_then(Value::as_str).unwrap_or_default();
            let refused =
                || RpcError::invalid_params(format!("'level' must be one of {}", LEVELS.join(", ")));
            LEVELS.contains(&level).then(|| json!({})).ok_or_else(refused)
        }
        method => Err(RpcError::unknown_method(method, is_stateless)),
    }
}
