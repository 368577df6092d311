//! A million chunks: in one knowledge base, and split over a thousand; compared with peers.

use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::base::Base;
use super::peers::Peer;
use super::texts::Texts;
use crate::bench::load::{Requests, request, run as load};
use crate::server::Server;

/// Number of knowledge bases of the second half.
const BASES: usize = 1_000;
/// Chunks of one request, within the limit of a body.
const TOGETHER: usize = 1_000;
/// Number of concurrent requests.
const WRITERS: usize = 4;
/// Number of words of a query.
const QUERY: usize = 5;
/// Number of queries to a peer.
const QUERIES: usize = 300;
/// Duration of each load in seconds.
const SECONDS: f64 = 10.0;
/// How long an index must be unchanged to count as idle.
const REST: Duration = Duration::from_secs(3);
/// Number of chunks of the deleted knowledge base.
const DELETED: usize = 100_000;

/// Prints the tables.
pub(super) async fn run(chunks: usize, texts: &Texts) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("texts");
    let bytes = write_texts(&file, texts, chunks)?;
    println!("\n{chunks} chunks of {} bytes on average, queries of {QUERY} words\n", bytes / chunks as u64);
    let server = Server::start()?;
    println!("| what | figure |\n|---|---|");
    let one = one_base(&server, texts, chunks, bytes).await?;
    many_bases(&server, texts, chunks / BASES).await?;
    search(&server, texts, std::slice::from_ref(&one), "one base, beside the others").await?;
    deletion(&server, texts, chunks.min(DELETED)).await?;
    memory(&server, "at the end")?;
    drop(server);
    println!(
        "\n| peer | build s | CPU s | bytes beyond the text, per chunk | p50 ms | p99 ms | resident MB |"
    );
    println!("|---|---|---|---|---|---|---|");
    for name in ["FTS5", "LanceDB"] {
        peer(name, texts, &file, chunks, bytes)?;
    }
    Ok(())
}

fn write_texts(file: &Path, texts: &Texts, chunks: usize) -> anyhow::Result<u64> {
    let mut texts = texts.seeded(1);
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    let mut bytes = 0;
    for _ in 0..chunks {
        let text = texts.text();
        bytes += text.len() as u64;
        writeln!(out, "{text}")?;
    }
    out.flush()?;
    Ok(bytes)
}

/// Fills one knowledge base and searches it.
async fn one_base(server: &Server, texts: &Texts, chunks: usize, bytes: u64) -> anyhow::Result<Base> {
    let base = Base::create(server, "one", json!({})).await?;
    let (began, cpu) = (Instant::now(), server.cpu_seconds()?);
    let mut texts = texts.seeded(1);
    let mut writers = tokio::task::JoinSet::new();
    for first in (0..chunks).step_by(TOGETHER) {
        let body = body(&mut texts, first, TOGETHER.min(chunks - first));
        if writers.len() == WRITERS {
            writers.join_next().await.context("a writer")???;
        }
        let base = base.clone();
        writers.spawn(async move { base.add(&body).await.map(drop) });
    }
    while let Some(written) = writers.join_next().await {
        written??;
    }
    base.wait_searchable().await?;
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), server.cpu_seconds()? - cpu);
    println!(
        "| ingested until found, chunks/s (making the texts included) | {:.0} |",
        chunks as f64 / seconds
    );
    println!("| CPU µs a chunk | {:.0} |", cpu * 1e6 / chunks as f64);
    memory(server, "after ingestion")?;
    search(server, &texts, std::slice::from_ref(&base), "one base, right after ingestion").await?;
    let index = wait_at_rest(server).await?;
    let per_chunk = |bytes: u64| bytes as f64 / chunks as f64;
    println!("| index, bytes a chunk | {:.0} |", per_chunk(index));
    println!(
        "| all that is stored beyond the text, bytes a chunk | {:.0} |",
        per_chunk(server.folder_bytes("")?.saturating_sub(bytes))
    );
    search(server, &texts, std::slice::from_ref(&base), "one base, index at rest").await?;
    Ok(base)
}

async fn many_bases(server: &Server, texts: &Texts, each: usize) -> anyhow::Result<()> {
    let mut texts = texts.seeded(2);
    let mut bases = Vec::with_capacity(BASES);
    let before = server.folder_bytes("index")?;
    let began = Instant::now();
    for number in 0..BASES {
        let base = Base::create(server, &format!("base {number}"), json!({})).await?;
        base.add(&body(&mut texts, 0, each)).await?;
        bases.push(base);
    }
    for base in &bases {
        base.wait_searchable().await?;
    }
    let rate = (BASES * each) as f64 / began.elapsed().as_secs_f64();
    println!("| {BASES} bases of {each}: ingested one after the other, chunks/s | {rate:.0} |");
    memory(server, "with these bases too")?;
    let index = wait_at_rest(server).await?.saturating_sub(before);
    println!("| what they add to the index, bytes a chunk | {:.0} |", index as f64 / (BASES * each) as f64);
    search(server, &texts, &bases, &format!("{BASES} bases of {each}, index at rest")).await
}

/// Waits until merging has ended. Returns the size of the index in bytes.
async fn wait_at_rest(server: &Server) -> anyhow::Result<u64> {
    let began = Instant::now();
    let (mut bytes, mut cpu) = (0, server.cpu_seconds()?);
    loop {
        tokio::time::sleep(REST).await;
        let (last, before) = (bytes, cpu);
        (bytes, cpu) = (server.folder_bytes("index")?, server.cpu_seconds()?);
        if bytes == last && cpu - before < REST.as_secs_f64() / 10.0 {
            println!("| seconds until nothing was merged any more | {:.0} |", began.elapsed().as_secs_f64());
            return Ok(bytes);
        }
    }
}

/// Chunks of consecutive documents, ten each.
fn body(texts: &mut Texts, first: usize, count: usize) -> Value {
    let chunk =
        |number: usize| json!({"title": format!("Document {}", number / 10), "content": texts.text()});
    json!({"chunks": (first..first + count).map(chunk).collect::<Vec<_>>()})
}

/// Searches over one connection, then over eight.
async fn search(server: &Server, texts: &Texts, bases: &[Base], what: &str) -> anyhow::Result<()> {
    let mut texts = texts.seeded(3);
    let queries: Vec<String> = (0..1_000).map(|_| texts.query(QUERY)).collect();
    let paths: Vec<String> = bases.iter().map(|base| base.path("/search").replace(&server.url, "")).collect();
    let key = server.key.clone();
    let requests: Requests = Arc::new(move |n| {
        let body = json!({"query": queries[n % queries.len()], "mode": "lexical"}).to_string();
        request("POST", &paths[n * 7_919 % paths.len()], &key, Some(&body))
    });
    for connections in [1, 8] {
        load(&server.url, connections, 1.0, &requests).await?;
        let cpu = server.cpu_seconds()?;
        let times = load(&server.url, connections, SECONDS, &requests).await?;
        let cpu = (server.cpu_seconds()? - cpu) * 1e6 / times.len() as f64;
        let at = |part: f64| {
            let place = (times.len() as f64 * part) as usize;
            times.get(place).or(times.last()).map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        println!(
            "| search, {what}, {connections} connections: p50, p99 ms; searches/s; CPU µs | {:.2}, {:.2}; {:.0}; {cpu:.0} |",
            at(0.5),
            at(0.99),
            times.len() as f64 / SECONDS
        );
    }
    memory(server, "after these searches")
}

async fn deletion(server: &Server, texts: &Texts, chunks: usize) -> anyhow::Result<()> {
    let mut texts = texts.seeded(4);
    let base = Base::create(server, "short-lived", json!({})).await?;
    for first in (0..chunks).step_by(TOGETHER) {
        base.add(&body(&mut texts, first, TOGETHER.min(chunks - first))).await?;
    }
    base.wait_searchable().await?;
    let began = Instant::now();
    base.delete().await?;
    println!("| a base of {chunks} chunks deleted, s | {:.2} |", began.elapsed().as_secs_f64());
    Ok(())
}

fn memory(server: &Server, when: &str) -> anyhow::Result<()> {
    println!(
        "| memory {when}: anonymous, resident MB | {:.0}, {:.0} |",
        server.anonymous_mb()?,
        server.resident_mb()?
    );
    Ok(())
}

fn peer(name: &str, texts: &Texts, file: &Path, chunks: usize, bytes: u64) -> anyhow::Result<()> {
    let mut peer = Peer::scale(name, file)?;
    let built = peer.line()?;
    let mut texts = texts.seeded(3);
    let mut times = Vec::with_capacity(QUERIES);
    for _ in 0..QUERIES {
        peer.say(&texts.query(QUERY))?;
        times.push(peer.line()?.as_f64().context("milliseconds")?);
    }
    times.sort_by(f64::total_cmp);
    let number = |key: &str| built[key].as_f64().unwrap_or_default();
    println!(
        "| {name} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.0} |",
        number("seconds"),
        number("cpu"),
        (number("bytes") - bytes as f64) / chunks as f64,
        times[QUERIES / 2],
        times[QUERIES * 99 / 100],
        peer.resident_mb()?
    );
    Ok(())
}
