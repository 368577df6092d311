//! The real binary, started in a folder of its own and killed when it is dropped.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use testkit::TcpProxy;

use super::postgres::Postgres;
use super::{Answer, Call, Parts};

/// The program in `folder`, without the settings of whoever runs the tests.
pub(crate) fn formwork(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
    command.current_dir(folder).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    // What tests see must not depend on what is installed.
    command.env("FORMWORK_OCR__PROGRAM", "off").env("FORMWORK_BROWSER__PROGRAM", "off");
    command
}

/// The folder that a server works in: `formwork.toml`, `log`, and the data under `data`.
#[derive(Clone)]
pub(crate) struct Home(Arc<Folder>);

struct Folder {
    files: tempfile::TempDir,
    /// The database, where it is not among the files.
    _database: Option<Postgres>,
}

impl Home {
    /// An empty folder with these settings on top of a free port and the folder `data`.
    pub(crate) fn new(settings: &str) -> Self {
        Self::with_database(settings, None)
    }

    /// The same with a database of its own on PostgreSQL; `None`, after saying so, where there is none.
    pub(crate) fn on_postgres() -> Option<Self> {
        Self::on_postgres_with("")
    }

    /// The same with these settings.
    pub(crate) fn on_postgres_with(settings: &str) -> Option<Self> {
        let database = Postgres::fresh()?;
        let settings = format!("database_url = \"{}\"\n{settings}", database.url);
        Some(Self::with_database(&settings, Some(database)))
    }

    /// The same with these settings and a database on a server with pgvector.
    pub(crate) fn on_pgvector_with(settings: &str) -> Option<Self> {
        let database = Postgres::with_pgvector()?;
        let settings = format!("database_url = \"{}\"\n{settings}", database.url);
        Some(Self::with_database(&settings, Some(database)))
    }

    /// The same with a proxy between the server and its database.
    pub(crate) fn behind_proxy() -> Option<(Self, TcpProxy)> {
        let database = Postgres::fresh()?;
        let place = database.url.rsplit_once('@').map_or("", |(_, after)| after);
        let target = place.split_once('/').map_or("", |(host, _)| host);
        let proxy = TcpProxy::start(target).unwrap();
        let url = database.url.replace(target, &proxy.address.to_string());
        let settings = format!("database_url = \"{url}\"\nlimits.database_seconds = 2");
        Some((Self::with_database(&settings, Some(database)), proxy))
    }

    /// The folder of another server on the same database and the same contents of files. It does not outlive this
    /// one.
    pub(crate) fn beside(&self) -> Self {
        let beside = Self::with_database("", None);
        let settings = std::fs::read_to_string(self.path("formwork.toml")).unwrap();
        let settings = format!("blobs = \"{}\"\n{settings}", self.path("data/blobs").display());
        std::fs::write(beside.path("formwork.toml"), settings).unwrap();
        std::fs::create_dir(beside.path("data")).unwrap();
        std::fs::copy(self.path("data/first-key"), beside.path("data/first-key")).unwrap();
        beside
    }

    fn with_database(settings: &str, database: Option<Postgres>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("listen = \"127.0.0.1:0\"\ndata_dir = \"data\"\n{settings}\n");
        std::fs::write(folder.path().join("formwork.toml"), text).unwrap();
        Self(Arc::new(Folder { files: folder, _database: database }))
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.files.path().join(below)
    }

    /// Runs a sub-command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        formwork(self.0.files.path()).args(arguments).output().unwrap()
    }

    /// What a sub-command that must succeed prints.
    pub(crate) fn told(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Starts a server here.
    pub(crate) fn start(&self) -> Server {
        self.start_with(formwork(self.0.files.path()))
    }

    /// Starts a server by a command of the caller's.
    pub(crate) fn start_with(&self, mut command: Command) -> Server {
        // Many servers share the disk of the machine that runs the tests, so a commit may wait for seconds.
        let settings = std::fs::read_to_string(self.path("formwork.toml")).unwrap();
        if !settings.contains("database_seconds") {
            command.env("FORMWORK_LIMITS__DATABASE_SECONDS", "60");
        }
        let log = std::fs::OpenOptions::new().append(true).create(true).open(self.path("log")).unwrap();
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let Some(Ok(first)) = lines.next() else {
            panic!("no server: {}", std::fs::read_to_string(self.path("log")).unwrap());
        };
        let url = first.strip_prefix("formwork is listening on ").expect("the address").to_owned();
        let key_line = std::thread::spawn(move || lines.next()?.ok());
        // Answers are looked at as they were sent.
        let client = providers_http::client_builder().unwrap().no_gzip().build().unwrap();
        let key = std::fs::read_to_string(self.path("data/first-key")).unwrap_or_default().trim().to_owned();
        Server { process, url, key, client, home: self.clone(), key_line: Some(key_line) }
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) process: Child,
    /// `http://127.0.0.1:…`
    pub(crate) url: String,
    /// The first key, which may write.
    pub(crate) key: String,
    pub(crate) client: Client,
    pub(crate) home: Home,
    key_line: Option<std::thread::JoinHandle<Option<String>>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
        let log = std::fs::read_to_string(self.home.path("log")).unwrap_or_default();
        if std::thread::panicking() {
            eprintln!("the server's log:\n{log}");
        } else {
            assert!(!log.contains("panicked"), "{log}");
        }
    }
}

impl Server {
    /// A fresh server with default settings.
    pub(crate) fn start() -> Self {
        Self::with("")
    }

    /// A fresh server with these settings.
    pub(crate) fn with(settings: &str) -> Self {
        Home::new(settings).start()
    }

    /// The line after the address, which ends when the server does.
    pub(crate) fn second_line(&mut self) -> Option<String> {
        self.key_line.take()?.join().unwrap()
    }

    /// Asks it to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        let pid = Pid::from_raw(i32::try_from(self.process.id()).unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }

    /// Kills it without warning, waits for its end, and gives its folder for the next start.
    pub(crate) fn kill(&mut self) -> Home {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.home.clone()
    }

    /// `host:port`
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    /// A key of another workspace.
    pub(crate) fn stranger(&self) -> String {
        let home = &self.home;
        home.told(&[
            "users",
            "create",
            "--name",
            "Eve",
            "--email",
            "eve@example.com",
            "--new-workspace",
            "Other",
        ]);
        home.told(&["keys", "create", "--email", "eve@example.com", "--scope", "admin"])
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> Call {
        Call::new(self, method, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.request(Method::DELETE, path).send().await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path).json(&body).send().await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.request(Method::PUT, path).json(&body).send().await
    }

    /// Uploads; the answer is still to be judged.
    pub(crate) async fn upload(&self, parts: Parts) -> Answer {
        self.request(Method::POST, "/v1/files").multipart(parts).send().await
    }

    /// Uploads texts under names, and gives their records.
    pub(crate) async fn files(&self, files: &[(&str, &str)]) -> Vec<Value> {
        let parts = files.iter().fold(Parts::new(), |parts, (name, text)| parts.file(name, text.as_bytes()));
        self.upload(parts).await.ok().as_array().unwrap().clone()
    }

    /// Makes a form and gives its id.
    pub(crate) async fn form(&self, schema: Value) -> String {
        let form = self.post("/v1/form", json!({"title": "Form", "schema": schema})).await.ok();
        form["form_id"].as_str().unwrap().to_owned()
    }

    /// Makes an agent with a form of this schema, and gives the form's id.
    pub(crate) async fn agent(&self, namespace: &str, schema: Value) -> String {
        let form_id = self.form(schema).await;
        self.post("/v1/agent", json!({"namespace": namespace, "form_id": form_id})).await.ok();
        form_id
    }

    /// Runs an agent over groups of references to documents.
    pub(crate) async fn delta(&self, namespace: &str, query: &str, groups: &[&[&Value]]) -> Value {
        let document = |url: &&Value| json!({"description": "", "url": url});
        let groups: Vec<Vec<Value>> =
            groups.iter().map(|group| group.iter().map(document).collect()).collect();
        self.post(&format!("/v1/agent/{namespace}/workflow/delta{query}"), json!(groups)).await.ok()
    }

    /// The names of all files below a folder of the data, sorted.
    pub(crate) fn stored(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        below(&self.home.path("data").join(folder), &mut found);
        found.sort();
        found
    }
}

fn below(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            below(&entry.path(), found);
        } else {
            found.push(entry.path().display().to_string());
        }
    }
}

/// Asks again until `holds`, for what another process brings about in its own time; gives up after a
/// bound that only a defect reaches.
pub(crate) async fn settle(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..5_000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{what} did not come about");
}
