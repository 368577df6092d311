//! The card of a file that took its worker down. It is drawn in the server's own process, so nothing of the
//! file goes into it but its name and its kind.

use parking_lot::Mutex;
use std::sync::Arc;

use documents_core::{ParseError, Source, Thumbnail, ThumbnailOptions, sniff};
use futures_util::StreamExt as _;

/// Bytes from which the kind of a file is told.
const HEAD_BYTES: usize = 8_192;

/// The first bytes of a source, as far as it was read.
pub(crate) type HeadBuffer = Arc<Mutex<Vec<u8>>>;

/// The same source, whose first bytes are kept while it is read.
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

/// Draws the card on a thread that may be kept busy.
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
