//! A thousand mixed documents through the running server: `POST /v1/utilities/docparser`, one document per
//! call.

mod files;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, bail};
use parking_lot::Mutex;
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::server::{Server, children_of, children_seconds_of, resident_mb_of};
use files::Document;

/// Number of documents of a run.
const DOCUMENTS: usize = 1_000;
/// Number of concurrent calls.
const TOGETHER: usize = 8;
/// Numbers of documents after which the memory is sampled.
const LOOKS: [usize; 5] = [0, 250, 500, 750, 1_000];

/// Prints the tables.
pub(super) fn run() -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let documents = files::mixed(corpus.as_ref(), DOCUMENTS)?;
    let kinds = count(documents.iter().map(|document| document.kind.to_owned()));
    let bytes: usize = documents.iter().map(|document| document.bytes.len()).sum();
    println!("{} documents, {:.1} MB: {kinds}\n", documents.len(), bytes as f64 / 1e6);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(measure(documents))
}

/// Resource usage of the processes after some documents.
#[derive(Debug)]
struct ResourceSample {
    documents: usize,
    seconds: f64,
    server_cpu: f64,
    parsers_cpu: f64,
    server_mb: f64,
    parsers_mb: f64,
}

async fn measure(documents: Vec<Document>) -> anyhow::Result<()> {
    let server = Server::start()?;
    let client = server.client()?;
    let url = format!("{}/v1/utilities/docparser", server.url);
    // The first call starts a parser process.
    call(&client, &url, Document { kind: "text", name: "warm.txt".to_owned(), bytes: b"warm".to_vec() })
        .await?;
    let mut outcomes = Vec::new();
    let mut looks = vec![sample_resources(&server, 0, Instant::now())?];
    let mut waiting: VecDeque<Document> = documents.into();
    let began = Instant::now();
    for pair in LOOKS.windows(2) {
        let part: VecDeque<Document> = waiting.drain(..(pair[1] - pair[0]).min(waiting.len())).collect();
        let queue = Arc::new(Mutex::new(part));
        let callers: Vec<_> = (0..TOGETHER)
            .map(|_| tokio::spawn(call_all(client.clone(), url.clone(), Arc::clone(&queue))))
            .collect();
        for caller in callers {
            outcomes.extend(caller.await??);
        }
        looks.push(sample_resources(&server, outcomes.len(), began)?);
    }
    print(&looks)?;
    println!("\n{}", count(outcomes.into_iter()));
    Ok(())
}

async fn call_all(
    client: reqwest::Client,
    url: String,
    queue: Arc<Mutex<VecDeque<Document>>>,
) -> anyhow::Result<Vec<String>> {
    let mut outcomes = Vec::new();
    let next = || queue.lock().pop_front();
    while let Some(document) = next() {
        outcomes.push(call(&client, &url, document).await?);
    }
    Ok(outcomes)
}

/// Sends a document. Returns `read`, or the code of its error.
async fn call(client: &reqwest::Client, url: &str, document: Document) -> anyhow::Result<String> {
    let part = Part::bytes(document.bytes).file_name(document.name);
    let response = client.post(url).multipart(Form::new().part("files", part)).send().await?;
    let status = response.status();
    let text = response.text().await?;
    if !status.is_success() {
        bail!("{status}: {text}");
    }
    let items: Value = serde_json::from_str(&text)?;
    Ok(items[0]["error"]["code"].as_str().unwrap_or("read").to_owned())
}

fn sample_resources(server: &Server, documents: usize, began: Instant) -> anyhow::Result<ResourceSample> {
    let parsers = children_of(server.pid())?;
    // A process may have ended meanwhile.
    let parsers_mb = parsers.iter().filter_map(|parser| resident_mb_of(*parser).ok()).sum();
    Ok(ResourceSample {
        documents,
        seconds: began.elapsed().as_secs_f64(),
        server_cpu: server.cpu_seconds()?,
        parsers_cpu: children_seconds_of(server.pid())?,
        server_mb: server.resident_mb()?,
        parsers_mb,
    })
}

fn print(looks: &[ResourceSample]) -> anyhow::Result<()> {
    let (first, last) = looks.first().zip(looks.last()).context("nothing was measured")?;
    println!("| documents | seconds | documents/s | server MB | parsers MB |\n|---|---|---|---|---|");
    for look in looks {
        let rate = look.documents as f64 / look.seconds.max(1e-9);
        println!(
            "| {} | {:.1} | {:.0} | {:.0} | {:.0} |",
            look.documents, look.seconds, rate, look.server_mb, look.parsers_mb
        );
    }
    let a_document = |seconds: f64| seconds * 1e3 / last.documents as f64;
    println!(
        "\nprocessor time, ms a document: server {:.2}, parsers {:.2}",
        a_document(last.server_cpu - first.server_cpu),
        a_document(last.parsers_cpu - first.parsers_cpu)
    );
    Ok(())
}

/// `3 a, 2 b`, the most frequent first.
fn count(of: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    of.for_each(|name| *counts.entry(name).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}
