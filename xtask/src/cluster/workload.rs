//! Workloads of the clients while parts of the cluster fail: each compares every answer with what it knows.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use testkit::vendor::delivery_note;
use tokio::task::JoinSet;

use super::clients::Clients;
use super::run::BatchRun;

/// Concurrent clients of each kind.
const WRITERS: usize = 4;
const SEARCHERS: usize = 2;
const READERS: usize = 2;
/// Pause between two looks at an item that is being indexed.
const PAUSE: Duration = Duration::from_millis(200);

/// Changes that were acknowledged, which must be there at the end.
#[derive(Debug, Default)]
pub(super) struct Receipts {
    /// Content by id of a note.
    pub(super) notes: HashMap<String, String>,
    /// Contents of notes that were deleted.
    pub(super) deleted: Vec<String>,
    /// Unique words of texts in the knowledge base, by id of the item.
    pub(super) texts: HashMap<String, String>,
    /// Contents of uploaded files by id.
    pub(super) files: HashMap<String, String>,
}

/// All workloads as tasks.
#[derive(Debug)]
pub(super) struct Tasks {
    set: JoinSet<anyhow::Result<Receipts>>,
    stop: Arc<AtomicBool>,
}

impl Tasks {
    /// Lets each client end what it does, and returns what was acknowledged.
    pub(super) async fn finish(mut self) -> anyhow::Result<Receipts> {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Receipts::default();
        while let Some(receipts) = self.set.join_next().await {
            let receipts = receipts??;
            all.notes.extend(receipts.notes);
            all.deleted.extend(receipts.deleted);
            all.texts.extend(receipts.texts);
            all.files.extend(receipts.files);
        }
        Ok(all)
    }
}

/// What one client repeats until it is told to stop.
#[derive(Clone, Debug)]
struct Workload {
    clients: Clients,
    stop: Arc<AtomicBool>,
}

/// Starts all clients.
pub(super) fn start_all(clients: &Clients, batch: &BatchRun) -> Tasks {
    let workload = Workload { clients: clients.clone(), stop: Arc::default() };
    let mut set = JoinSet::new();
    for _ in 0..WRITERS {
        let own = workload.clone();
        set.spawn(async move { own.write_notes().await });
    }
    for _ in 0..SEARCHERS {
        let (own, base) = (workload.clone(), batch.base.clone());
        set.spawn(async move { own.add_and_search(&base).await });
    }
    for _ in 0..READERS {
        let own = workload.clone();
        set.spawn(async move { own.upload_and_ask().await });
    }
    let (own, batch) = (workload.clone(), batch.clone());
    set.spawn(async move { own.watch(&batch).await });
    Tasks { set, stop: workload.stop }
}

impl Workload {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Creates notes, reads each back at once, changes some and deletes some.
    async fn write_notes(&self) -> anyhow::Result<Receipts> {
        let mut receipts = Receipts::default();
        while !self.is_stopped() {
            let number = self.clients.number();
            let mut content = format!("note {number}");
            let body = |content: &str| json!({"content": content, "role": "user", "resource": "agent", "resource_id": "notes"});
            let made = self.clients.change(Method::POST, "/v1/notes", &body(&content)).await?;
            let id = made["noteId"].as_str().unwrap_or_default().to_owned();
            let path = format!("/v1/notes/{id}");
            if number.is_multiple_of(3) {
                content = format!("changed note {number}");
                self.clients.change(Method::PUT, &path, &json!({"content": content, "role": "user"})).await?;
            }
            let read = self.clients.get(&path).await?;
            self.clients
                .tally
                .expect(read["content"] == content.as_str(), || format!("{content} was read as {read}"));
            if number.is_multiple_of(5) {
                self.clients
                    .change(Method::DELETE, "/v1/notes/agent/notes", &json!({"values": [id]}))
                    .await?;
                let (status, answer) = self
                    .clients
                    .tally
                    .send(&[404], || self.clients.client.get(format!("{}{path}", self.clients.url)))
                    .await?;
                self.clients
                    .tally
                    .expect(status == 404, || format!("{content} was deleted and read as {answer}"));
                receipts.deleted.push(content);
            } else {
                receipts.notes.insert(id, content);
            }
        }
        Ok(receipts)
    }

    /// Adds texts to the knowledge base, and searches each as soon as it is ready.
    async fn add_and_search(&self, base: &str) -> anyhow::Result<Receipts> {
        let mut receipts = Receipts::default();
        while !self.is_stopped() {
            let word = format!("harbour{}", self.clients.number());
            let text =
                json!({"texts": [{"title": word, "content": format!("The signal of the night is {word}.")}]});
            let added =
                self.clients.change(Method::POST, &format!("/v1/knowledgebase/{base}/files"), &text).await?;
            let id = added["files"][0]["id"].as_str().unwrap_or_default().to_owned();
            loop {
                let item = self.clients.get(&format!("/v1/knowledgebase/files/{id}")).await?;
                match item["status"].as_str() {
                    Some("ready") => break,
                    Some("failed") | None => {
                        self.clients.tally.wrong(format!("the text {word} failed: {item}"));
                        break;
                    }
                    Some(_) => tokio::time::sleep(PAUSE).await,
                }
            }
            self.clients.search(base, &word).await?;
            receipts.texts.insert(id, word);
        }
        Ok(receipts)
    }

    /// Uploads delivery notes and asks the vendor's model about each.
    async fn upload_and_ask(&self) -> anyhow::Result<Receipts> {
        let mut receipts = Receipts::default();
        while !self.is_stopped() {
            // Numbers beyond those of the batch's groups.
            let group = 500_000 + self.clients.number();
            let text = delivery_note::text(group);
            let ids = self.clients.upload(std::slice::from_ref(&text)).await?;
            let Some(id) = ids.first() else { continue };
            let ask = json!({
                "modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [id.parse::<u64>()?],
            });
            let answer = self.clients.change(Method::POST, "/v2/generate", &ask).await?;
            let told = answer["text"].as_str().unwrap_or_default();
            let total = delivery_note::record(group)["total"].to_string();
            let whole = total.split('.').next().unwrap_or_default();
            self.clients
                .tally
                .expect(told.contains(whole), || format!("the total of {group} is {total}: {answer}"));
            receipts.files.insert(id.clone(), text);
        }
        Ok(receipts)
    }

    /// Looks at the batch, whose counts never fall.
    async fn watch(&self, batch: &BatchRun) -> anyhow::Result<Receipts> {
        let mut most = 0;
        while !self.is_stopped() {
            let run = batch.look(&self.clients).await?;
            let ended = run["successful"].as_u64().unwrap_or_default();
            self.clients
                .tally
                .expect(ended >= most, || format!("{ended} groups were successful after {most}"));
            self.clients.tally.expect(run["failed"] == 0, || format!("groups failed: {run}"));
            most = most.max(ended);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(Receipts::default())
    }
}
