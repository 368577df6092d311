//! Parses the error bodies of all vendors.

use std::time::Duration;

use serde_json::Value;

use super::retry_after::seconds;

/// An error in a vendor's terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ProviderErrorBody {
    /// The status that the body repeats.
    pub(super) status: Option<u16>,
    /// Every code and type in it, in lower case.
    pub(super) codes: Vec<String>,
    pub(super) message: Option<String>,
    /// Requested delay before a retry.
    pub(super) retry_after: Option<Duration>,
    /// The vendor's request id, for its support.
    pub(super) request_id: Option<String>,
    /// Whether the vendor warns that its wording changes, so that only the codes are reliable.
    pub(super) message_unstable: bool,
}

impl ProviderErrorBody {
    /// Parses OpenAI's `{"error":{message,type,code}}`, Anthropic's `{"type":"error","error":{…}}`, Google's
    /// `{"error":{code,message,status,details}}` bare or in a list, Mistral's and vLLM's
    /// `{"object":"error","message":…}`, `{"error":"…"}` and `{"detail":…}`. `None` for other bodies.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        Self::read(body, |value| value["message"].is_string() || !value["detail"].is_null())
    }

    /// The error in the body of a successful answer, which some gateways send.
    pub(super) fn in_success(body: &[u8]) -> Option<Self> {
        // Most answers lack the word and are not parsed twice.
        let told = body.windows(7).any(|part| part == b"\"error\"");
        if told { Self::read(body, |_| false) } else { None }
    }

    fn read(body: &[u8], unwrapped: fn(&Value) -> bool) -> Option<Self> {
        let value: Value = serde_json::from_slice(body).ok()?;
        let value = value.get(0).unwrap_or(&value);
        let told = match &value["error"] {
            Value::Null => None,
            error => Some(error),
        };
        let plain = value["object"] == "error" || value["type"] == "error";
        let error = match told {
            Some(error) => error,
            None if plain || unwrapped(value) => value,
            None => return None,
        };
        let mut complaint = Self { message: message(error), ..Self::default() };
        complaint.request_id = value["request_id"].as_str().map(str::to_owned);
        complaint.message_unstable = value["type"] == "error" && error["type"].is_string();
        for name in ["code", "type", "status"] {
            match &error[name] {
                Value::String(code) if code != "error" => complaint.codes.push(code.to_lowercase()),
                Value::Number(code) => complaint.status = code.as_u64().and_then(|code| code.try_into().ok()),
                _ => {}
            }
        }
        for detail in error["details"].as_array().into_iter().flatten() {
            let delay = detail["retryDelay"].as_str().and_then(|delay| delay.strip_suffix('s')?.parse().ok());
            complaint.retry_after = complaint.retry_after.or(delay.and_then(seconds));
            complaint.codes.extend(detail["reason"].as_str().map(str::to_lowercase));
            let quotas = detail["violations"].as_array().into_iter().flatten();
            let quotas =
                quotas.map(|violation| &violation["quotaId"]).chain([&detail["metadata"]["quota_limit"]]);
            // Bounds the memory.
            complaint.codes.extend(quotas.take(16).filter_map(|quota| quota.as_str().map(str::to_lowercase)));
        }
        complaint.codes.extend(error["details"]["error_code"].as_str().map(str::to_lowercase));
        Some(complaint)
    }
}

fn message(error: &Value) -> Option<String> {
    let detail = &error["detail"];
    [error, &error["message"], &error["message"]["detail"], detail, &detail["error"], &error["error"]]
        .into_iter()
        .find_map(|value| value.as_str().map(str::to_owned))
        .or_else(|| violations(detail))
        .or_else(|| violations(&error["message"]["detail"]))
}

/// FastAPI's list of validation errors: `[{"loc": ["body", "x"], "msg": "…"}]`.
fn violations(detail: &Value) -> Option<String> {
    let first = detail.get(0)?;
    let place = first["loc"].as_array().and_then(|places| places.last()?.as_str()).unwrap_or("body");
    Some(format!("{place}: {}", first["msg"].as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: Value) -> (Option<u16>, Vec<String>, String) {
        let complaint = ProviderErrorBody::parse(body.to_string().as_bytes()).unwrap();
        (complaint.status, complaint.codes, complaint.message.unwrap_or_default())
    }

    #[test]
    fn every_vendors_envelope_is_read() {
        let codes = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            read(json!({"error": {"message": "m", "type": "t", "param": null, "code": "C"}})),
            (None, codes(&["c", "t"]), "m".into())
        );
        assert_eq!(
            read(json!({"type": "error", "error": {"type": "overloaded_error", "message": "m"}})),
            (None, codes(&["overloaded_error"]), "m".into())
        );
        let google = json!({"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED"}});
        assert_eq!(read(google.clone()), (Some(429), codes(&["resource_exhausted"]), "m".into()));
        assert_eq!(read(json!([google])), (Some(429), codes(&["resource_exhausted"]), "m".into()));
        assert_eq!(
            read(json!({"object": "error", "message": "m", "type": "t", "code": 400})),
            (Some(400), codes(&["t"]), "m".into())
        );
        assert_eq!(read(json!({"error": "m"})).2, "m");
        assert_eq!(read(json!({"message": "m"})).2, "m");
        assert_eq!(read(json!({"detail": "m"})).2, "m");
        assert_eq!(read(json!({"detail": [{"loc": ["body", "model"], "msg": "m"}]})).2, "model: m");
    }

    #[test]
    fn a_wait_is_read_from_the_details() {
        let body = json!({"error": {"message": "m", "details": [{"x": 1}, {"retryDelay": "1.5s"}]}});
        let complaint = ProviderErrorBody::parse(body.to_string().as_bytes()).unwrap();
        assert_eq!(complaint.retry_after, Some(Duration::from_millis(1500)));
    }

    #[test]
    fn details_name_the_cause_more_exactly() {
        let quota = json!({"violations": [{"quotaId": "RequestsPerDay-FreeTier"}, {"quotaId": 7}]});
        let info = json!({"reason": "RATE_LIMIT_EXCEEDED", "metadata": {"quota_limit": "PerMinute"}});
        let google = json!({"error": {"status": "RESOURCE_EXHAUSTED", "details": [quota, info]}});
        let codes = ["resource_exhausted", "requestsperday-freetier", "rate_limit_exceeded", "perminute"];
        assert_eq!(read(google).1, codes);
        let error = json!({"type": "rate_limit_error", "details": {"error_code": "some_limit"}});
        let anthropic = json!({"type": "error", "error": error, "request_id": "req_1"}).to_string();
        let complaint = ProviderErrorBody::parse(anthropic.as_bytes()).unwrap();
        assert_eq!(complaint.codes, ["rate_limit_error", "some_limit"]);
        assert_eq!(complaint.request_id.as_deref(), Some("req_1"));
        assert!(complaint.message_unstable);
    }

    #[test]
    fn an_answer_tells_no_error() {
        for body in [r#"{"choices": [], "error": null}"#, "{}", "[]", "7", "nonsense", ""] {
            assert_eq!(ProviderErrorBody::parse(body.as_bytes()), None, "{body}");
        }
        assert_eq!(ProviderErrorBody::in_success(br#"{"error": null, "message": "hello"}"#), None);
        assert!(ProviderErrorBody::in_success(br#"{"error": {"message": "no"}}"#).is_some());
    }
}
