//! Relays traffic: tunnels, and single exchanges of plain HTTP.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::budget::Budget;
use super::connector::{ConnectError, Connector};
use super::heads::{self, Head, malformed};

const DENIED: &str = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const UNREACHED: &str = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const OPEN: &str = "HTTP/1.1 200 Connection established\r\n\r\n";
/// Size of a relayed chunk in bytes. Bounds the memory of a connection. Chosen by hand; no measurement is
/// recorded.
const PART: usize = 16 << 10;
/// Maximum number of informational heads before the final one. Bounds endless heads. Chosen by hand; no
/// measurement is recorded.
const MAX_INFORMATIONAL: usize = 8;

/// Serves one connection of the browser.
pub(super) async fn serve(connector: &Connector, budget: &Budget, mut client: TcpStream) -> io::Result<()> {
    let (head, rest) = heads::read(&mut client).await?;
    let parts: Vec<&str> = head.first.split(' ').collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = parts.as_slice() else { return Err(malformed()) };
    let url = match *method {
        "CONNECT" => authority(target)?,
        _ if target.starts_with("http://") => (*target).to_owned(),
        _ => return refuse(&mut client, DENIED).await,
    };
    let (server, url) = match connector.connect(&url).await {
        Ok(reached) => reached,
        Err(error @ ConnectError::Denied(_)) => {
            tracing::debug!(%error, "the policy denied a connection of the browser");
            return refuse(&mut client, DENIED).await;
        }
        Err(ConnectError::Unreachable(error)) => {
            tracing::debug!(%error, "a host that the browser requested was not reached");
            return refuse(&mut client, UNREACHED).await;
        }
    };
    if *method == "CONNECT" {
        return tunnel(budget, client, server, &rest).await;
    }
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = url.host_str().unwrap_or_default();
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let asked = head.to_forwarded(&format!("{method} {path} HTTP/1.1"), Some(&host));
    exchange(budget, client, server, (&asked, head.length()?.unwrap_or(0), rest)).await
}

/// The URL of a tunnel's target. It is checked as `https`; the policy is the same for every scheme.
fn authority(target: &str) -> io::Result<String> {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match target.rsplit_once(':') {
        Some((host, port))
            if !host.is_empty() && is_port(port) && !host.contains(['/', '?', '#', '@', '\\']) =>
        {
            Ok(format!("https://{target}/"))
        }
        _ => Err(malformed()),
    }
}

async fn refuse(client: &mut TcpStream, answer: &str) -> io::Result<()> {
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}

async fn tunnel(
    budget: &Budget,
    mut client: TcpStream,
    mut server: TcpStream,
    rest: &[u8],
) -> io::Result<()> {
    client.write_all(OPEN.as_bytes()).await?;
    budget.take(rest.len())?;
    server.write_all(rest).await?;
    let ((from_client, to_client), (from_server, to_server)) = (client.split(), server.split());
    tokio::try_join!(
        relay_body(budget, from_client, to_server, u64::MAX),
        relay_body(budget, from_server, to_client, u64::MAX)
    )?;
    Ok(())
}

/// Relays one request and its answer. Later bytes from the browser are dropped, because they may be for
/// another host.
async fn exchange(
    budget: &Budget,
    mut client: TcpStream,
    mut server: TcpStream,
    (asked, length, rest): (&str, u64, Vec<u8>),
) -> io::Result<()> {
    if rest.len() as u64 > length {
        return Err(malformed());
    }
    budget.take(asked.len() + rest.len())?;
    server.write_all(asked.as_bytes()).await?;
    server.write_all(&rest).await?;
    let ((from_client, mut to_client), (mut from_server, to_server)) = (client.split(), server.split());
    let left = length.saturating_sub(rest.len() as u64);
    let ask = async {
        // The sending half stays open: some sites take its end for the end of the connection.
        let (mut from_client, mut to_server) = (from_client, to_server);
        relay_bytes(budget, &mut from_client, &mut to_server, left).await?;
        // A browser closes the connection when it has the answer.
        while from_client.read(&mut [0; 64]).await? > 0 {}
        Ok(())
    };
    let answer = async {
        let (head, rest) = read_final_head(&mut from_server).await?;
        let text = head.to_forwarded(&head.first, None);
        budget.take(text.len() + rest.len())?;
        to_client.write_all(text.as_bytes()).await?;
        to_client.write_all(&rest).await?;
        // Some sites keep the connection open although they are asked to close it.
        let length = head.length().ok().flatten().unwrap_or(u64::MAX);
        relay_body(budget, from_server, to_client, length.saturating_sub(rest.len() as u64)).await
    };
    tokio::select! {
        result = ask => result,
        result = answer => result,
    }
}

/// The final head of an answer, after informational ones.
async fn read_final_head(server: &mut (impl AsyncRead + Unpin)) -> io::Result<(Head, Vec<u8>)> {
    let mut rest = Vec::new();
    for _ in 0..MAX_INFORMATIONAL {
        let (head, after) = heads::read_on(server, &mut rest).await?;
        if !head.first.starts_with("HTTP/1.") {
            return Err(malformed());
        }
        if head.first.split(' ').nth(1).is_none_or(|status| !status.starts_with('1')) {
            return Ok((head, after));
        }
        rest = after;
    }
    Err(malformed())
}

/// Relays at most `length` bytes, then the end of the stream.
async fn relay_body(
    budget: &Budget,
    from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: u64,
) -> io::Result<()> {
    relay_bytes(budget, from, &mut to, most).await?;
    to.shutdown().await
}

async fn relay_bytes(
    budget: &Budget,
    from: impl AsyncRead + Unpin,
    to: &mut (impl AsyncWrite + Unpin),
    most: u64,
) -> io::Result<()> {
    let mut from = from.take(most);
    let mut part = vec![0; PART];
    loop {
        let count = from.read(&mut part).await?;
        if count == 0 {
            return Ok(());
        }
        budget.take(count)?;
        to.write_all(part.get(..count).unwrap_or_default()).await?;
    }
}
