//! Load over plain HTTP/1.1 connections with a minimal client, because the client shares the machine with the
//! server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// Builds the bytes of the request with this number.
pub(crate) type Requests = Arc<dyn Fn(usize) -> Vec<u8> + Send + Sync>;

/// A request as bytes.
pub(crate) fn request(method: &str, path: &str, key: &str, body: Option<&str>) -> Vec<u8> {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-Service-Key: {key}\r\n");
    match body {
        None => format!("{head}\r\n").into_bytes(),
        Some(body) => {
            let length = body.len();
            format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")
                .into_bytes()
        }
    }
}

/// Throughput and latency of one side under load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// Number of answered requests.
    pub(crate) count: usize,
    pub(crate) per_second: f64,
    /// Milliseconds.
    pub(crate) p50: f64,
    /// Milliseconds.
    pub(crate) p99: f64,
    /// Processor microseconds of the server per request.
    pub(crate) cpu_micros: f64,
}

impl Figures {
    /// Columns of a table row: requests/s, p50, p99, CPU.
    pub(crate) fn columns(&self) -> String {
        format!("{:.0} | {:.2} | {:.2} | {:.0}", self.per_second, self.p50, self.p99, self.cpu_micros)
    }
}

/// Measures requests over a number of connections for some time, after a warm-up of half a second. `cpu`
/// returns the processor seconds that the server has used.
pub(crate) async fn measure(
    address: &str,
    connections: usize,
    seconds: f64,
    requests: &Requests,
    cpu: impl Fn() -> anyhow::Result<f64>,
) -> anyhow::Result<Figures> {
    run(address, connections, 0.5, requests).await?;
    let before = cpu()?;
    let times = run(address, connections, seconds, requests).await?;
    let used = cpu()? - before;
    Ok(Figures {
        count: times.len(),
        per_second: times.len() as f64 / seconds,
        p50: quantile(&times, 0.5),
        p99: quantile(&times, 0.99),
        cpu_micros: used * 1e6 / times.len() as f64,
    })
}

/// Sends requests over a number of connections for some time. Returns the latencies, sorted.
pub(crate) async fn run(
    address: &str,
    connections: usize,
    seconds: f64,
    requests: &Requests,
) -> anyhow::Result<Vec<Duration>> {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let mut tasks = Vec::new();
    for connection in 0..connections {
        let (address, requests) = (address.to_owned(), Arc::clone(requests));
        tasks.push(tokio::spawn(async move {
            let mut connection = (Connection::open(&address).await?, connection);
            let mut times = Vec::new();
            while Instant::now() < until {
                let request = requests(connection.1);
                connection.1 += connections;
                let began = Instant::now();
                connection.0.exchange(&request).await?;
                times.push(began.elapsed());
            }
            anyhow::Ok(times)
        }));
    }
    collect_times(tasks).await
}

/// The latencies of all connections, sorted.
pub(crate) async fn collect_times(
    tasks: Vec<JoinHandle<anyhow::Result<Vec<Duration>>>>,
) -> anyhow::Result<Vec<Duration>> {
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    all.sort_unstable();
    Ok(all)
}

/// A persistent connection.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> anyhow::Result<Self> {
        let address = address.trim_start_matches("http://");
        let stream = TcpStream::connect(address).await.with_context(|| format!("connecting to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    /// Sends a request with a streamed answer and reads the answer to its end. Returns the time until the
    /// bytes `wanted` arrived.
    pub(crate) async fn until(&mut self, request: &[u8], wanted: &[u8]) -> anyhow::Result<Duration> {
        let began = Instant::now();
        let mut found = None;
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            self.receive().await?;
            if found.is_none() && self.buffer.windows(wanted.len()).any(|part| part == wanted) {
                found = Some(began.elapsed());
            }
            if body_start(&self.buffer)?.is_some() {
                return found.context("the stream lacks the expected bytes");
            }
        }
    }

    /// Sends a request and reads the whole answer, which must have status 200. Returns the body.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<&[u8]> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            self.receive().await?;
            if let Some(body) = body_start(&self.buffer)? {
                return Ok(self.buffer.get(body..).unwrap_or_default());
            }
        }
    }
}

impl Connection {
    /// Reads the available bytes.
    async fn receive(&mut self) -> anyhow::Result<()> {
        let mut piece = [0; 16 << 10];
        let read = self.stream.read(&mut piece).await?;
        if read == 0 {
            bail!("the connection was closed");
        }
        self.buffer.extend_from_slice(piece.get(..read).unwrap_or_default());
        Ok(())
    }
}

/// Offset of the body once the answer is complete.
fn body_start(buffer: &[u8]) -> anyhow::Result<Option<usize>> {
    let Some(end) = buffer.windows(4).position(|part| part == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(buffer.get(..end).unwrap_or_default())?.to_ascii_lowercase();
    if !head.starts_with("http/1.1 200") {
        bail!("an answer is not 200: {}", String::from_utf8_lossy(buffer));
    }
    let body = end + 4;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let done = match length {
        Some(length) => buffer.len() >= body + length.trim().parse::<usize>()?,
        // The answers are JSON, which cannot contain the end of the last chunk.
        None => buffer.ends_with(b"\r\n0\r\n\r\n"),
    };
    Ok(done.then_some(body))
}

/// The quantile `part` of the sorted times, in milliseconds.
pub(crate) fn quantile(times: &[Duration], part: f64) -> f64 {
    let index = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
    times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
}
