//! Writes long answers in chunks while they are read from the store.

use bytes::Bytes;
use futures_util::stream::Stream;
use serde::Serialize;
use shared_core::BoxError;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tracing::Instrument as _;

/// Bytes that are buffered before a chunk is sent.
const PIECE: usize = 16 << 10;
/// Maximum number of chunks that wait for a slow client.
const WAITING: usize = 4;

/// A writer for a client that may be slow or disconnected.
pub(in crate::http) struct Writer {
    gathered: Vec<u8>,
    channel: mpsc::Sender<Result<Bytes, BoxError>>,
}

/// The client disconnected, or the answer was aborted.
pub(in crate::http) struct StreamEnded;

pub(in crate::http) type WriteResult = Result<(), StreamEnded>;

impl Writer {
    pub(in crate::http) async fn bytes(&mut self, bytes: &[u8]) -> WriteResult {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= PIECE { self.send().await } else { Ok(()) }
    }

    pub(in crate::http) async fn raw(&mut self, text: &str) -> WriteResult {
        self.bytes(text.as_bytes()).await
    }

    pub(in crate::http) async fn json(&mut self, value: &(impl Serialize + Sync)) -> WriteResult {
        match serde_json::to_string(value) {
            Ok(text) => self.raw(&text).await,
            Err(error) => self.break_off(error.into()).await,
        }
    }

    /// Sends the buffer, at the latest at the end.
    pub(in crate::http) async fn send(&mut self) -> WriteResult {
        let piece = std::mem::take(&mut self.gathered);
        self.channel.send(Ok(piece.into())).await.map_err(|_gone| StreamEnded)
    }

    /// Aborts the answer. The connection ends with an error, so that no client takes the answer for complete.
    pub(in crate::http) async fn break_off(&mut self, error: BoxError) -> WriteResult {
        tracing::error!(%error, "an answer was aborted");
        self.channel.send(Err(error)).await.ok();
        Err(StreamEnded)
    }
}

/// The stream of what `write` writes in a task of its own.
pub(in crate::http) fn written<F, W>(
    background: &Handle,
    write: F,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + use<F, W>
where
    F: FnOnce(Writer) -> W,
    W: Future<Output = WriteResult> + Send + 'static,
{
    let (channel, receiver) = mpsc::channel(WAITING);
    // On an error the client is gone or has seen the abort.
    let writing = write(Writer { gathered: Vec::new(), channel });
    background.spawn(async move { writing.await.ok() }.in_current_span());
    futures_util::stream::unfold(receiver, |mut receiver| async move {
        let piece = receiver.recv().await?;
        Some((piece.map_err(std::io::Error::other), receiver))
    })
}
