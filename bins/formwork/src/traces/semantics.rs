//! The names of spans and attributes in OpenTelemetry's semantic conventions.
//!
//! Attributes without a conventional name begin with `formwork.`. The conventional ones for whole URLs and paths are
//! left out: these can contain queries, names and signatures.

use std::borrow::Cow;

use opentelemetry::trace::{SpanKind, Status};
use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::trace::SpanData;

/// Attributes of requests, which their span gets under these names.
pub(super) const METHOD: &str = "http.request.method";
pub(super) const ROUTE: &str = "http.route";
pub(super) const STATUS: &str = "http.response.status_code";
pub(super) const OPERATION: &str = "formwork.operation";
const ERROR_TYPE: &str = "error.type";
const GEN_AI_OPERATION: &str = "gen_ai.operation.name";
const GEN_AI_MODEL: &str = "gen_ai.request.model";
const QUEUE: &str = "messaging.destination.name";

/// Attributes that are numbers. Unsigned fields of spans arrive as texts.
const NUMBERS: [&str; 6] =
    [STATUS, "server.port", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", POSITION, BYTES];
const POSITION: &str = "formwork.job.position";
const BYTES: &str = "formwork.document.bytes";

/// A span that is exported.
struct SpanRule {
    /// Its name in this program.
    name: &'static str,
    kind: SpanKind,
    /// Its fields, and the attributes that they become. Other fields are dropped.
    attributes: &'static [(&'static str, &'static str)],
    /// Attributes that all such spans have.
    constants: &'static [(&'static str, &'static str)],
}

static RULES: [SpanRule; 6] = [
    SpanRule {
        name: "request",
        kind: SpanKind::Server,
        attributes: &[
            ("request_id", "formwork.request.id"),
            (METHOD, METHOD),
            (ROUTE, ROUTE),
            (STATUS, STATUS),
            (OPERATION, OPERATION),
        ],
        constants: &[],
    },
    SpanRule {
        name: "job",
        kind: SpanKind::Consumer,
        attributes: &[
            ("queue", QUEUE),
            ("owner", "formwork.job.owner"),
            ("position", POSITION),
            ("workspace", "formwork.workspace"),
        ],
        constants: &[
            ("messaging.system", "formwork"),
            ("messaging.operation.name", "process"),
            ("messaging.operation.type", "process"),
        ],
    },
    SpanRule {
        name: "provider_call",
        kind: SpanKind::Client,
        attributes: &[
            ("method", METHOD),
            ("host", "server.address"),
            ("port", "server.port"),
            ("status", STATUS),
            ("interface", "gen_ai.provider.name"),
            ("operation", GEN_AI_OPERATION),
            ("model", GEN_AI_MODEL),
            ("input_tokens", "gen_ai.usage.input_tokens"),
            ("output_tokens", "gen_ai.usage.output_tokens"),
            ("failure", ERROR_TYPE),
        ],
        constants: &[],
    },
    SpanRule {
        name: "fetch",
        kind: SpanKind::Client,
        attributes: &[("host", "server.address"), ("failure", ERROR_TYPE)],
        constants: &[(METHOD, "GET")],
    },
    SpanRule {
        name: "parser_call",
        kind: SpanKind::Internal,
        attributes: &[("task", "formwork.parser.task"), ("bytes", BYTES), ("failure", ERROR_TYPE)],
        constants: &[],
    },
    SpanRule {
        name: "render",
        kind: SpanKind::Internal,
        attributes: &[("wanted", "formwork.render.output"), ("failure", ERROR_TYPE)],
        constants: &[],
    },
];

fn rule(name: &str) -> Option<&'static SpanRule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// Whether spans of this name are exported.
pub(super) fn is_exported(name: &str) -> bool {
    rule(name).is_some()
}

/// The span under the names of the conventions.
pub(super) fn standardise(span: SpanData) -> SpanData {
    let Some(rule) = rule(&span.name) else { return SpanData { attributes: Vec::new(), ..span } };
    let mut attributes: Vec<KeyValue> =
        rule.constants.iter().map(|(name, value)| KeyValue::new(*name, *value)).collect();
    for KeyValue { key, value, .. } in span.attributes {
        let known = rule.attributes.iter().find(|(field, _)| *field == key.as_str());
        if let Some((_, name)) = known {
            attributes.extend(standard_value(name, value));
        }
    }
    let failed = error_type(rule, &attributes);
    if let Some(error) = &failed
        && find(&attributes, ERROR_TYPE).is_none()
    {
        attributes.push(KeyValue::new(ERROR_TYPE, error.clone()));
    }
    let status = if failed.is_some() { Status::error("") } else { Status::Unset };
    let name = name(rule, &attributes);
    SpanData { name, span_kind: rule.kind.clone(), attributes, status, ..span }
}

/// The attribute with a value of the conventions. They have one operation for all media, which another attribute tells
/// apart.
fn standard_value(name: &'static str, value: Value) -> Vec<KeyValue> {
    let text = value.as_str().into_owned();
    let kind = match (name, text.as_str()) {
        (GEN_AI_OPERATION, "image") => "image",
        (GEN_AI_OPERATION, "speech") => "speech",
        (name, text) if NUMBERS.contains(&name) => {
            return text.parse::<i64>().map(|number| KeyValue::new(name, number)).into_iter().collect();
        }
        _ => return vec![KeyValue::new(name, value)],
    };
    vec![KeyValue::new(name, "generate_content"), KeyValue::new("gen_ai.output.type", kind)]
}

/// The class of the error, if the span ended with one. An error of a client is none of the server.
fn error_type(rule: &SpanRule, attributes: &[KeyValue]) -> Option<String> {
    if let Some(error) = find(attributes, ERROR_TYPE) {
        return Some(error.as_str().into_owned());
    }
    let least = if rule.kind == SpanKind::Server { 500 } else { 400 };
    match find(attributes, STATUS) {
        Some(Value::I64(status)) if *status >= least => Some(status.to_string()),
        _ => None,
    }
}

/// The name, from few values only, so that spans of one kind have one name.
fn name(rule: &SpanRule, attributes: &[KeyValue]) -> Cow<'static, str> {
    let text = |name| find(attributes, name).map(Value::as_str);
    match rule.name {
        "request" => match (text(METHOD), text(ROUTE)) {
            (Some(method), Some(route)) => format!("{method} {route}").into(),
            _ => rule.name.into(),
        },
        "job" => text(QUEUE).map_or(rule.name.into(), |queue| format!("process {queue}").into()),
        "provider_call" => match (text(GEN_AI_OPERATION), text(GEN_AI_MODEL)) {
            (Some(operation), Some(model)) => format!("{operation} {model}").into(),
            _ => text(METHOD).map_or(rule.name.into(), |method| method.into_owned().into()),
        },
        name => name.into(),
    }
}

fn find<'a>(attributes: &'a [KeyValue], name: &str) -> Option<&'a Value> {
    let is_named = |attribute: &&KeyValue| attribute.key.as_str() == name;
    attributes.iter().find(is_named).map(|attribute| &attribute.value)
}

#[cfg(test)]
mod tests {
    use opentelemetry::InstrumentationScope;
    use opentelemetry::trace::{SpanContext, SpanId};
    use opentelemetry_sdk::trace::{SpanEvents, SpanLinks};
    use std::time::SystemTime;

    use super::*;

    fn span(name: &'static str, attributes: Vec<KeyValue>) -> SpanData {
        SpanData {
            span_context: SpanContext::empty_context(),
            parent_span_id: SpanId::INVALID,
            parent_span_is_remote: false,
            span_kind: SpanKind::Internal,
            name: name.into(),
            start_time: SystemTime::UNIX_EPOCH,
            end_time: SystemTime::UNIX_EPOCH,
            attributes,
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: Status::Unset,
            instrumentation_scope: InstrumentationScope::default(),
        }
    }

    fn text(span: &SpanData, name: &str) -> Option<String> {
        find(&span.attributes, name).map(|value| value.as_str().into_owned())
    }

    #[test]
    fn fields_without_a_rule_are_dropped_and_so_are_those_of_spans_without_one() {
        let attributes = || vec![KeyValue::new("prompt", "secret"), KeyValue::new("host", "h")];
        let known = standardise(span("fetch", attributes()));
        assert_eq!((text(&known, "server.address").as_deref(), text(&known, "prompt")), (Some("h"), None));
        assert_eq!(text(&known, "host"), None);
        assert_eq!(standardise(span("other", attributes())).attributes, []);
        assert!(is_exported("fetch") && !is_exported("other"));
    }

    #[test]
    fn a_request_is_named_by_method_and_route_and_fails_only_by_the_server() {
        let answered = |status: i64| {
            let attributes = vec![
                KeyValue::new(METHOD, "POST"),
                KeyValue::new(ROUTE, "/v1/x"),
                KeyValue::new(STATUS, status),
            ];
            standardise(span("request", attributes))
        };
        let refused = answered(404);
        assert_eq!((&*refused.name, refused.span_kind.clone()), ("POST /v1/x", SpanKind::Server));
        assert_eq!((refused.status.clone(), text(&refused, ERROR_TYPE)), (Status::Unset, None));
        let failed = answered(503);
        assert_eq!(
            (failed.status.clone(), text(&failed, ERROR_TYPE)),
            (Status::error(""), Some("503".into()))
        );
    }

    #[test]
    fn a_call_of_a_model_is_named_by_operation_and_model_and_its_numbers_are_numbers() {
        let called = |operation: &'static str| {
            let attributes = vec![
                KeyValue::new("method", "POST"),
                KeyValue::new("operation", operation),
                KeyValue::new("model", "m-1"),
                KeyValue::new("input_tokens", "12"),
                KeyValue::new("status", "200"),
            ];
            standardise(span("provider_call", attributes))
        };
        let chat = called("chat");
        assert_eq!((&*chat.name, chat.span_kind.clone()), ("chat m-1", SpanKind::Client));
        assert_eq!(find(&chat.attributes, "gen_ai.usage.input_tokens"), Some(&Value::I64(12)));
        let picture = called("image");
        assert_eq!(&*picture.name, "generate_content m-1");
        assert_eq!(text(&picture, "gen_ai.output.type").as_deref(), Some("image"));
        let list = standardise(span("provider_call", vec![KeyValue::new("method", "GET")]));
        assert_eq!(&*list.name, "GET");
        let failed = vec![KeyValue::new("failure", "provider_timeout")];
        assert_eq!(standardise(span("provider_call", failed)).status, Status::error(""));
    }

    #[test]
    fn a_job_is_named_by_its_queue() {
        let job =
            standardise(span("job", vec![KeyValue::new("queue", "delta"), KeyValue::new("position", "3")]));
        assert_eq!((&*job.name, job.span_kind.clone()), ("process delta", SpanKind::Consumer));
        assert_eq!(find(&job.attributes, POSITION), Some(&Value::I64(3)));
    }
}
