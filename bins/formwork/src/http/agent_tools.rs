//! The JSON shapes of the servers of tools of an agent.

use agents_core::{Authorization, MAX_ALLOWED_TOOLS, MAX_TOOL_TEXT, ToolServer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A server of the Model Context Protocol (Streamable HTTP).
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewToolServer")]
pub(super) struct ToolServerBody {
    #[serde(default, rename = "type")]
    #[schemars(schema_with = "mcp")]
    _kind: Option<ToolServerKind>,
    /// Its endpoint, an address that the server may fetch from.
    #[schemars(length(max = MAX_TOOL_TEXT))]
    url: String,
    /// Names of the tools that may be called; all of them when absent.
    #[schemars(length(max = MAX_ALLOWED_TOOLS))]
    allowed_tools: Option<Vec<String>>,
    /// Value of the header Authorization. It is not shown again. In a change, a server without one keeps the value of
    /// the server that had its URL.
    #[schemars(length(max = MAX_TOOL_TEXT))]
    authorization: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ToolServerKind {
    Mcp,
}

fn mcp(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "enum": ["mcp"]})
}

impl From<ToolServerBody> for ToolServer {
    fn from(server: ToolServerBody) -> Self {
        Self {
            url: server.url,
            allowed: server.allowed_tools,
            authorization: server.authorization.map(Authorization::new),
        }
    }
}

pub(super) fn tool_servers(servers: Vec<ToolServerBody>) -> Vec<ToolServer> {
    servers.into_iter().map(ToolServer::from).collect()
}

/// A server of tools without its secret.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ToolServer")]
pub(super) struct ToolServerRecord {
    #[serde(rename = "type")]
    #[schemars(extend("const" = "mcp"))]
    kind: &'static str,
    url: String,
    /// Null where all tools may be called.
    allowed_tools: Option<Vec<String>>,
    /// Whether the header Authorization is sent.
    authorized: bool,
}

impl From<ToolServer> for ToolServerRecord {
    fn from(server: ToolServer) -> Self {
        Self {
            kind: "mcp",
            url: server.url,
            allowed_tools: server.allowed,
            authorized: server.authorization.is_some(),
        }
    }
}
