//! A knowledge base with many files: lists, filters, searches and deletes, with samples of the server's
//! memory.

use std::time::Instant;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::base::{Base, answer};
use super::texts::Texts;
use crate::server::Server;

/// Number of files of one request.
const TOGETHER: usize = 500;
/// Number of requests of one kind.
const TIMES: usize = 50;

/// Prints the table.
pub(super) async fn run(files: usize) -> anyhow::Result<()> {
    let server = Server::start()?;
    println!(
        "\n{files} texts in one base, each parsed in a worker\n\n| step | seconds | anonymous MB | resident MB |\n|---|---|---|---|"
    );
    let began = Instant::now();
    let row = |step: &str, began: Instant| -> anyhow::Result<()> {
        let (anonymous, resident) = (server.anonymous_mb()?, server.resident_mb()?);
        println!("| {step} | {:.3} | {anonymous:.0} | {resident:.0} |", began.elapsed().as_secs_f64());
        Ok(())
    };
    let base = Base::create(&server, "files", json!({})).await?;
    row("start", began)?;
    let began = Instant::now();
    let mut texts = Texts::made_up().seeded(5);
    for first in (0..files).step_by(TOGETHER) {
        let text = |n: usize| json!({"title": format!("File {n}"), "content": texts.text(), "meta": {"number": n, "even": n.is_multiple_of(2)}});
        let body = json!({"texts": (first..files.min(first + TOGETHER)).map(text).collect::<Vec<_>>()});
        base.add(&body).await?;
    }
    row("added", began)?;
    base.wait_ready(files).await?;
    row("all ready", began)?;
    let client = server.client()?;
    let list = |query: &str| {
        client.get(format!("{}/knowledgebase/files?knowledgeId={}&limit=100{query}", server.url, base.id))
    };
    let began = Instant::now();
    let mut cursor = String::new();
    let mut seen = 0;
    loop {
        let page: Value = answer(list(&cursor)).await?;
        seen += page["files"].as_array().context("files")?.len();
        match page["meta"]["next_cursor"].as_str().filter(|next| !next.is_empty()) {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    anyhow::ensure!(seen == files, "{seen} files were listed");
    row("all listed by cursor", began)?;
    let began = Instant::now();
    for _ in 0..TIMES {
        answer(list("&status=ready")).await?;
    }
    row("50 first pages by status", began)?;
    let began = Instant::now();
    for number in 0..TIMES {
        let filter = json!({"filter": {"number": {"gte": number * 100}, "even": true}});
        base.search(&texts.query(5), 10, &filter).await?;
    }
    row("50 searches, each with another filter", began)?;
    let began = Instant::now();
    for _ in 0..TIMES {
        base.search(&texts.query(5), 10, &json!({"filter": {"number": {"lt": 100}}})).await?;
    }
    row("50 searches with the same filter", began)?;
    let began = Instant::now();
    let delete = client.delete(base.path("/sources")).json(&json!({"delete_all": true}));
    answer(delete).await?;
    row("all deleted", began)
}
