//! Parses HTTP/1.1 heads as far as a proxy needs.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Maximum size of a head in bytes. Bounds the memory.
const MAX_HEAD: usize = 64 << 10;
/// Hop-by-hop headers, and headers that would reveal the proxy.
const HOP_BY_HOP: [&str; 7] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "proxy-authorization",
    "proxy-authenticate",
    "upgrade",
    "te",
];

/// A request or response head.
#[derive(Debug)]
pub(super) struct Head {
    /// The request or status line.
    pub(super) first: String,
    headers: Vec<(String, String)>,
}

impl Head {
    fn parse(text: &str) -> io::Result<Self> {
        let mut lines = text.split("\r\n");
        let first = lines.next().unwrap_or_default().to_owned();
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            // Parsers disagree about white space around a name and about folded lines, so both are rejected.
            let (name, value) =
                line.split_once(':').filter(|(name, _)| is_token(name)).ok_or_else(malformed)?;
            headers.push((name.to_owned(), value.trim().to_owned()));
        }
        if text.contains('\0') || text.replace("\r\n", "").contains(['\r', '\n']) {
            return Err(malformed());
        }
        Ok(Self { first, headers })
    }

    /// The length of the body in bytes, if given.
    ///
    /// # Errors
    /// When the body is framed in any other way than by one length.
    pub(super) fn length(&self) -> io::Result<Option<u64>> {
        if self.values("transfer-encoding").next().is_some() {
            return Err(malformed());
        }
        let mut lengths = self.values("content-length");
        match (lengths.next(), lengths.next()) {
            (None, _) => Ok(None),
            (Some(length), None) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
                length.parse().map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
            }
            _ => Err(malformed()),
        }
    }

    /// The head with another first line, for a connection that carries one exchange. `host` replaces the
    /// header of that name.
    pub(super) fn to_forwarded(&self, first: &str, host: Option<&str>) -> String {
        let mut text = format!("{first}\r\n");
        if let Some(host) = host {
            text.push_str(&format!("Host: {host}\r\n"));
        }
        let named: Vec<String> = self.values("connection").map(str::to_ascii_lowercase).collect();
        for (name, value) in &self.headers {
            let lower = name.to_ascii_lowercase();
            let between = HOP_BY_HOP.contains(&lower.as_str())
                || named.iter().any(|named| named.split(',').any(|named| named.trim() == lower));
            // Framing headers stay, whatever `Connection` lists.
            let frames = matches!(lower.as_str(), "content-length" | "transfer-encoding");
            if (!between || frames) && !(host.is_some() && lower == "host") {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        text.push_str("Connection: close\r\n\r\n");
        text
    }

    fn values(&self, wanted: &'static str) -> impl Iterator<Item = &str> {
        let of = self.headers.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
        of.map(|(_, value)| value.as_str())
    }
}

/// Reads a head and the bytes received after it.
///
/// # Errors
/// When it is malformed, longer than 64 KiB, or incomplete.
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<(Head, Vec<u8>)> {
    let mut bytes = Vec::new();
    read_on(from, &mut bytes).await
}

/// Reads a head of which `bytes` were already received.
pub(super) async fn read_on(
    from: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
) -> io::Result<(Head, Vec<u8>)> {
    // Most heads fit. Chosen by hand; no measurement is recorded.
    let mut part = [0; 4_096];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let rest = bytes.split_off(end + 4);
            // Old sites send Latin-1 in headers; invalid bytes are replaced.
            let head = Head::parse(&String::from_utf8_lossy(bytes))?;
            return Ok((head, rest));
        }
        if bytes.len() > MAX_HEAD {
            return Err(malformed());
        }
        let count = from.read(&mut part).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(part.get(..count).unwrap_or_default());
    }
}

/// The error of a malformed message.
pub(super) fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the HTTP head is malformed")
}

fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_between_neighbours_are_not_passed_on_and_the_host_is_that_of_the_url() {
        let head = "GET http://a.example/ HTTP/1.1\r\nHost: other.example\r\nProxy-Connection: keep-alive\r\n\
                    Connection: x-own\r\nX-Own: 1\r\nAccept: */*\r\n\r\n";
        let head = Head::parse(head).unwrap();
        assert_eq!(
            head.to_forwarded("GET / HTTP/1.1", Some("a.example")),
            "GET / HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        );
    }

    #[test]
    fn heads_and_lengths_that_can_be_read_in_two_ways_are_refused() {
        for bad in
            ["GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET /\r\n folded: x\r\n\r\n", "GET /\r\nA: b\nC: d\r\n\r\n"]
        {
            assert!(Head::parse(bad).is_err(), "{bad:?}");
        }
        let length =
            |headers: &str| Head::parse(&format!("POST / HTTP/1.1\r\n{headers}\r\n")).unwrap().length();
        assert_eq!(length("").unwrap(), None);
        assert_eq!(length("Content-Length: 12\r\n").unwrap(), Some(12));
        for bad in [
            "Content-Length: 1\r\nContent-Length: 2\r\n",
            "Content-Length: +1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 99999999999999999999999\r\n",
        ] {
            assert!(length(bad).is_err(), "{bad:?}");
        }
    }
}
