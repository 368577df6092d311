//! Tools: what they are, who sees them, and how they are called.

mod call;
mod call_documents;
mod conversation;
mod documents;
mod extract;
mod result;
mod runs;
mod table;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use self::call::ToolCall;
pub(super) use self::result::tool_result;
use self::result::{ToolOutcome, failed};
use self::table::{Kind, Need, TOOLS, ToolSpec};
use super::arguments::pointer;
use super::catalogue::{CATALOGUE, call as call_operation};
use super::exchange::Exchange;
use super::schema;
use super::tasks::requested;
use crate::http::ApiError;
use crate::http::json_rpc::RpcError;
use crate::http::middleware::permit;
use crate::http::operation::Entry;

/// A tool with its operation and schemas.
struct Tool {
    spec: &'static ToolSpec,
    operation: &'static Entry,
    input: Value,
    output: Option<Value>,
}

/// Built once, like the catalogue.
static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().filter_map(Tool::new).collect());

impl Tool {
    fn new(spec: &'static ToolSpec) -> Option<Self> {
        let (operation, definitions) = (CATALOGUE.entry(spec.operation).ok()?, &CATALOGUE.definitions);
        let described = &operation.0;
        let of_operation = || schema::input(described, definitions, spec.body, spec.omitted);
        let (input, output) = match spec.kind {
            Kind::Operation => (of_operation(), schema::output(described, definitions)),
            Kind::Documents => (documents::input(of_operation()), schema::output(described, definitions)),
            Kind::Extract => (extract::input(definitions), None),
            Kind::Form => (of_operation(), schema::output(described, definitions)),
            Kind::Run => (runs::input(of_operation()), None),
        };
        Some(Self { spec, operation, input, output })
    }

    /// Whether the caller may use the tool, and the server has what it needs.
    fn is_available(&self, exchange: &Exchange) -> bool {
        let is_met = match self.spec.need {
            Need::Nothing => true,
            Need::Search => exchange.state.search.has_web(),
            Need::Web => exchange.state.mcp.can_fetch,
        };
        is_met && permit(&self.operation.1, &exchange.caller.0).is_ok()
    }

    fn described(&self, exchange: &Exchange) -> Value {
        let spec = self.spec;
        let mut tool = json!({
            "name": spec.name,
            "title": spec.title,
            "description": spec.description,
            "inputSchema": self.input,
            "annotations": spec.effect.annotations(spec.title, spec.is_open_world)
        });
        if let Some(output) = &self.output {
            tool["outputSchema"] = output.clone();
        }
        if self.may_be_task() && exchange.terms.has_requested_tasks {
            tool["execution"] = json!({"taskSupport": "optional"});
        }
        tool
    }

    fn may_be_task(&self) -> bool {
        matches!(self.spec.kind, Kind::Run)
    }

    /// Refuses arguments that the tool does not have: an agent can then correct them.
    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ApiError> {
        let unknown = arguments.keys().find(|name| self.input["properties"].get(name.as_str()).is_none());
        let Some(name) = unknown else { return Ok(()) };
        let known = self.input["properties"].as_object().into_iter().flat_map(Map::keys);
        let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
        let name: String = name.chars().take(100).collect();
        let message = format!("'{name}' is not an argument of this tool; its arguments are: {known}");
        Err(ApiError::invalid(pointer(&name), message))
    }

    async fn call(&self, exchange: &Exchange, call: ToolCall) -> Result<ToolOutcome, ApiError> {
        self.check(&call.arguments)?;
        // The tools that call no operation first have the rights of theirs.
        permit(&self.operation.1, &exchange.caller.0)?;
        match self.spec.kind {
            Kind::Operation => {
                Ok(ToolOutcome::Done(call_operation(exchange, self.spec.operation, call.arguments).await?))
            }
            Kind::Documents => {
                Ok(ToolOutcome::Done(documents::call(exchange, self.spec.operation, call.arguments).await?))
            }
            Kind::Extract => Ok(ToolOutcome::Done(extract::call(exchange, call.arguments).await?)),
            Kind::Form => conversation::call(exchange, call).await,
            Kind::Run => runs::call(exchange, call.arguments, call.is_task).await,
        }
    }
}

/// The answer to `tools/list`: the tools that the caller may use, on one page.
pub(super) fn list(exchange: &Exchange) -> Value {
    let available = ALL.iter().filter(|tool| tool.is_available(exchange));
    json!({"tools": available.map(|tool| tool.described(exchange)).collect::<Vec<_>>()})
}

/// Calls a tool. Its failures are results.
///
/// # Errors
/// For an unknown tool and malformed parameters.
pub(super) async fn call(exchange: Exchange, mut params: Map<String, Value>) -> Result<Value, RpcError> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| RpcError::invalid_params("'name' must be the name of a tool"))?;
    let unknown = || {
        let shown: String = name.chars().take(100).collect();
        RpcError::invalid_params(format!("Unknown tool: {shown}"))
    };
    let tool = ALL.iter().find(|tool| tool.spec.name == name).ok_or_else(unknown)?;
    let mut object = |name: &str| match params.remove(name) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object),
        Some(_) => Err(RpcError::invalid_params(format!("'{name}' must be an object"))),
    };
    let (arguments, responses) = (object("arguments")?, object("inputResponses")?);
    let state = params.get("requestState").and_then(Value::as_str).map(str::to_owned);
    let is_task = requested::is_requested(&exchange, &params)?;
    if is_task && !tool.may_be_task() {
        return Err(RpcError::new(-32_601, None, format!("The tool {} cannot be a task", tool.spec.name)));
    }
    let call = ToolCall { arguments, responses, state, is_task };
    // Boxed, since the futures of some tools are large.
    match Box::pin(tool.call(&exchange, call)).await {
        Ok(outcome) => Ok(outcome.into_result()),
        // There is no task, and so no result of it.
        Err(error) if is_task => Err(RpcError::failed(error)),
        Err(error) => Ok(failed(error)),
    }
}
