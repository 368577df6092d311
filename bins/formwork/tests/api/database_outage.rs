//! A database that hangs or is away: requests fail soon, readiness says so, and all goes on when it is back.

use std::collections::HashSet;
use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::delta_runs::over;
use crate::kit::{Answer, Home, Server, settle};

/// How long clients wait.
const PATIENCE: Duration = Duration::from_secs(5);
/// What is said of a change that may be stored.
const UNKNOWN: &str = "whether the change is stored is not known";

/// Creates a note, as a client that does not wait for long.
async fn note(server: &Server, text: &str) -> Answer {
    let body = json!({"content": text, "role": "user", "resource": "agent", "resource_id": "inv"});
    server.request(Method::POST, "/v1/notes").json(&body).within(PATIENCE).send().await
}

/// Ids of notes that were acknowledged, and contents of those that were refused.
#[derive(Default)]
struct Notes {
    stored: HashSet<String>,
    refused: HashSet<String>,
}

impl Notes {
    /// Creates `count` notes at once, of which the database takes none.
    async fn fail(&mut self, server: &Server, name: &str, count: usize) {
        let texts: Vec<String> = (0..count).map(|n| format!("{name} {n}")).collect();
        let answers = join_all(texts.iter().map(|text| note(server, text))).await;
        for (text, answer) in texts.iter().zip(answers) {
            let body = answer.fails(503, "store_unavailable");
            if !body["message"].as_str().unwrap().contains(UNKNOWN) {
                self.refused.insert(text.clone());
            }
        }
    }

    async fn succeed(&mut self, server: &Server, name: &str) {
        let made = note(server, name).await.ok();
        self.stored.insert(made["noteId"].as_str().unwrap().to_owned());
    }

    /// What was acknowledged is there, and what was refused is not.
    async fn check(&self, server: &Server) {
        let listed = server.get("/v1/notes/agent/inv?limit=100").await.ok();
        let notes: Vec<&Value> = listed["notes"].as_array().unwrap().iter().collect();
        let all = |key: &str| -> HashSet<String> {
            notes.iter().map(|note| note[key].as_str().unwrap().to_owned()).collect()
        };
        assert!(all("noteId").is_superset(&self.stored), "{listed}");
        assert!(all("content").is_disjoint(&self.refused), "{listed}");
    }
}

/// Says that the server is not ready because of this part, before its client gives up.
async fn not_ready(server: &Server, part: &str) -> Value {
    let answer = server.request(Method::GET, "/ready").open().within(PATIENCE).send().await;
    answer.fails_at(503, "not_ready", part)
}

/// Waits until the server is ready again.
async fn ready_again(server: &Server) {
    settle("readiness", async || server.request(Method::GET, "/ready").open().send().await.status == 200)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_that_hangs_or_is_away_is_an_error_soon_and_then_work_goes_on() {
    let Some((home, proxy)) = Home::behind_proxy() else { return };
    let server = home.start();
    server.agent("inv", json!({"a": {"type": "string"}})).await;
    let mut notes = Notes::default();
    for outage in ["hangs", "is away"] {
        notes.succeed(&server, &format!("before it {outage}")).await;
        let file = server.files(&[("t.txt", &format!("A: {outage}"))]).await.remove(0);
        let run = server
            .post("/v1/agent/inv/workflow/delta?async=true", json!([[{"url": file["id"]}]]))
            .await
            .accepted();
        match outage {
            "hangs" => proxy.hold(),
            _ => proxy.refuse(),
        }
        notes.fail(&server, outage, 40).await;
        let told = not_ready(&server, "database").await;
        assert_eq!(told["errors"].as_array().unwrap().len(), 1, "{told}");
        server.request(Method::GET, "/health").within(PATIENCE).send().await.ok();
        notes.fail(&server, &format!("still {outage}"), 10).await;
        proxy.resume();
        ready_again(&server).await;
        notes.succeed(&server, &format!("after it {outage}")).await;
        notes.check(&server).await;
        assert_eq!(over(&server, &run["sid"]).await["successful"], 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_sqlite_database_refuses_changes_soon_and_reads_go_on() {
    let server = Server::with("limits.database_seconds = 2");
    server.agent("inv", json!({"a": {"type": "string"}})).await;
    let mut notes = Notes::default();
    notes.succeed(&server, "before").await;
    let file = server.home.path("data/formwork.db");
    let mut other = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
    other.batch_execute("PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE").unwrap();
    notes.fail(&server, "locked", 40).await;
    not_ready(&server, "database").await;
    notes.check(&server).await;
    other.batch_execute("ROLLBACK").unwrap();
    ready_again(&server).await;
    notes.succeed(&server, "after").await;
    notes.check(&server).await;
}
