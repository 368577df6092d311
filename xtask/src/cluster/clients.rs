//! Clients that use all servers while parts of the cluster fail, and compare every answer with what they know.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use testkit::vendor::delivery_note;
use tokio::task::JoinSet;

use super::answers::Tally;
use super::run::BatchRun;

/// Concurrent clients of each kind.
const WRITERS: usize = 4;
const SEARCHERS: usize = 2;
const READERS: usize = 2;
/// The longest time of one request, above that of any fault.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Pause between two looks at an item that is being indexed.
const PAUSE: Duration = Duration::from_millis(200);

/// Access to the cluster. Clones share counts and numbers.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    client: Client,
    url: String,
    pub(super) tally: Tally,
    next: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

/// What was acknowledged and must be there at the end.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Content by id of a note.
    pub(super) notes: HashMap<String, String>,
    /// Contents of notes that were deleted.
    pub(super) deleted: Vec<String>,
    /// Unique words of texts in the knowledge base, by id of the item.
    pub(super) texts: HashMap<String, String>,
    /// Contents of uploaded files by id.
    pub(super) files: HashMap<String, String>,
}

/// The clients at work.
#[derive(Debug)]
pub(super) struct Work {
    tasks: JoinSet<anyhow::Result<Written>>,
    stop: Arc<AtomicBool>,
}

impl Work {
    /// Lets each client end what it does, and returns what was acknowledged.
    pub(super) async fn finish(mut self) -> anyhow::Result<Written> {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Written::default();
        while let Some(written) = self.tasks.join_next().await {
            let written = written??;
            all.notes.extend(written.notes);
            all.deleted.extend(written.deleted);
            all.texts.extend(written.texts);
            all.files.extend(written.files);
        }
        Ok(all)
    }
}

impl Clients {
    /// Clients of the servers behind `url` with this key.
    pub(crate) fn new(url: &str, key: &str, tally: Tally) -> anyhow::Result<Self> {
        let mut headers = HeaderMap::new();
        headers.insert("x-service-key", HeaderValue::from_str(key)?);
        let client = providers_http::client_builder()?.default_headers(headers).timeout(TIMEOUT).build()?;
        Ok(Self { client, url: url.to_owned(), tally, next: Arc::default(), stop: Arc::default() })
    }

    /// A number that no other client has.
    fn number(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        Ok(self.tally.send(&[], || self.client.get(format!("{}{path}", self.url))).await?.1)
    }

    /// A request that has its effect once, however often it is sent.
    pub(super) async fn change(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let key = format!("cluster-{}", self.number());
        let request = || {
            let request = self.client.request(method.clone(), format!("{}{path}", self.url));
            request.header("idempotency-key", &key).json(body)
        };
        Ok(self.tally.send(&[], request).await?.1)
    }

    /// Uploads texts as files, once. Returns their ids.
    pub(super) async fn upload(&self, texts: &[String]) -> anyhow::Result<Vec<String>> {
        let key = format!("cluster-{}", self.number());
        let request = || {
            let form = texts.iter().fold(Form::new(), |form, text| {
                form.part("files", Part::text(text.clone()).file_name("note.txt"))
            });
            self.client.post(format!("{}/v1/files", self.url)).header("idempotency-key", &key).multipart(form)
        };
        let files = self.tally.send(&[], request).await?.1;
        Ok(files.as_array().into_iter().flatten().map(|file| file["id"].to_string()).collect())
    }

    /// The content of a file.
    pub(super) async fn content(&self, file: &str) -> anyhow::Result<String> {
        let record = self.get(&format!("/v1/files/{file}")).await?;
        let url = record["url"].as_str().unwrap_or_default().to_owned();
        Ok(self.tally.send_for_text(&[], || self.client.get(&url)).await?.1)
    }

    /// Starts all clients.
    pub(super) fn start_all(&self, batch: &BatchRun) -> Work {
        let mut tasks = JoinSet::new();
        for _ in 0..WRITERS {
            let own = self.clone();
            tasks.spawn(async move { own.write_notes().await });
        }
        for _ in 0..SEARCHERS {
            let (own, base) = (self.clone(), batch.base.clone());
            tasks.spawn(async move { own.add_and_search(&base).await });
        }
        for _ in 0..READERS {
            let own = self.clone();
            tasks.spawn(async move { own.upload_and_ask().await });
        }
        let (own, batch) = (self.clone(), batch.clone());
        tasks.spawn(async move { own.watch(&batch).await });
        Work { tasks, stop: Arc::clone(&self.stop) }
    }

    /// Creates notes, reads each back at once, changes some and deletes some.
    async fn write_notes(&self) -> anyhow::Result<Written> {
        let mut written = Written::default();
        while !self.is_stopped() {
            let number = self.number();
            let mut content = format!("note {number}");
            let body = |content: &str| json!({"content": content, "role": "user", "resource": "agent", "resource_id": "notes"});
            let made = self.change(Method::POST, "/v1/notes", &body(&content)).await?;
            let id = made["noteId"].as_str().unwrap_or_default().to_owned();
            let path = format!("/v1/notes/{id}");
            if number % 3 == 0 {
                content = format!("changed note {number}");
                self.change(Method::PUT, &path, &json!({"content": content, "role": "user"})).await?;
            }
            let read = self.get(&path).await?;
            self.tally
                .expect(read["content"] == content.as_str(), || format!("{content} was read as {read}"));
            if number % 5 == 0 {
                self.change(Method::DELETE, "/v1/notes/agent/notes", &json!({"values": [id]})).await?;
                let (status, answer) =
                    self.tally.send(&[404], || self.client.get(format!("{}{path}", self.url))).await?;
                self.tally.expect(status == 404, || format!("{content} was deleted and read as {answer}"));
                written.deleted.push(content);
            } else {
                written.notes.insert(id, content);
            }
        }
        Ok(written)
    }

    /// Adds texts to the knowledge base, and searches each as soon as it is ready.
    async fn add_and_search(&self, base: &str) -> anyhow::Result<Written> {
        let mut written = Written::default();
        while !self.is_stopped() {
            let word = format!("harbour{}", self.number());
            let text =
                json!({"texts": [{"title": word, "content": format!("The signal of the night is {word}.")}]});
            let added = self.change(Method::POST, &format!("/v1/knowledgebase/{base}/files"), &text).await?;
            let id = added["files"][0]["id"].as_str().unwrap_or_default().to_owned();
            loop {
                let item = self.get(&format!("/v1/knowledgebase/files/{id}")).await?;
                match item["status"].as_str() {
                    Some("ready") => break,
                    Some("failed") | None => {
                        self.tally.wrong(format!("the text {word} failed: {item}"));
                        break;
                    }
                    Some(_) => tokio::time::sleep(PAUSE).await,
                }
            }
            self.search(base, &word).await?;
            written.texts.insert(id, word);
        }
        Ok(written)
    }

    /// Expects the text with this word.
    pub(super) async fn search(&self, base: &str, word: &str) -> anyhow::Result<()> {
        let body = json!({"query": word, "mode": "lexical"});
        let path = format!("{}/v1/knowledgebase/{base}/search", self.url);
        let found = self.tally.send(&[], || self.client.post(&path).json(&body)).await?.1;
        let is_found = found["results"][0]["text"].as_str().is_some_and(|text| text.contains(word));
        self.tally.expect(is_found, || format!("the search for {word} found {found}"));
        Ok(())
    }

    /// Uploads delivery notes and asks the vendor's model about each.
    async fn upload_and_ask(&self) -> anyhow::Result<Written> {
        let mut written = Written::default();
        while !self.is_stopped() {
            // Numbers beyond those of the batch's groups.
            let group = 500_000 + self.number();
            let text = delivery_note::text(group);
            let ids = self.upload(std::slice::from_ref(&text)).await?;
            let Some(id) = ids.first() else { continue };
            let ask = json!({
                "modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [id.parse::<u64>()?],
            });
            let answer = self.change(Method::POST, "/v2/generate", &ask).await?;
            let told = answer["text"].as_str().unwrap_or_default();
            let total = delivery_note::record(group)["total"].to_string();
            let whole = total.split('.').next().unwrap_or_default();
            self.tally.expect(told.contains(whole), || format!("the total of {group} is {total}: {answer}"));
            written.files.insert(id.clone(), text);
        }
        Ok(written)
    }

    /// Looks at the batch, whose counts never fall.
    async fn watch(&self, batch: &BatchRun) -> anyhow::Result<Written> {
        let mut most = 0;
        while !self.is_stopped() {
            let run = batch.look(self).await?;
            let ended = run["successful"].as_u64().unwrap_or_default();
            self.tally.expect(ended >= most, || format!("{ended} groups were successful after {most}"));
            self.tally.expect(run["failed"] == 0, || format!("groups failed: {run}"));
            most = most.max(ended);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(Written::default())
    }
}
