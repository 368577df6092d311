//! Benchmark of the gateway compared with LiteLLM: the same upstream, load and run.

mod pair;
mod upstream;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::load::{self, Connection, Requests, quantile, request};
use crate::litellm;
use crate::server::{Server, cpu_seconds_of, resident_mb_of};

/// Duration of each measurement in seconds.
const SECONDS: f64 = 5.0;
/// Number of connections of the closed-loop load.
const CONNECTIONS: usize = 32;
/// Requests per second of the paced load; the connections share them.
const RATE: usize = 500;
const PACED: usize = 20;
/// Number of requests after which the memory must be unchanged.
const MANY: usize = 10_000;

/// The prompt of every request.
const PROMPT: &str = "Where is the parcel that was ordered on Monday, and when will it be here?";

/// One side of the comparison.
struct Side {
    name: &'static str,
    address: String,
    process: Option<u32>,
    whole: Requests,
    streamed: Vec<u8>,
}

/// Prints the tables.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure())
}

/// Prints the table of several builds of the server.
pub(crate) fn compare(programs: &[&str]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(pair::compare(programs))
}

async fn measure() -> anyhow::Result<()> {
    let serving = upstream::serve()?;
    let upstream = serving.url();
    let server = Server::start_with(|command| {
        command.env("OPENAI_API_KEY", "none").env("FORMWORK_OPENAI_BASE_URL", format!("{upstream}/v1"))
    })?;
    let limited = server.issue_key(&["--requests-per-day", "1000000", "--tokens-per-day", "1000000000"])?;
    let peer = litellm::start(&litellm::model("bench", "openai/bench", &format!("api_base: {upstream}/v1")))?;
    let ours = |name, key: &str| Side {
        name,
        address: server.url.clone(),
        process: Some(server.pid()),
        whole: repeat_request(request("POST", "/v2/generate", key, Some(&generate(false)))),
        streamed: request("POST", "/v2/generate", key, Some(&generate(true))),
    };
    let chat = |key: &str, stream| bearer("/v1/chat/completions", key, &completion(stream));
    let sides = [
        Side {
            name: "the upstream itself",
            address: upstream.clone(),
            process: None,
            whole: repeat_request(chat("none", false)),
            streamed: chat("none", true),
        },
        ours("Formwork, key without limits", &server.key),
        ours("Formwork, key with limits", &limited),
        Side {
            name: "LiteLLM 1.106.2, one worker",
            address: peer.address.clone(),
            process: Some(peer.pid()),
            whole: repeat_request(chat(litellm::KEY, false)),
            streamed: chat(litellm::KEY, true),
        },
    ];
    println!(
        "| | requests/s ({CONNECTIONS} connections) | p50 ms | p99 ms | CPU ms a request | at {RATE}/s: p50 ms \
         | p99 ms | first token ms | memory MB, before | after {MANY} requests |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for side in &sides {
        println!("{}", row(side).await?);
    }
    Ok(())
}

async fn row(side: &Side) -> anyhow::Result<String> {
    load::run(&side.address, CONNECTIONS, 1.0, &side.whole).await?;
    let memory = side.memory()?;
    let before = side.cpu()?;
    let times = load::run(&side.address, CONNECTIONS, SECONDS, &side.whole).await?;
    let cpu = (side.cpu()? - before) * 1e3 / times.len() as f64;
    let per_second = times.len() as f64 / SECONDS;
    // A side that cannot serve this rate has no latency at it.
    let paced = if per_second > 1.2 * RATE as f64 {
        measure_paced(side, RATE, PACED, SECONDS).await?
    } else {
        Vec::new()
    };
    let first = first_token(side).await?;
    send_until(side, times.len()).await?;
    let shown = |times: &[Duration], part| match times {
        [] => "–".to_owned(),
        times => format!("{:.2}", quantile(times, part)),
    };
    Ok(format!(
        "| {} | {per_second:.0} | {} | {} | {cpu:.3} | {} | {} | {} | {memory:.0} | {:.0} |",
        side.name,
        shown(&times, 0.5),
        shown(&times, 0.99),
        shown(&paced, 0.5),
        shown(&paced, 0.99),
        shown(&first, 0.5),
        side.memory()?
    ))
}

impl Side {
    fn cpu(&self) -> anyhow::Result<f64> {
        self.process.map_or(Ok(0.0), |process| cpu_seconds_of(&process.to_string()))
    }

    fn memory(&self) -> anyhow::Result<f64> {
        self.process.map_or(Ok(0.0), resident_mb_of)
    }
}

/// Sends requests at a fixed rate. Each latency starts when the request was sent.
async fn measure_paced(
    side: &Side,
    rate: usize,
    connections: usize,
    seconds: f64,
) -> anyhow::Result<Vec<Duration>> {
    let began = Instant::now() + Duration::from_millis(50);
    let gap = Duration::from_secs_f64(1.0 / rate as f64);
    let total = (rate as f64 * seconds) as usize;
    let mut tasks = Vec::new();
    for first in 0..connections {
        let (address, requests) = (side.address.clone(), Arc::clone(&side.whole));
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(&address).await?;
            let mut times = Vec::new();
            for number in (first..total).step_by(connections) {
                let due = began + gap * u32::try_from(number)?;
                tokio::time::sleep_until(due.into()).await;
                // The runtime's timer has millisecond resolution. Its delay must not count for the gateway.
                let sent = Instant::now();
                connection.exchange(&requests(number)).await?;
                times.push(sent.elapsed());
            }
            anyhow::Ok(times)
        }));
    }
    load::collect_times(tasks).await
}

/// Times to the first token of streams, one after the other.
async fn first_token(side: &Side) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    let mut connection = Connection::open(&side.address).await?;
    for _ in 0..100 {
        times.push(connection.until(&side.streamed, b"word0").await?);
    }
    times.sort_unstable();
    Ok(times)
}

/// Sends requests up to the number after which the memory is sampled.
async fn send_until(side: &Side, done: usize) -> anyhow::Result<()> {
    let mut left = MANY.saturating_sub(done);
    while left > 0 && side.process.is_some() {
        left = left.saturating_sub(load::run(&side.address, CONNECTIONS, 1.0, &side.whole).await?.len());
    }
    Ok(())
}

fn generate(stream: bool) -> String {
    json!({"modelId": "bench@openai", "prompt": PROMPT, "stream": stream}).to_string()
}

fn completion(stream: bool) -> String {
    json!({"model": "bench", "messages": [{"role": "user", "content": PROMPT}], "stream": stream}).to_string()
}

fn repeat_request(bytes: Vec<u8>) -> Requests {
    Arc::new(move |_| bytes.clone())
}

fn bearer(path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
