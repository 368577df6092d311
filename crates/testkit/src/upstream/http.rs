//! HTTP/1.1 requests, as far as clients of a scripted server use the protocol.

use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

/// Bytes of a request's head at most.
const LONGEST_HEAD: usize = 256 << 10;

/// Bytes of a request's body at most.
const LONGEST_BODY: usize = 256 << 20;

/// A request as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// Such as `POST`.
    pub method: String,
    /// The path with its query, as sent.
    pub path: String,
    /// Names in lower case, and values, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// The value of a header; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null when it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The next request; `None` when the client closed the connection, or sent a malformed, chunked or too large
/// request. `rest` holds the bytes after it.
pub(super) async fn read_request(stream: &mut TcpStream, rest: &mut Vec<u8>) -> Option<ReceivedRequest> {
    let end = loop {
        if let Some(at) = rest.windows(4).position(|part| part == b"\r\n\r\n") {
            break at + 4;
        }
        if rest.len() > LONGEST_HEAD || stream.read_buf(rest).await.ok()? == 0 {
            return None;
        }
    };
    let head: Vec<u8> = rest.drain(..end).collect();
    let mut request = parse_head(&String::from_utf8_lossy(&head))?;
    let length = request.header("content-length").map_or(Some(0), |length| length.parse().ok())?;
    if length > LONGEST_BODY || request.header("transfer-encoding").is_some() {
        return None;
    }
    while rest.len() < length {
        if stream.read_buf(rest).await.ok()? == 0 {
            return None;
        }
    }
    request.body = rest.drain(..length).collect();
    Some(request)
}

fn parse_head(head: &str) -> Option<ReceivedRequest> {
    let mut lines = head.split("\r\n").filter(|line| !line.is_empty());
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_lowercase(), value.trim().to_owned()))
    });
    Some(ReceivedRequest { method, path, headers: headers.collect(), body: Vec::new() })
}
