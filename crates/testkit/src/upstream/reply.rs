//! Scripted replies, step by step.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// A step of a reply.
#[derive(Clone, Debug)]
pub enum Step {
    /// Writes these bytes as they are.
    Write(Bytes),
    /// Waits.
    Wait(Duration),
    /// Writes these bytes repeatedly until the client closes.
    Endless(Bytes),
    /// Waits until the value is true; closes the connection if the sender was dropped before.
    Until(watch::Receiver<bool>),
    /// Stays silent until the client closes.
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
    /// A reply without steps, to be built from raw bytes.
    #[must_use]
    pub fn raw() -> Self {
        Self::default()
    }

    /// A complete response with `Content-Length`.
    #[must_use]
    pub fn whole(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::whole_with(status, &[("content-type", content_type)], body)
    }

    /// A complete response with these headers and `Content-Length`.
    #[must_use]
    pub fn whole_with(status: u16, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let length = body.len().to_string();
        let headers: Vec<_> = headers.iter().copied().chain([("content-length", length.as_str())]).collect();
        // Head and body in one write, as servers send short responses.
        let mut whole = head(status, &headers).into_bytes();
        whole.extend_from_slice(&body);
        Self::raw().write(whole)
    }

    /// A JSON response.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::whole(status, "application/json", body.to_string())
    }

    /// The head of a response whose body follows in [`Reply::chunk`]s.
    #[must_use]
    pub fn chunked(status: u16, headers: &[(&str, &str)]) -> Self {
        let headers: Vec<_> = headers.iter().copied().chain([("transfer-encoding", "chunked")]).collect();
        Self::raw().write(head(status, &headers))
    }

    /// A complete stream of server-sent events, one chunk per item of `data`.
    #[must_use]
    pub fn events<T: AsRef<str>>(data: impl IntoIterator<Item = T>) -> Self {
        let begun = Self::event_stream();
        data.into_iter().fold(begun, |reply, data| reply.event(data.as_ref())).end()
    }

    /// The head of a stream of server-sent events.
    #[must_use]
    pub fn event_stream() -> Self {
        Self::chunked(200, &[("content-type", "text/event-stream")])
    }

    /// One event as a chunk.
    #[must_use]
    pub fn event(self, data: &str) -> Self {
        self.chunk(format!("data: {data}\n\n"))
    }

    /// One chunk of a chunked response.
    #[must_use]
    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
        framed.extend_from_slice(bytes);
        framed.extend_from_slice(b"\r\n");
        self.write(framed)
    }

    /// The end of a chunked response.
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

    /// Waits before the next step.
    #[must_use]
    pub fn wait(self, duration: Duration) -> Self {
        self.then(Step::Wait(duration))
    }

    /// Waits before the next step until `open` is true.
    #[must_use]
    pub fn until(self, open: watch::Receiver<bool>) -> Self {
        self.then(Step::Until(open))
    }

    /// Appends the steps of `after`.
    #[must_use]
    pub fn followed_by(mut self, after: Self) -> Self {
        self.steps.extend(after.steps);
        self
    }

    /// Writes these bytes repeatedly until the client closes.
    #[must_use]
    pub fn endless(self, bytes: impl Into<Bytes>) -> Self {
        self.then(Step::Endless(bytes.into()))
    }

    /// Stays silent until the client closes.
    #[must_use]
    pub fn hold(self) -> Self {
        self.then(Step::Hold)
    }

    /// Closes the connection.
    #[must_use]
    pub fn close(self) -> Self {
        self.then(Step::Close)
    }

    /// Plays the steps; `false` when the connection is closed. `written` counts the bytes written.
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
                    // The client may have closed the connection already.
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

/// The head of a response, with the empty line that ends it.
fn head(status: u16, headers: &[(&str, &str)]) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        // Writing to a String cannot fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head
}
