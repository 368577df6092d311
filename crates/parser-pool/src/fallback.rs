//! Draws a fallback card for a file that crashed its worker.
//! The server's own process draws it, so only the name and the format of the file are used.

use std::sync::Arc;

use document::{ParseError, Source, Thumbnail, ThumbnailOptions};
use documents_core::sniff;
use futures_util::StreamExt as _;
use parking_lot::Mutex;

/// Bytes from which the format of a file is detected.
const HEAD_BYTES: usize = 8_192;

/// The first bytes of a source, as far as it was read.
pub(crate) type HeadBuffer = Arc<Mutex<Vec<u8>>>;

/// The same source. Its first bytes are copied into the buffer while it is read.
pub(crate) fn capture_head(source: Source) -> (Source, HeadBuffer) {
    let beginning = HeadBuffer::default();
    let kept = beginning.clone();
    let content = source.content.inspect(move |part| {
        let mut kept = kept.lock();
        if let Ok(part) = part {
            let room = HEAD_BYTES.saturating_sub(kept.len()).min(part.len());
            kept.extend_from_slice(part.get(..room).unwrap_or_default());
        }
    });
    (Source { content: content.boxed(), ..source }, beginning)
}

/// Draws the card on a blocking thread.
pub(crate) async fn draw_card(
    name: String,
    beginning: HeadBuffer,
    options: ThumbnailOptions,
) -> Result<Thumbnail, ParseError> {
    let draw = move || {
        let beginning = beginning.lock();
        documents_core::card(sniff(&beginning, &name), &name, &options)
    };
    tokio::task::spawn_blocking(draw).await.map_err(|error| ParseError::Unavailable(error.into()))
}
