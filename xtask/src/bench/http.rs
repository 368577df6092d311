//! Cost of requests: the server's own layers compared with a bare handler, then create, get, list and update
//! of notes compared with FastAPI in the same run.

use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::load::{Connection, Requests, measure, request};
use super::peer::Peer;
use super::stack;
use crate::server::Server;

/// Duration of each measurement in seconds.
const SECONDS: f64 = 3.0;
const CONNECTIONS: [usize; 3] = [1, 32, 128];
/// Number of pages to the far one.
const FAR: usize = 1_000;

/// Prints the tables.
pub(crate) fn run(notes: usize) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(stack::compare())?;
    runtime.block_on(compare(notes))
}

/// A measured operation of one side.
struct Operation {
    name: &'static str,
    ours: Requests,
    theirs: Option<Requests>,
}

async fn compare(notes: usize) -> anyhow::Result<()> {
    let server = Server::start()?;
    let resource = prepare(&server, notes).await?;
    let far = far_page(&server, &resource).await?;
    let peer = Peer::start(notes)?;
    println!("\n{notes} notes of one resource on both sides\n");
    println!(
        "| operation | connections | requests/s | p50 ms | p99 ms | CPU µs | FastAPI requests/s | p50 ms \
         | p99 ms | CPU µs | times the requests | CPU ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for operation in operations(&server.key, &resource, &far, notes) {
        for connections in CONNECTIONS {
            let ours =
                measure(&server.url, connections, SECONDS, &operation.ours, || server.cpu_seconds()).await?;
            let Some(theirs) = &operation.theirs else {
                println!("| {} | {connections} | {} | | | | | | |", operation.name, ours.columns());
                continue;
            };
            let theirs = measure(peer.address(), connections, SECONDS, theirs, || peer.cpu_seconds()).await?;
            println!(
                "| {} | {connections} | {} | {} | {:.1} | {:.1} |",
                operation.name,
                ours.columns(),
                theirs.columns(),
                ours.per_second / theirs.per_second,
                theirs.cpu_micros / ours.cpu_micros
            );
        }
    }
    Ok(())
}

fn operations(key: &str, resource: &str, far: &str, notes: usize) -> Vec<Operation> {
    // A stride that is coprime to the number of notes visits all in scattered order.
    let id = move |n: usize| n * 7_919 % notes + 1;
    let make =
        |method: &'static str, path: Arc<dyn Fn(usize) -> String + Send + Sync>, body: Option<Value>| {
            let body = body.map(|body| body.to_string());
            move |key: &str| -> Requests {
                let (key, body, path) = (key.to_owned(), body.clone(), Arc::clone(&path));
                Arc::new(move |n| request(method, &path(n), &key, body.as_deref()))
            }
        };
    let fixed =
        |path: String| -> Arc<dyn Fn(usize) -> String + Send + Sync> { Arc::new(move |_| path.clone()) };
    let one: Arc<dyn Fn(usize) -> String + Send + Sync> = Arc::new(move |n| format!("/v1/notes/{}", id(n)));
    let note = json!({"content": "A note", "role": "user", "resource": "agent", "resource_id": resource});
    let change = json!({"content": "Another text", "role": "assistant"});
    let (get, update) = (make("GET", Arc::clone(&one), None), make("PUT", one, Some(change)));
    let create = make("POST", fixed("/v1/notes".into()), Some(note));
    let list = make("GET", fixed(format!("/v1/notes/agent/{resource}")), None);
    let distant = make("GET", fixed(far.to_owned()), None);
    let theirs = |requests: &dyn Fn(&str) -> Requests| Some(requests("bench"));
    vec![
        Operation { name: "get", ours: get(key), theirs: theirs(&get) },
        Operation { name: "list, first page", ours: list(key), theirs: theirs(&list) },
        Operation { name: "list, 1,000 pages on by cursor", ours: distant(key), theirs: None },
        Operation { name: "update", ours: update(key), theirs: theirs(&update) },
        Operation { name: "create", ours: create(key), theirs: theirs(&create) },
    ]
}

/// Creates an agent with `notes` notes. Returns its namespace.
async fn prepare(server: &Server, notes: usize) -> anyhow::Result<String> {
    let agent = json!({"namespace": "bench"});
    let client = server.client()?;
    client.post(format!("{}/v1/agent", server.url)).json(&agent).send().await?.error_for_status()?;
    let note = json!({"content": "A note of the benchmark", "role": "user", "resource": "agent", "resource_id": "bench"});
    let bytes = request("POST", "/v1/notes", &server.key, Some(&note.to_string()));
    let mut tasks = Vec::new();
    for part in 0..256 {
        let (address, bytes) = (server.url.clone(), bytes.clone());
        let share = notes / 256 + usize::from(part < notes % 256);
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(&address).await?;
            for _ in 0..share {
                connection.exchange(&bytes).await?;
            }
            anyhow::Ok(())
        }));
    }
    for task in tasks {
        task.await??;
    }
    Ok("bench".to_owned())
}

/// The path of the far page.
async fn far_page(server: &Server, resource: &str) -> anyhow::Result<String> {
    let mut connection = Connection::open(&server.url).await?;
    let first = format!("/v1/notes/agent/{resource}");
    let mut path = first.clone();
    for _ in 0..FAR {
        let body = connection.exchange(&request("GET", &path, &server.key, None)).await?;
        let page: Value = serde_json::from_slice(json_of(body))?;
        let cursor = page["meta"]["next_cursor"].as_str().filter(|cursor| !cursor.is_empty());
        path = format!("{first}?cursor={}", cursor.context("there are too few notes for the far page")?);
    }
    Ok(path)
}

/// The JSON in a body that may be a single chunk.
fn json_of(body: &[u8]) -> &[u8] {
    let (start, end) =
        (body.iter().position(|byte| *byte == b'{'), body.iter().rposition(|byte| *byte == b'}'));
    start.zip(end).and_then(|(start, end)| body.get(start..=end)).unwrap_or(body)
}
