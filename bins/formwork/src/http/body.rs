//! Request bodies: JSON within its limits, deserialised with errors that name the field and the rule.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::http::header;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared_core::ErrorKind;

use super::request::{Input, app_state};
use super::{ApiError, violations};
use crate::settings::LimitSettings;

/// How Base64 of PNG, JPEG, GIF, WebP and PDF begins.
const BASE64_BEGINNINGS: [&[u8]; 5] = [b"iVBORw0K", b"/9j/", b"R0lGOD", b"UklGR", b"JVBERi0"];

/// A JSON body that is an object.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A JSON body of any kind.
#[derive(Debug)]
pub struct AnyBody(pub Value);

impl Input for AnyBody {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move { Ok(Self(json(request, payload).await?)) })
    }
}

impl<T: DeserializeOwned + 'static> Input for Body<T> {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move { Ok(Self(object(json(request, payload).await?)?)) })
    }
}

/// A JSON body that is an object, or none.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: DeserializeOwned + Default + 'static> Input for OptionalBody<T> {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let bytes = json_bytes(request, payload, &app_state(request)?.limits).await?;
            Ok(Self(if bytes.is_empty() { T::default() } else { object(parsed(&bytes)?)? }))
        })
    }
}

/// A JSON body that is an object, and may be longer by its pictures in data URLs.
#[derive(Debug)]
pub struct PictureBody<T>(pub T);

impl<T: DeserializeOwned + 'static> Input for PictureBody<T> {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let state = app_state(request)?;
            let limits = &state.limits;
            let most = limits.pictures_body_bytes.max(limits.json_body_bytes);
            let bytes = json_bytes_up_to(most, request, payload, limits).await?;
            // A tree takes many times the size of its JSON, and a picture only its own size.
            if bytes.len() > limits.json_body_bytes && bytes_without_pictures(&bytes) > limits.json_body_bytes
            {
                return Err(too_large(limits.json_body_bytes, " besides pictures in data URLs"));
            }
            Ok(Self(object(parsed(&bytes)?)?))
        })
    }
}

/// Bytes of a JSON text that are not in strings beginning with `data:`, or of the Base64 of a picture.
fn bytes_without_pictures(json: &[u8]) -> usize {
    let (mut rest, mut count) = (json, 0);
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        let string = rest.get(start + 1..).unwrap_or_default();
        let end = end_of_string(string);
        let is_picture = string.starts_with(b"data:") || string.get(..end).is_some_and(is_base64_of_picture);
        count += start + 2 + if is_picture { 0 } else { end };
        rest = string.get(end + 1..).unwrap_or_default();
    }
    count + rest.len()
}

/// Whether a text is the Base64 of a picture or a PDF.
fn is_base64_of_picture(text: &[u8]) -> bool {
    BASE64_BEGINNINGS.iter().any(|begin| text.starts_with(begin))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte))
}

/// Index of the quote that ends a string; the length of the text if none does.
fn end_of_string(string: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) =
        string.get(at..).and_then(|rest| rest.iter().position(|byte| matches!(byte, b'"' | b'\\')))
    {
        match string.get(at + found) {
            Some(b'"') => return at + found,
            _ => at += found + 2,
        }
    }
    string.len()
}

/// Deserialises a JSON object.
pub(super) fn object<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    // Derived deserialisers accept an array for an object, with its items as the fields in order.
    if !value.is_object() {
        return Err(ApiError::invalid("", "the body must be a JSON object"));
    }
    deserialize_at(value)
}

/// Reads the whole body as JSON, within the limit.
async fn json(request: &HttpRequest, payload: &mut Payload) -> Result<Value, ApiError> {
    let state = app_state(request)?;
    parsed(&json_bytes(request, payload, &state.limits).await?)
}

/// Reads the whole body within the limit and requires a JSON content type.
pub(super) async fn json_bytes(
    request: &HttpRequest,
    payload: &mut Payload,
    limits: &LimitSettings,
) -> Result<Bytes, ApiError> {
    json_bytes_up_to(limits.json_body_bytes, request, payload, limits).await
}

/// As [`json_bytes`], with a limit of the operation's own.
pub(super) async fn json_bytes_up_to(
    most: usize,
    request: &HttpRequest,
    payload: &mut Payload,
    limits: &LimitSettings,
) -> Result<Bytes, ApiError> {
    check_encoding(request)?;
    check_json_type(request)?;
    let bytes = read_within(most, request, payload, limits).await?;
    violations::keep(request, &bytes);
    Ok(bytes)
}

/// Parses a JSON body.
pub(super) fn parsed(bytes: &[u8]) -> Result<Value, ApiError> {
    if bytes.is_empty() {
        let message = "the body is not valid JSON: it is empty";
        return Err(ApiError::new(ErrorKind::Invalid, "malformed_json", message));
    }
    serde_json::from_slice(bytes).map_err(|error| syntax(&error))
}

/// The error of a body that is not JSON.
pub(super) fn syntax(error: &serde_json::Error) -> ApiError {
    let (reason, place) =
        (reason(&error.to_string()), format!("line {} column {}", error.line(), error.column()));
    let message = match error.is_eof() && error.line() <= 1 && error.column() == 0 {
        true => "the body is not valid JSON: it is empty".to_owned(),
        false => format!("the body is not valid JSON: {reason} ({place})"),
    };
    ApiError::new(ErrorKind::Invalid, "malformed_json", message)
}

/// The parser's message without the position, which is reported apart.
fn reason(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

fn check_json_type(request: &HttpRequest) -> Result<(), ApiError> {
    let Some(kind) = request.headers().get(header::CONTENT_TYPE) else { return Ok(()) };
    let kind =
        kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json")) {
        return Ok(());
    }
    let message = "the body must be JSON: send it with 'Content-Type: application/json'";
    Err(ApiError::new(ErrorKind::UnsupportedMedia, "unsupported_content_type", message))
}

/// Rejects an encoded body: nothing here decompresses bodies.
pub fn check_encoding(request: &HttpRequest) -> Result<(), ApiError> {
    match request.headers().get(header::CONTENT_ENCODING) {
        Some(encoding) if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") => {
            let message = "the body must be sent without 'Content-Encoding'";
            Err(ApiError::new(ErrorKind::UnsupportedMedia, "unsupported_content_encoding", message))
        }
        _ => Ok(()),
    }
}

fn incomplete(error: &dyn std::error::Error) -> ApiError {
    tracing::debug!(%error, "a request body ended early");
    ApiError::new(ErrorKind::Invalid, "incomplete_body", "the body ended before it was complete")
}

/// Reads the whole body of a JSON operation within its limits of size and time.
pub async fn read_json_body(
    request: &HttpRequest,
    payload: &mut Payload,
    limits: &LimitSettings,
) -> Result<Bytes, ApiError> {
    read_within(limits.json_body_bytes, request, payload, limits).await
}

async fn read_within(
    most: usize,
    request: &HttpRequest,
    payload: &mut Payload,
    limits: &LimitSettings,
) -> Result<Bytes, ApiError> {
    let arriving = read_bounded(request, payload, most);
    let bytes = tokio::time::timeout(Duration::from_secs(limits.request_seconds), arriving).await;
    bytes.unwrap_or_else(|late| Err(incomplete(&late))).map(Bytes::from)
}

fn too_large(limit: usize, what: &str) -> ApiError {
    let message = format!("the body may have at most {limit} bytes{what}");
    ApiError::new(ErrorKind::TooLarge, "body_too_large", message)
}

async fn read_bounded(
    request: &HttpRequest,
    payload: &mut Payload,
    limit: usize,
) -> Result<Vec<u8>, ApiError> {
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(too_large(limit, ""));
    }
    let mut bytes = Vec::with_capacity(announced.unwrap_or(1_024));
    while let Some(part) = payload.next().await {
        let part = part.map_err(|error| incomplete(&error))?;
        if bytes.len() + part.len() > limit {
            return Err(too_large(limit, ""));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// Deserialises a JSON value; the error names the field by JSON pointer.
pub fn deserialize_at<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| type_violation(error.path(), &error.inner().to_string()))
}

/// The error of a value that has the wrong type.
pub(super) fn type_violation(path: &serde_path_to_error::Path, message: &str) -> ApiError {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => {
                pointer.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
            }
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    let message = plain_reason(&pointer, &reason(message));
    ApiError::invalid(pointer, message)
}

/// The parser's message in the validator's words: the field and the rule, never the value.
fn plain_reason(pointer: &str, message: &str) -> String {
    if let Some(field) = message.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        return format!("'{field}' is a required property");
    }
    let Some((_, wanted)) = message.rsplit_once(", expected ") else {
        return message.chars().take(300).map(|c| if c == '`' { '\'' } else { c }).collect();
    };
    let wanted = match wanted {
        "a sequence" => "an array",
        "a map" => "an object",
        "u16" | "u32" | "u64" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        structure if structure.starts_with("struct ") => "an object",
        other => other,
    };
    let last = pointer.rsplit('/').next().unwrap_or_default();
    if pointer.is_empty() {
        format!("the body must be {wanted}")
    } else if last.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("'{pointer}' must be {wanted}")
    } else {
        format!("'{last}' must be {wanted}")
    }
}

#[cfg(test)]
mod tests {
    use super::bytes_without_pictures;

    #[test]
    fn only_strings_that_are_data_urls_are_left_out() {
        for (json, count) in [
            (r#"{"a": "data:image/png;base64,AAAA", "b": "text"}"#, r#"{"a": "", "b": "text"}"#.len()),
            (r#"["data:\"x\\", "data:"]"#, r#"["", ""]"#.len()),
            (r#"{"data": [1, 2]}"#, r#"{"data": [1, 2]}"#.len()),
            (r#"{"data:key": 1}"#, r#"{"": 1}"#.len()),
            (&format!(r#"{{"data": "{}"}}"#, "iVBORw0K".repeat(125)), r#"{"data": ""}"#.len()),
            (r#"["iVBORw0K words"]"#, r#"["iVBORw0K words"]"#.len()),
            (r#"["an open \"#, r#"["an open \"#.len() + 1),
            ("", 0),
        ] {
            assert_eq!(bytes_without_pictures(json.as_bytes()), count, "{json}");
        }
    }
}
