//! Reads the body of an answer: decompresses it in portions, up to its size limit.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder};
use bytes::Bytes;
use futures_util::stream;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _};
use tokio_util::io::StreamReader;
use utilities_core::web::{FetchCause, FetchError};

use super::failure::failure;
use super::temp_body::TempBody;

/// Bytes that are decompressed at once. Limits are checked after each: bounds the memory of bombs.
const PORTION: usize = 32 << 10;
/// Maximum compression ratio (RFC 1951 allows 1,032) …
const RATIO: u64 = 200;
/// … once the decompressed size exceeds this number of bytes. Both keep bombs from filling memory and disk.
/// Chosen by hand; no measurement is recorded.
const SMALL: u64 = 1 << 20;

/// Accepted encodings.
pub(super) const ACCEPT_ENCODING: &str = "gzip, br, deflate";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Identity,
    Gzip,
    Brotli,
    Deflate,
}

/// Why the source of a body failed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct BodyError(FetchError);

/// Reads the body of `response` into `temp_body`: at most `limit` bytes after decompression, each chunk within
/// `idle` of the one before.
pub(super) async fn read(
    response: Response,
    limit: u64,
    idle: Duration,
    temp_body: &mut TempBody,
) -> Result<(), FetchError> {
    let encoding = encoding(&response)?;
    if encoding == Encoding::Identity && response.content_length().is_some_and(|length| length > limit) {
        return Err(FetchError::TooLarge { limit });
    }
    let received = Arc::new(AtomicU64::new(0));
    let source = source(response, idle, Arc::clone(&received));
    let mut decoder = decoder(source, encoding).await.map_err(decode_error)?;
    let mut buffer = vec![0_u8; PORTION];
    loop {
        let count = decoder.read(&mut buffer).await.map_err(decode_error)?;
        let Some(part) = buffer.get(..count).filter(|part| !part.is_empty()) else { return Ok(()) };
        let bytes = temp_body.bytes() + count as u64;
        if bytes > limit {
            return Err(FetchError::TooLarge { limit });
        }
        let received = received.load(Ordering::Relaxed);
        if encoding != Encoding::Identity && bytes > SMALL && bytes / RATIO > received {
            return Err(FetchError::Bomb);
        }
        temp_body.push(part).await.map_err(storage_error)?;
    }
}

/// The encoding of a body. Several encodings are rejected: only decompression bombs use them.
fn encoding(response: &Response) -> Result<Encoding, FetchError> {
    let mut found = Vec::new();
    for value in response.headers().get_all(CONTENT_ENCODING) {
        let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        let names = text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "identity" | "none"));
        found.extend(names.map(str::to_owned));
    }
    match found.as_slice() {
        [] => Ok(Encoding::Identity),
        [name] => match name.as_str() {
            "gzip" | "x-gzip" => Ok(Encoding::Gzip),
            "br" => Ok(Encoding::Brotli),
            "deflate" => Ok(Encoding::Deflate),
            _ => Err(FetchError::Unusable("it has an encoding that was not asked for")),
        },
        _ => Err(FetchError::Unusable("it is encoded more than once")),
    }
}

type Source = Pin<Box<dyn AsyncBufRead + Send>>;

/// The bytes as they arrive.
fn source(response: Response, idle: Duration, received: Arc<AtomicU64>) -> Source {
    let next = move |mut response: Response| {
        let received = Arc::clone(&received);
        async move {
            let part: Result<Option<Bytes>, FetchError> =
                match tokio::time::timeout(idle, response.chunk()).await {
                    Ok(part) => part.map_err(failure),
                    Err(_) => Err(FetchError::Timeout),
                };
            match part {
                Ok(Some(part)) => {
                    received.fetch_add(part.len() as u64, Ordering::Relaxed);
                    Ok(Some((part, response)))
                }
                Ok(None) => Ok(None),
                Err(error) => Err(io::Error::other(BodyError(error))),
            }
        }
    };
    Box::pin(StreamReader::new(Box::pin(stream::try_unfold(response, next))))
}

async fn decoder(mut source: Source, encoding: Encoding) -> io::Result<Pin<Box<dyn AsyncRead + Send>>> {
    // An empty body is not compressed, whatever its headers say.
    let first = if encoding == Encoding::Identity { None } else { source.fill_buf().await?.first().copied() };
    let Some(first) = first else { return Ok(Box::pin(source)) };
    Ok(match encoding {
        Encoding::Identity => Box::pin(source),
        Encoding::Gzip => {
            let mut decoder = GzipDecoder::new(source);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        Encoding::Brotli => Box::pin(BrotliDecoder::new(source)),
        // Some servers send the bare stream of RFC 1951. Its first byte cannot be that of RFC 1950.
        Encoding::Deflate if first & 15 == 8 => Box::pin(ZlibDecoder::new(source)),
        Encoding::Deflate => Box::pin(DeflateDecoder::new(source)),
    })
}

fn decode_error(error: io::Error) -> FetchError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<BodyError>()) {
        Some(BodyError(error)) => error.clone(),
        None => FetchError::Unusable("it cannot be decompressed"),
    }
}

/// Logs the failure for the operator, who alone can fix it.
pub(super) fn storage_error(error: io::Error) -> FetchError {
    let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    tracing::error!(%error, "a fetched body could not be written to the temporary folder");
    let source: shared_core::BoxError = error.into();
    FetchError::StorageFailed { full, source: FetchCause::from(source) }
}
