//! A model vendor that answers at once, the same for everybody: what it takes is not the gateway's.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The answer of a chat.
const ANSWER: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1767225600,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":"The parcel left the warehouse this morning and will be there tomorrow.","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":24,"completion_tokens":14,"total_tokens":38}}"#;
/// Pieces of a streamed answer.
const PIECES: usize = 5;
/// Between two pieces.
const PAUSE: Duration = Duration::from_millis(5);

/// Serves OpenAI's chat completions for as long as the program runs; answers its address.
pub(super) async fn serve() -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move { connection(stream).await.ok() });
        }
    });
    Ok(address)
}

async fn connection(mut stream: TcpStream) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    loop {
        let mut piece = [0; 16 << 10];
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Ok(());
        }
        buffer.extend_from_slice(piece.get(..read).unwrap_or_default());
        if let Some(end) = whole(&buffer) {
            let streamed =
                buffer.windows(13).any(|part| part == b"\"stream\":true" || part == b"stream\": true");
            if streamed {
                pieces(&mut stream).await?
            } else {
                answer(&mut stream).await?
            }
            buffer.drain(..end);
        }
    }
}

/// Where the first request ends, once it is whole.
fn whole(buffer: &[u8]) -> Option<usize> {
    let body = buffer.windows(4).position(|part| part == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(buffer.get(..body)?).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let end = body + length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    (buffer.len() >= end).then_some(end)
}

async fn answer(stream: &mut TcpStream) -> anyhow::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        ANSWER.len()
    );
    Ok(stream.write_all([head.as_bytes(), ANSWER.as_bytes()].concat().as_slice()).await?)
}

async fn pieces(stream: &mut TcpStream) -> anyhow::Result<()> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    for number in 0..PIECES {
        let delta = format!(
            r#"{{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{{"index":0,"delta":{{"role":"assistant","content":"word{number} "}},"finish_reason":null}}]}}"#
        );
        event(stream, &delta).await?;
        tokio::time::sleep(PAUSE).await;
    }
    let end = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    event(stream, end).await?;
    let usage = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[],"usage":{"prompt_tokens":24,"completion_tokens":5,"total_tokens":29}}"#;
    event(stream, usage).await?;
    event(stream, "[DONE]").await?;
    Ok(stream.write_all(b"0\r\n\r\n").await?)
}

async fn event(stream: &mut TcpStream, data: &str) -> anyhow::Result<()> {
    let text = format!("data: {data}\n\n");
    Ok(stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).await?)
}
