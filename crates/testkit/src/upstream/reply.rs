//! What a scripted server does with a request, step by step.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// One thing that the server does.
#[derive(Clone, Debug)]
pub enum Step {
    /// Writes these bytes as they are.
    Write(Bytes),
    /// Waits.
    Wait(Duration),
    /// Writes these bytes again and again until the client closes.
    Endless(Bytes),
    /// Waits until this is true; for ever when nobody can make it so any more.
    Until(watch::Receiver<bool>),
    /// Says nothing more until the client closes.
    Hold,
    /// Closes the connection.
    Close,
}

/// A reply: steps in order. Without [`Step::Close`] at its end the connection stays open for the next
/// request.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    steps: Vec<Step>,
}

impl Reply {
    /// Nothing yet; to be built of raw bytes.
    #[must_use]
    pub fn raw() -> Self {
        Self::default()
    }

    /// A whole answer with its length.
    #[must_use]
    pub fn whole(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::whole_with(status, &[("content-type", content_type)], body)
    }

    /// A whole answer with its length and these headers.
    #[must_use]
    pub fn whole_with(status: u16, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let length = body.len().to_string();
        let headers: Vec<_> = headers.iter().copied().chain([("content-length", length.as_str())]).collect();
        // In one piece, as servers send short answers.
        let mut whole = head(status, &headers).into_bytes();
        whole.extend_from_slice(&body);
        Self::raw().write(whole)
    }

    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::whole(status, "application/json", body.to_string())
    }

    /// The head of an answer whose body comes in [`Reply::chunk`]s.
    #[must_use]
    pub fn chunked(status: u16, headers: &[(&str, &str)]) -> Self {
        let headers: Vec<_> = headers.iter().copied().chain([("transfer-encoding", "chunked")]).collect();
        Self::raw().write(head(status, &headers))
    }

    /// A whole stream of events, one chunk for each `data`.
    #[must_use]
    pub fn events<T: AsRef<str>>(data: impl IntoIterator<Item = T>) -> Self {
        let begun = Self::event_stream();
        data.into_iter().fold(begun, |reply, data| reply.event(data.as_ref())).end()
    }

    /// The head of a stream of events.
    #[must_use]
    pub fn event_stream() -> Self {
        Self::chunked(200, &[("content-type", "text/event-stream")])
    }

    /// One event as a chunk.
    #[must_use]
    pub fn event(self, data: &str) -> Self {
        self.chunk(format!("data: {data}\n\n"))
    }

    /// One chunk of a chunked answer.
    #[must_use]
    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
        framed.extend_from_slice(bytes);
        framed.extend_from_slice(b"\r\n");
        self.write(framed)
    }

    /// The end of a chunked answer.
    #[must_use]
    pub fn end(self) -> Self {
        self.write("0\r\n\r\n")
    }

    /// Writes bytes as they are.
    #[must_use]
    pub fn write(self, bytes: impl Into<Bytes>) -> Self {
        self.then(Step::Write(bytes.into()))
    }

    /// Adds a step.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Waits before what follows.
    #[must_use]
    pub fn wait(self, duration: Duration) -> Self {
        self.then(Step::Wait(duration))
    }

    /// Waits with what follows until `open` is true.
    #[must_use]
    pub fn until(self, open: watch::Receiver<bool>) -> Self {
        self.then(Step::Until(open))
    }

    /// Plays `after` when this is done.
    #[must_use]
    pub fn followed_by(mut self, after: Self) -> Self {
        self.steps.extend(after.steps);
        self
    }

    /// Writes these bytes until the client closes.
    #[must_use]
    pub fn endless(self, bytes: impl Into<Bytes>) -> Self {
        self.then(Step::Endless(bytes.into()))
    }

    /// Says nothing more until the client closes.
    #[must_use]
    pub fn hold(self) -> Self {
        self.then(Step::Hold)
    }

    /// Closes the connection.
    #[must_use]
    pub fn close(self) -> Self {
        self.then(Step::Close)
    }

    /// Plays the steps; false when the connection is over. `written` counts what the client took.
    pub(super) async fn play(&self, stream: &mut TcpStream, written: &AtomicU64) -> bool {
        for step in &self.steps {
            let open = match step {
                Step::Write(bytes) => write(stream, bytes, written).await,
                Step::Wait(duration) => {
                    tokio::time::sleep(*duration).await;
                    true
                }
                Step::Until(open) => open.clone().wait_for(|open| *open).await.is_ok(),
                Step::Endless(bytes) => {
                    while write(stream, bytes, written).await {}
                    false
                }
                Step::Hold => {
                    let mut ignored = [0; 1024];
                    while matches!(stream.read(&mut ignored).await, Ok(1..)) {}
                    false
                }
                Step::Close => {
                    // The client may have closed before.
                    let _ = stream.shutdown().await;
                    false
                }
            };
            if !open {
                return false;
            }
        }
        true
    }
}

async fn write(stream: &mut TcpStream, bytes: &[u8], written: &AtomicU64) -> bool {
    let done = stream.write_all(bytes).await.is_ok();
    if done {
        written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }
    done
}

/// The head of an answer, with the empty line that ends it.
fn head(status: u16, headers: &[(&str, &str)]) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        // Writing to a String cannot fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head
}
