//! What the server tells of itself.

use serde_json::{Map, Value, json};

use super::negotiation::{REVISIONS, TASKS, WITH_HANDSHAKE, WITH_TASKS};

/// How agents use the server.
const INSTRUCTIONS: &str = "Formwork extracts validated records from documents, with evidence for every value, parses \
    documents to Markdown, tables and key-value pairs, searches knowledge bases and fills forms in conversations. \
    Documents are named by the id of an uploaded file or by a URL, or sent inline. list_forms, list_agents and \
    list_knowledge_bases have the ids that other tools take.";

/// The answer to `initialize`: the revision asked for, or the newest one with a handshake.
pub(super) fn initialize(params: &Map<String, Value>) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let version = WITH_HANDSHAKE.into_iter().find(|version| *version == wanted);
    let version = version.unwrap_or(WITH_HANDSHAKE[0]);
    let mut capabilities = capabilities();
    if version == WITH_TASKS {
        capabilities["tasks"] = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
    }
    // Setting a level is taken; nothing is logged to clients.
    capabilities["logging"] = json!({});
    json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": identity(),
        "instructions": INSTRUCTIONS
    })
}

/// The answer to `server/discover`.
pub(super) fn discover() -> Value {
    let mut capabilities = capabilities();
    capabilities["extensions"] = json!({TASKS: {}});
    let mut result =
        json!({"supportedVersions": REVISIONS, "capabilities": capabilities, "instructions": INSTRUCTIONS});
    make_cacheable(&mut result, CacheScope::Public);
    result
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}, "prompts": {}, "completions": {}})
}

fn identity() -> Value {
    json!({"name": "formwork", "title": "Formwork", "version": env!("CARGO_PKG_VERSION")})
}

/// Who may keep a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum CacheScope {
    /// Everyone: it is the same for all callers.
    Public,
    /// The caller.
    Private,
}

/// Adds how long a result of the stateless revision may be kept.
pub(super) fn make_cacheable(result: &mut Value, scope: CacheScope) {
    let (milliseconds, scope) = match scope {
        CacheScope::Public => (3_600_000, "public"),
        CacheScope::Private => (0, "private"),
    };
    result["ttlMs"] = json!(milliseconds);
    result["cacheScope"] = json!(scope);
}

/// Adds what every result of the stateless revision has.
pub(super) fn sign(result: &mut Value) {
    if result.get("resultType").is_none() {
        result["resultType"] = json!("complete");
    }
    result["_meta"]["io.modelcontextprotocol/serverInfo"] = identity();
}
