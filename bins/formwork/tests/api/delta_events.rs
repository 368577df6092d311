//! Runs followed by server-sent events.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::delta_runs::PATH;
use crate::kit::{Server, invoice, invoice_schema};

/// An event as it was sent.
#[derive(Debug, PartialEq)]
struct Event {
    id: Option<u64>,
    name: String,
    data: Value,
}

/// The whole events of a text, which may break off in one.
fn events(text: &str) -> Vec<Event> {
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let blocks = whole.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    let event = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        Event {
            id: field("id: ").map(|id| id.parse().unwrap()),
            name: field("event: ").unwrap().to_owned(),
            data: serde_json::from_str(field("data: ").unwrap()).unwrap(),
        }
    };
    blocks.map(event).collect()
}

/// The events of groups: their numbers and their groups.
fn groups(events: &[Event]) -> Vec<(u64, u64)> {
    let groups = events.iter().filter(|event| event.name == "group");
    groups.map(|event| (event.id.unwrap(), event.data["group"].as_u64().unwrap())).collect()
}

/// Makes the agent `inv` and so many files, and gives the body that reads them in a group each.
async fn groups_of(server: &Server, count: usize) -> Value {
    server.agent("inv", invoice_schema()).await;
    let texts: Vec<String> = (0..count).map(|n| invoice(&format!("N-{n}"), "5.00")).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|text| ("a.txt", text.as_str())).collect();
    let mut files = Vec::new();
    for named in named.chunks(100) {
        files.extend(server.files(named).await);
    }
    files.iter().map(|file| json!([{"url": file["id"]}])).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_followed_from_any_event_on_and_each_group_is_told_once() {
    const GROUPS: usize = 150;
    let server = Server::start();
    let mut body = groups_of(&server, GROUPS - 1).await;
    body.as_array_mut().unwrap().push(json!([{"url": "99999"}]));
    let sid = server.post(&format!("{PATH}?async=true"), body).await.accepted()["sid"].clone();
    let path = format!("{PATH}/runs/{sid}/events");
    let answer = server.get(&path).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let all = events(answer.text());
    let told = groups(&all);
    let numbers: Vec<u64> = told.iter().map(|(number, _)| *number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    let indices: BTreeSet<u64> = told.iter().map(|(_, group)| *group).collect();
    assert_eq!((told.len(), indices.len()), (GROUPS, GROUPS));

    let end = all.last().unwrap();
    assert_eq!((end.name.as_str(), &end.data["state"]), ("end", &json!("partly_failed")));
    assert_eq!(json!([end.data["successful"], end.data["failed"]]), json!([GROUPS - 1, 1]));
    let progress: Vec<f64> = all
        .iter()
        .filter(|event| event.name == "progress")
        .map(|event| event.data["progress"].as_f64().unwrap())
        .collect();
    assert!(!progress.is_empty() && progress.is_sorted(), "{progress:?}");
    let failed = all.iter().find(|event| event.data["group"] == GROUPS - 1).unwrap();
    assert_eq!(json!([failed.data["state"], failed.data["error"]["class"]]), json!(["failed", "fetch"]));

    for at in [0, 1, 64, GROUPS - 1, GROUPS] {
        let after = at.checked_sub(1).map_or(0, |last| numbers[last]);
        let by_query = server.get(&format!("{path}?after={after}")).await;
        let by_header = server
            .request(Method::GET, &format!("{path}?after=0"))
            .header("last-event-id", after.to_string());
        for answer in [by_query, by_header.send().await] {
            let rest = events(answer.text());
            assert_eq!(groups(&rest), told[at..], "after {after}");
            assert_eq!(rest.last().unwrap(), end);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_was_cut_off_goes_on_where_it_was_while_the_run_goes_on() {
    cut_off_readers(&Server::with(ONE_BY_ONE)).await;
}

/// Settings under which a run takes its time.
pub(crate) const ONE_BY_ONE: &str = "[limits]\nrun_concurrency = 1";

/// Readers that go away in the middle, on a fresh server.
pub(crate) async fn cut_off_readers(server: &Server) {
    const GROUPS: usize = 120;
    const FEW: usize = 7;
    let body = groups_of(server, GROUPS).await;
    let sid = server.post(&format!("{PATH}?async=true"), body).await.accepted()["sid"].clone();
    let path = format!("{PATH}/runs/{sid}/events");
    let mut told: Vec<(u64, u64)> = Vec::new();
    let mut connections = 0;
    loop {
        let last = told.last().map_or(0, |(number, _)| *number).to_string();
        let call = server.client.get(format!("{}{path}", server.url)).header("x-service-key", &server.key);
        let mut answer = call.header("last-event-id", last).send().await.unwrap();
        let mut text = String::new();
        let mut ended = false;
        // A few events, then the connection is given up; what came with them is lost.
        while let Some(chunk) = answer.chunk().await.unwrap() {
            text.push_str(std::str::from_utf8(&chunk).unwrap());
            let seen = events(&text);
            ended = groups(&seen).len() <= FEW && seen.last().is_some_and(|event| event.name == "end");
            if ended || groups(&seen).len() > FEW {
                break;
            }
        }
        connections += 1;
        told.extend(groups(&events(&text)).into_iter().take(FEW));
        if ended {
            break;
        }
    }
    assert!(connections >= GROUPS / FEW, "{connections} connections");
    let numbers: BTreeSet<u64> = told.iter().map(|(number, _)| *number).collect();
    let indices: BTreeSet<u64> = told.iter().map(|(_, group)| *group).collect();
    assert_eq!(
        (told.len(), numbers.len(), indices.len()),
        (GROUPS, GROUPS, GROUPS),
        "{connections} connections"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_there_never_was_is_refused() {
    let server = Server::start();
    let body = groups_of(&server, 2).await;
    let sid = server.post(PATH, body).await.ok()["sid"].clone();
    let path = format!("{PATH}/runs/{sid}/events");
    for bad in ["x", "-1", "1.5", "+1", "", " ", "18446744073709551616", "9999"] {
        let call = server.request(Method::GET, &path).header("last-event-id", bad);
        call.send().await.fails_at(400, "validation_failed", "Last-Event-ID");
    }
    for bad in ["x", "-1", "1.5", "", "18446744073709551616", "9999"] {
        let answer = server.get(&format!("{path}?after={bad}")).await;
        answer.fails_at(400, "validation_failed", "?after");
    }
    // Also when the header is the one that counts.
    let call = server.request(Method::GET, &format!("{path}?after=-1")).header("last-event-id", "0");
    call.send().await.fails_at(400, "validation_failed", "?after");
}
