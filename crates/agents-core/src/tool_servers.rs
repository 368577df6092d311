//! Servers of the Model Context Protocol whose tools the model of an agent may call, and the port that calls them.

use std::fmt;

use async_trait::async_trait;
use gen_core::Tool;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use shared_core::{BoxError, Violation};

// They bound what an agent stores and what a message waits for. Chosen by hand; no measurement is recorded.
/// Most servers of an agent.
pub const MAX_TOOL_SERVERS: usize = 8;
/// Most names in [`ToolServer::allowed`]; vendors take as many tools.
pub const MAX_ALLOWED_TOOLS: usize = gen_core::MAX_TOOLS;
/// Most characters of the URL of a server, of a name, and of an authorisation.
pub const MAX_TOOL_TEXT: usize = 4_096;

/// A server whose tools the model may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolServer {
    /// Its endpoint (Streamable HTTP).
    pub url: String,
    /// Names of the tools that may be called; `None` for all of them.
    pub allowed: Option<Vec<String>>,
    /// Value of the header `Authorization`.
    pub authorization: Option<Authorization>,
}

/// The value of a header `Authorization`. It is never printed.
#[derive(Clone)]
pub struct Authorization(SecretString);

impl Authorization {
    /// Wraps a value.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(SecretString::from(value))
    }

    /// The value, for the request and the store.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authorization")
    }
}

impl PartialEq for Authorization {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl Eq for Authorization {}

/// Why a server could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ToolServerError {
    /// One sentence for the user.
    pub message: String,
    /// For the log.
    #[source]
    pub source: Option<BoxError>,
}

/// Calls tools. Implementations bound time and size, and reach only permitted addresses.
#[async_trait]
pub trait ToolServers: fmt::Debug + Send + Sync + 'static {
    /// Whether the server may be reached.
    ///
    /// # Errors
    /// The rule that its URL breaks.
    fn check(&self, url: &str) -> Result<(), String>;
    /// The tools of a server, with the names that it gives them.
    async fn list(&self, server: &ToolServer) -> Result<Vec<Tool>, ToolServerError>;
    /// Calls a tool. Returns its result as text, also where the tool reports a failure.
    async fn call(
        &self,
        server: &ToolServer,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<String, ToolServerError>;
}

/// Reaches no server, for embedders that offer none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopToolServers;

const OFF: &str = "tool servers cannot be reached, because fetching from the web is off";

#[async_trait]
impl ToolServers for NoopToolServers {
    fn check(&self, _: &str) -> Result<(), String> {
        Err(OFF.to_owned())
    }

    async fn list(&self, _: &ToolServer) -> Result<Vec<Tool>, ToolServerError> {
        Err(ToolServerError { message: OFF.to_owned(), source: None })
    }

    async fn call(&self, _: &ToolServer, _: &str, _: Map<String, Value>) -> Result<String, ToolServerError> {
        Err(ToolServerError { message: OFF.to_owned(), source: None })
    }
}

/// Every rule that the servers of an agent break. `check`: whether a URL may be reached.
pub(crate) fn violations(
    servers: &[ToolServer],
    check: impl Fn(&str) -> Result<(), String>,
) -> Vec<Violation> {
    if servers.len() > MAX_TOOL_SERVERS {
        let rule = format!("'tools' may have at most {MAX_TOOL_SERVERS} servers");
        return vec![Violation::new("/tools", rule)];
    }
    let mut found = Vec::new();
    for (place, server) in servers.iter().enumerate() {
        let mut report = |field: &str, rule: String| {
            found.push(Violation::new(format!("/tools/{place}/{field}"), rule));
        };
        if server.url.chars().nth(MAX_TOOL_TEXT).is_some() {
            report("url", format!("'url' may have at most {MAX_TOOL_TEXT} characters"));
        } else if let Err(rule) = check(&server.url) {
            report("url", rule);
        }
        let names = server.allowed.iter().flatten();
        let is_long = |name: &String| name.is_empty() || name.chars().nth(MAX_TOOL_TEXT).is_some();
        if server.allowed.as_ref().is_some_and(|allowed| allowed.len() > MAX_ALLOWED_TOOLS) {
            report("allowed_tools", format!("'allowed_tools' may have at most {MAX_ALLOWED_TOOLS} names"));
        } else if names.into_iter().any(is_long) {
            report(
                "allowed_tools",
                format!("a name in 'allowed_tools' must have 1 to {MAX_TOOL_TEXT} characters"),
            );
        }
        if let Some(value) = &server.authorization {
            let value = value.expose();
            let is_header = value.bytes().all(|byte| (0x20..0x7f).contains(&byte));
            if value.trim().is_empty() || value.len() > MAX_TOOL_TEXT || !is_header {
                let rule = format!(
                    "'authorization' must be the value of a header: 1 to {MAX_TOOL_TEXT} printable characters, such as \
                     'Bearer …'"
                );
                report("authorization", rule);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authorization_is_not_shown_and_must_fit_into_a_header() {
        let server = |value: &str| ToolServer {
            url: "https://tools.example/mcp".into(),
            allowed: Some(vec!["search".into()]),
            authorization: Some(Authorization::new(value.into())),
        };
        assert!(!format!("{:?}", server("Bearer secret")).contains("secret"));
        let wrong = |value: &str| violations(&[server(value)], |_| Ok(())).len();
        assert_eq!(["Bearer a", "", " ", "a\nb", "ä"].map(wrong), [0, 1, 1, 1, 1]);
        assert_eq!(violations(&vec![server("a"); 9], |_| Ok(()))[0].path, "/tools");
        let refused = violations(&[server("a")], |_| Err("no".into()));
        assert_eq!((refused[0].path.as_str(), refused[0].message.as_str()), ("/tools/0/url", "no"));
    }
}
