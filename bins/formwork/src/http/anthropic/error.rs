//! Errors in the form that clients of Anthropic's interface read.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::http::error_body::ErrorBody;
use crate::http::openai::explained;

/// Begins the paths of the base.
const PREFIX: &str = "/anthropic/v1";

/// What the shared reading of conversations calls the parameters of this base.
const NAMES: [(&str, &str); 3] =
    [("tool_call_id", "tool_use_id"), ("'stop'", "'stop_sequences'"), ("'tool_calls'", "'tool_use'")];

/// Whether a path belongs to the base.
pub(in crate::http) fn is_of_base(path: &str) -> bool {
    path.strip_prefix(PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The body of every error answer of the base.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct AnthropicErrorBody {
    /// `error`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// What is wrong.
    error: AnthropicError,
}

/// An error as Anthropic's interface describes it, with what this server adds.
#[derive(Debug, Serialize, JsonSchema)]
struct AnthropicError {
    /// Class of the error, such as `invalid_request_error`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// One sentence, or one for each violated rule.
    message: String,
    /// The parameter that violates a rule, such as `messages.0.content`; null where no single one does.
    param: Option<String>,
    /// The code of this server's own interface.
    code: String,
}

/// An error of this server in the form of the base.
pub(in crate::http) fn failure_body(status: u16, body: ErrorBody) -> AnthropicErrorBody {
    let (message, param) = explained(&body);
    let renamed = |text: String| NAMES.iter().fold(text, |text, (shared, own)| text.replace(shared, own));
    let param = param.map(|param| match param.strip_prefix("stop") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("stop_sequences{rest}"),
        _ => renamed(param),
    });
    let error = AnthropicError { kind: class(status), message: renamed(message), param, code: body.code };
    AnthropicErrorBody { kind: "error", error }
}

/// An example for the description, from one of this server's own.
pub(in crate::http) fn failure_example(status: u16, own: &Value) -> Value {
    json!({"type": "error", "error": {
        "type": class(status), "message": own["message"], "param": null, "code": own["code"]
    }})
}

/// The classes of Anthropic's interface.
fn class(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 => "overloaded_error",
        504 => "timeout_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::error_body::ErrorItem;

    #[test]
    fn a_violation_names_the_parameter_of_the_base() {
        let told = |path: &str, message: &str| {
            let item = ErrorItem { path: path.to_owned(), message: message.to_owned() };
            let (code, message) = ("validation_failed".to_owned(), message.to_owned());
            let body = ErrorBody { status: "failure", code, message, errors: vec![item] };
            let error = serde_json::to_value(failure_body(400, body)).unwrap()["error"].clone();
            (error["param"].clone(), error["message"].clone(), error["type"].clone())
        };
        let kind = json!("invalid_request_error");
        assert_eq!(
            told("/stop/0", "'stop' must have"),
            (json!("stop_sequences.0"), json!("'stop_sequences' must have"), kind.clone())
        );
        assert_eq!(
            told("/messages/2/tool_call_id", "'tool_call_id' must be"),
            (json!("messages.2.tool_use_id"), json!("'tool_use_id' must be"), kind)
        );
        assert!(is_of_base("/anthropic/v1/messages") && !is_of_base("/anthropic/v12"));
    }
}
