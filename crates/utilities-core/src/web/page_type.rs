//! Tells web pages from other documents.

use futures_util::TryStreamExt as _;

use super::{FetchError, FetchResponse, PageParser};

/// Bytes used to detect the type of a response. Chosen by hand; no measurement is recorded.
const PREFIX: usize = 4_096;

/// Whether a response is a web page; everything else is a document.
///
/// # Errors
/// When its bytes cannot be read.
pub(super) async fn is_page(parser: &dyn PageParser, fetched: &FetchResponse) -> Result<bool, FetchError> {
    let media_type = fetched.media_type().unwrap_or_default();
    let prefix = prefix(fetched).await?;
    let shown = parser.sniff(&prefix, &fetched.name);
    let is_text = shown.starts_with("text/") || shown.contains("xml") || shown == "application/octet-stream";
    Ok(match media_type.as_str() {
        "application/xhtml+xml" | "text/html" => is_text || prefix.is_empty(),
        "" | "application/octet-stream" => shown == "text/html",
        // Servers send this type for pages whose extension they do not know.
        "text/plain" => shown == "text/html" && begins_as_page(&prefix),
        _ => shown == "text/html" && !media_type.starts_with("text/"),
    })
}

/// Whether a text is a page from its first tag on, and not a text about HTML.
fn begins_as_page(prefix: &[u8]) -> bool {
    let head =
        String::from_utf8_lossy(prefix).trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    let begins = ["<!doctype html", "<html"].iter().any(|tag| head.starts_with(tag));
    begins && ["<head", "<title", "<body"].iter().any(|tag| head.contains(tag))
}

pub(super) async fn prefix(fetched: &FetchResponse) -> Result<Vec<u8>, FetchError> {
    let mut content = fetched.open();
    let mut prefix = Vec::new();
    while prefix.len() < PREFIX {
        let part = content.try_next().await.map_err(|error| FetchError::Failed {
            what: "the stored answer could not be read",
            source: Some(error.into()),
        })?;
        let Some(part) = part else { break };
        prefix.extend_from_slice(part.get(..part.len().min(PREFIX)).unwrap_or_default());
    }
    Ok(prefix)
}
