//! Benchmark of the guided conversation: a corpus of dialogues through NLU and state machine, and over HTTP
//! the cost of a turn and the memory of open sessions.

use std::time::Instant;

use anyhow::Context as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use reqwest::Client;
use serde_json::{Value, json};

use crate::server::Server;

/// Number of concurrent conversations.
const AT_ONCE: usize = 8;
/// Number of sessions left open.
const OPEN: usize = 10_000;

/// Prints the tables.
pub(super) fn run(rest: &[&str]) -> anyhow::Result<()> {
    super::example("rules-engine", "dialogue_corpus", "dialogue", rest)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS").context("FORMWORK_CORPUS")?;
    let text = std::fs::read_to_string(format!("{corpus}/dialogue/dialogues.jsonl"))?;
    let dialogues: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let server = Server::start()?;
    let client = server.client()?;
    for (number, dialogue) in dialogues.iter().enumerate() {
        agent(&client, &server.url, number, &dialogue["form"]).await?;
    }
    let (before, began) = (server.cpu_seconds()?, Instant::now());
    let turns: Vec<usize> = stream::iter(dialogues.iter().enumerate())
        .map(|(number, dialogue)| run_dialogue(&client, &server.url, number, dialogue))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    let (cpu, seconds) = (server.cpu_seconds()? - before, began.elapsed().as_secs_f64());
    let turns: usize = turns.iter().sum();
    println!("\nOver HTTP, {AT_ONCE} conversations at the same time\n");
    println!("| turns | ms CPU each | turns/s |\n|---|---|---|");
    println!("| {turns} | {:.2} | {:.0} |", cpu * 1e3 / turns as f64, turns as f64 / seconds);
    sessions(&server, &client).await
}

async fn agent(client: &Client, url: &str, number: usize, form: &Value) -> anyhow::Result<()> {
    let form = json!({"title": "Bench", "schema": form});
    let made = client.post(format!("{url}/v1/form")).json(&form).send().await?.error_for_status()?;
    let made: Value = made.json().await?;
    let agent = json!({"namespace": format!("agent-{number}"), "form_id": made["form_id"]});
    client.post(format!("{url}/v1/agent")).json(&agent).send().await?.error_for_status()?;
    Ok(())
}

/// Sends all user messages of a dialogue. Returns the number of turns.
async fn run_dialogue(client: &Client, url: &str, number: usize, dialogue: &Value) -> anyhow::Result<usize> {
    let (mut session, mut turns) = (Value::Null, 0);
    for turn in dialogue["turns"].as_array().into_iter().flatten().filter(|turn| turn[0] == "USER") {
        let body = json!({"message": turn[1], "session_id": session});
        session = post_message(client, &format!("{url}/v1/agent/agent-{number}/chat"), &body).await?;
        turns += 1;
    }
    Ok(turns)
}

async fn post_message(client: &Client, url: &str, body: &Value) -> anyhow::Result<Value> {
    let answer = client.post(url).json(body).send().await?.error_for_status()?;
    let answer: Value = answer.json().await?;
    Ok(answer["session_id"].clone())
}

async fn sessions(server: &Server, client: &Client) -> anyhow::Result<()> {
    let url = format!("{}/v1/agent/agent-0/chat", server.url);
    println!("\nSessions that are begun and left open\n");
    println!("| sessions | resident MB | anonymous MB |\n|---|---|---|");
    let mut open = 0;
    println!("| {open} | {:.1} | {:.1} |", server.resident_mb()?, server.anonymous_mb()?);
    while open < OPEN {
        let body = json!({"message": "hello"});
        let some =
            stream::iter(0..OPEN / 4).map(|_| post_message(client, &url, &body)).buffer_unordered(AT_ONCE);
        open += some.try_collect::<Vec<_>>().await?.len();
        println!("| {open} | {:.1} | {:.1} |", server.resident_mb()?, server.anonymous_mb()?);
    }
    Ok(())
}
