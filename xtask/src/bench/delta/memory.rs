//! A run of 10,000 groups over small texts, with samples of the server's memory.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use reqwest::RequestBuilder;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::server::Server;

const GROUPS: usize = 10_000;
/// Number of different texts; each is the document of many groups.
const TEXTS: usize = 500;

/// Prints the table.
pub(super) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> anyhow::Result<()> {
    let server = Server::start()?;
    let client = server.client()?;
    let url = |path: &str| format!("{}{path}", server.url);
    let schema = json!({"number": {"type": "string"}, "date": {"type": "date"}, "total": {"type": "number"}});
    let form: Value = client
        .post(url("/v1/form"))
        .json(&json!({"title": "B", "schema": schema}))
        .send()
        .await?
        .json()
        .await?;
    let agent = json!({"namespace": "bench", "form_id": form["form_id"]});
    client.post(url("/v1/agent")).json(&agent).send().await?.error_for_status()?;
    let ids = upload(&client, &url("/v1/files")).await?;
    let groups: Vec<Value> = (0..GROUPS).map(|n| json!([{"url": ids[n % ids.len()]}])).collect();
    let path = url("/v1/agent/bench/workflow/delta");
    println!("{GROUPS} groups over {TEXTS} texts, the built-in model\n");
    follow(&server, client.post(format!("{path}?fresh=true")).json(&groups)).await?;
    println!("\nThe same again, answered from the store\n");
    follow(&server, client.post(path).json(&groups)).await
}

/// Reads the answer of a run as it arrives, and prints the memory meanwhile.
async fn follow(server: &Server, request: RequestBuilder) -> anyhow::Result<()> {
    println!("| seconds | resident MB | answer bytes so far |\n|---|---|---|");
    println!("| before | {:.1} | |", server.resident_mb()?);
    let cpu = server.cpu_seconds()?;
    let began = Instant::now();
    let mut answer = request.send().await?.error_for_status()?;
    let (mut bytes, mut shown, mut peak) = (0, Duration::ZERO, 0.0_f64);
    let mut tail = Vec::new();
    while let Some(piece) = answer.chunk().await? {
        bytes += piece.len();
        tail.extend_from_slice(&piece);
        tail.drain(..tail.len().saturating_sub(1_000_000));
        peak = peak.max(server.resident_mb()?);
        if began.elapsed() >= shown {
            println!("| {:.1} | {:.1} | {bytes} |", began.elapsed().as_secs_f64(), server.resident_mb()?);
            shown += Duration::from_secs(1);
        }
    }
    let wall = began.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&tail);
    let meta =
        text.rsplit("\"meta\":").next().and_then(|rest| rest.split_once('}')).context("the answer's meta")?;
    println!("| end {wall:.1} | {:.1} | {bytes} |", server.resident_mb()?);
    println!(
        "\npeak {peak:.1} MB; {:.2} ms CPU a group; meta {}}}",
        (server.cpu_seconds()? - cpu) * 1e3 / GROUPS as f64,
        meta.0
    );
    Ok(())
}

async fn upload(client: &reqwest::Client, url: &str) -> anyhow::Result<Vec<i64>> {
    let mut ids = Vec::new();
    for first in (0..TEXTS).step_by(100) {
        let mut form = Form::new();
        for n in first..first + 100 {
            let text = format!("Number: N-{n}\nDate: {:02}/03/2025\nTotal: {n}.50\n", n % 28 + 1);
            form = form.part("files", Part::text(text).file_name(format!("{n}.txt")));
        }
        let files: Value = client.post(url).multipart(form).send().await?.error_for_status()?.json().await?;
        ids.extend(files.as_array().context("files")?.iter().filter_map(|file| file["id"].as_i64()));
    }
    Ok(ids)
}
