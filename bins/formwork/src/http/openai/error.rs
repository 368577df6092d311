//! Errors in the form that clients of OpenAI's interface read.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::error_body::ErrorBody;

/// Begins the paths of the base.
const PREFIX: &str = "/openai/v1";

/// Whether a path belongs to the base.
pub(in crate::http) fn is_of_base(path: &str) -> bool {
    path.strip_prefix(PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The body of every error answer of the base.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiErrorBody")]
pub(in crate::http) struct OpenAiErrorBody {
    /// What is wrong.
    error: OpenAiError,
}

/// An error as OpenAI's interface describes it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiError")]
struct OpenAiError {
    /// One sentence, or one for each violated rule.
    message: String,
    /// Class of the error, such as `invalid_request_error`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The parameter that violates a rule, such as `messages.0.content`; null where no single one does.
    param: Option<String>,
    /// The code of this server's own interface.
    code: String,
}

/// An error of this server in the form of the base.
pub(in crate::http) fn failure_body(status: u16, body: ErrorBody) -> OpenAiErrorBody {
    let (message, param) = explained(&body);
    OpenAiErrorBody { error: OpenAiError { message, kind: class(status), param, code: body.code } }
}

/// What is wrong, one sentence for each violated rule, and the parameter of the first one, both in the words of the base.
pub(in crate::http) fn explained(body: &ErrorBody) -> (String, Option<String>) {
    let param = body.errors.first().map(|error| parameter(&error.path)).filter(|path| !path.is_empty());
    let message = match body.errors.as_slice() {
        [] | [_] => body.message.clone(),
        several => several.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; "),
    };
    (renamed(&message), param)
}

/// An example for the description, from one of this server's own.
pub(in crate::http) fn failure_example(status: u16, own: &Value) -> Value {
    json!({"error": {
        "message": own["message"], "type": class(status), "param": null, "code": own["code"]
    }})
}

/// The classes of OpenAI's interface.
fn class(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    }
}

/// What this server's own generation calls the parameters of the base.
const NAMES: [(&str, &str); 9] = [
    ("modelId", "model"),
    ("maxTokens", "max_tokens"),
    ("responseFormat", "response_format"),
    ("prompt", "messages"),
    ("topP", "top_p"),
    ("toolMessages", "messages"),
    ("toolChoice", "tool_choice"),
    ("toolCalls", "tool_calls"),
    ("toolCallId", "tool_call_id"),
];

/// A JSON pointer as a path with dots.
fn parameter(pointer: &str) -> String {
    let name = |part| NAMES.iter().find(|(own, _)| *own == part).map_or(part, |(_, name)| *name);
    pointer.trim_start_matches('/').split('/').map(name).collect::<Vec<_>>().join(".")
}

/// A sentence with the parameter names of the base.
fn renamed(message: &str) -> String {
    NAMES
        .iter()
        .fold(message.to_owned(), |text, (own, name)| text.replace(&format!("'{own}'"), &format!("'{name}'")))
}

#[cfg(test)]
mod tests {
    use super::super::super::error_body::ErrorItem;
    use super::*;

    #[test]
    fn a_violation_names_the_parameter_of_the_base() {
        let item =
            ErrorItem { path: "/maxTokens".to_owned(), message: "'maxTokens' must be between".to_owned() };
        let body = ErrorBody {
            status: "failure",
            code: "validation_failed".to_owned(),
            message: item.message.clone(),
            errors: vec![item],
        };
        let told = serde_json::to_value(failure_body(400, body)).unwrap();
        assert_eq!(
            told["error"],
            json!({
                "message": "'max_tokens' must be between", "type": "invalid_request_error",
                "param": "max_tokens", "code": "validation_failed"
            })
        );
    }

    #[test]
    fn the_base_ends_at_a_segment() {
        for yes in ["/openai/v1", "/openai/v1/models"] {
            assert!(is_of_base(yes), "{yes}");
        }
        for no in ["/openai/v12", "/v1/openai/v1", "/openai"] {
            assert!(!is_of_base(no), "{no}");
        }
    }
}
