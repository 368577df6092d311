//! JSON bodies with pictures in data URLs.

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

use super::ApiError;
use super::body::{json_bytes_up_to, object, parsed, too_large};
use super::request::{Input, app_state};

/// A JSON body that is an object, and may be longer by its pictures in data URLs.
#[derive(Debug)]
pub(super) struct PictureBody<T>(pub(super) T);

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

/// Bytes of a JSON text that are not in strings beginning with `data:`.
fn bytes_without_pictures(json: &[u8]) -> usize {
    let (mut rest, mut count) = (json, 0);
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        let string = rest.get(start + 1..).unwrap_or_default();
        let end = end_of_string(string);
        let is_picture = string.starts_with(b"data:");
        count += start + 2 + if is_picture { 0 } else { end };
        rest = string.get(end + 1..).unwrap_or_default();
    }
    count + rest.len()
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
            (r#"["an open \"#, r#"["an open \"#.len() + 1),
            ("", 0),
        ] {
            assert_eq!(bytes_without_pictures(json.as_bytes()), count, "{json}");
        }
    }
}
