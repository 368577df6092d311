//! Backups, restorations and checks by the command line.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, RunQueryDsl as _, SqliteConnection};
use serde_json::{Value, json};

use crate::kit::{Home, Server, formwork, settle};

/// A server with a form, files and a searchable knowledge base.
async fn stocked(files: usize) -> Server {
    let server = Server::start();
    server.form(json!({"a": {"type": "string"}})).await;
    let texts: Vec<String> = (0..files).map(|n| format!("content {n}")).collect();
    for texts in texts.chunks(100) {
        let named: Vec<(&str, &str)> = texts.iter().map(|text| ("a.txt", text.as_str())).collect();
        server.files(&named).await;
    }
    searchable_base(&server).await;
    server
}

/// Makes a knowledge base with one text, and waits until that is found.
pub(crate) async fn searchable_base(server: &Server) {
    let base = server.post("/v1/knowledgebase", json!({"name": "base"})).await.ok();
    let id = base["knowledgeId"].as_str().unwrap();
    let texts = json!({"texts": [{"title": "Boats", "content": "The ferry leaves the harbour at noon."}]});
    server.post(&format!("/v1/knowledgebase/{id}/files"), texts).await.ok();
    settle("a found text", async || found(server).await == 1).await;
}

/// The number of passages that are found.
pub(crate) async fn found(server: &Server) -> usize {
    let bases = server.get("/v1/knowledgebases").await.ok();
    let id = bases["knowledgebases"][0]["knowledgeId"].as_str().unwrap().to_owned();
    let answer =
        server.post(&format!("/v1/knowledgebase/{id}/search"), json!({"query": "ferry harbour"})).await;
    answer.ok()["results"].as_array().unwrap().len()
}

/// Everything that a reader of the interface sees of it.
async fn contents(server: &Server) -> Vec<Value> {
    let forms = server.get("/v1/form").await.ok();
    let files = server.get("/v1/files?limit=100").await.ok();
    let mut seen = vec![forms];
    for file in files["files"].as_array().unwrap() {
        let path = file["url"].as_str().unwrap().split_once("/files/").unwrap().1;
        seen.push(json!([file["id"], file["name"], server.get(&format!("/files/{path}")).await.text()]));
    }
    seen
}

/// A home whose data are a restored backup.
fn restored(backup: &Path) -> Home {
    let home = Home::new("");
    let told = home.told(&["restore", backup.to_str().unwrap()]);
    assert!(told.contains("was restored"), "{told}");
    home
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(files_below(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

/// What a sub-command that must fail says.
pub(crate) fn failure(home: &Home, arguments: &[&str]) -> String {
    let output = home.run(arguments);
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_working_server_restores_everything() {
    let mut server = stocked(20).await;
    let backup = server.home.path("backup");
    let folder = backup.to_str().unwrap();
    let told = server.home.told(&["backup", folder]);
    assert!(told.contains("Blobs: 21 (") && told.contains("new: 21."), "{told}");
    let seen = contents(&server).await;
    // What is stored later is in the next snapshot only.
    server.files(&[("late.txt", "late")]).await;
    let told = server.home.told(&["backup", folder]);
    assert!(told.contains("Blobs: 22 (") && told.contains("new: 1."), "{told}");
    let later = contents(&server).await;
    assert!(server.home.told(&["check", "--backup", folder]).contains("is whole"));
    assert!(server.home.told(&["check"]).contains("blobs: 22 ("));
    let key = server.key.clone();
    server.kill();

    let home = restored(&backup);
    let mut server = home.start();
    assert_eq!(server.key, key, "the first key is in the backup");
    assert_eq!(contents(&server).await, later);
    settle("a rebuilt index", async || found(&server).await == 1).await;
    server.kill();

    let names = snapshots(&backup);
    let home = Home::new("");
    home.told(&["restore", folder, "--snapshot", &names[0]]);
    assert_eq!(contents(&home.start()).await, seen);
}

fn snapshots(backup: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(backup.join("snapshots")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn old_snapshots_go_with_the_content_that_only_they_have() {
    let server = stocked(3).await;
    let backup = server.home.path("backup");
    let folder = backup.to_str().unwrap();
    server.home.told(&["backup", folder]);
    let file = server.get("/v1/files").await.ok()["files"][0]["id"].clone();
    server.delete(&format!("/v1/files/{file}")).await.ok();
    let told = server.home.told(&["backup", folder, "--keep", "1"]);
    assert!(told.contains("Blobs: 3 (") && told.ends_with("Removed snapshots: 1."), "{told}");
    assert_eq!((snapshots(&backup).len(), files_below(&backup.join("content")).len()), (1, 3));
    assert!(server.home.told(&["check", "--backup", folder]).contains("is whole"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_and_a_restoration_that_are_killed_are_done_again() {
    const FILES: usize = 300;
    let mut server = stocked(FILES).await;
    let backup = server.home.path("backup");
    let folder = backup.to_str().unwrap();
    for wanted in [1, FILES / 3] {
        let mut command = formwork(&server.home.path(""));
        let mut process = command.args(["backup", folder]).spawn().unwrap();
        settle("some content", async || files_below(&backup.join("content")).len() >= wanted).await;
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let told = server.home.told(&["backup", folder]);
    assert!(told.contains(&format!("Blobs: {} (", FILES + 1)), "{told}");
    assert_eq!(files_below(&backup.join("content")).len(), FILES + 1, "nothing unfinished is left");
    let seen = contents(&server).await;
    server.kill();

    let home = Home::new("");
    let mut process = formwork(&home.path("")).args(["restore", folder]).spawn().unwrap();
    settle("some blobs", async || files_below(&home.path("data/blobs")).len() >= FILES / 3).await;
    process.kill().unwrap();
    process.wait().unwrap();
    if !home.path("data/formwork.db").exists() {
        home.told(&["restore", folder]);
    }
    assert_eq!(contents(&home.start()).await, seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restoration_never_overwrites_and_never_takes_damaged_copies() {
    let server = stocked(2).await;
    let backup = server.home.path("backup");
    let folder = backup.to_str().unwrap();
    server.home.told(&["backup", folder]);
    let told = failure(&server.home, &["restore", folder]);
    assert!(told.contains("there is a database already"), "{told}");
    let told = failure(&Home::new(""), &["restore", folder, "--snapshot", "none"]);
    assert!(told.contains("has no complete snapshot 'none'"), "{told}");

    let content = files_below(&backup.join("content")).remove(0);
    std::fs::write(&content, "content X").unwrap();
    assert!(failure(&server.home, &["check", "--backup", folder]).contains("not what was stored"));
    let home = Home::new("");
    assert!(failure(&home, &["restore", folder]).contains("missing or damaged"));
    assert!(!home.path("data/formwork.db").exists(), "half a restoration does not start");
}

/// Inverts a page in the last quarter of a file, where a database has data and not its schema.
/// Changes 4 KiB of a file from a byte on.
fn damage(path: &Path, start: usize) {
    let mut content = std::fs::read(path).unwrap();
    content[start..].iter_mut().take(4_096).for_each(|byte| *byte = !*byte);
    std::fs::write(path, content).unwrap();
}

/// Changes the first page of the table of files.
fn damage_files(database: &Path) {
    let mut connection = SqliteConnection::establish(database.to_str().unwrap()).unwrap();
    let root = sql::<BigInt>("SELECT rootpage FROM sqlite_master WHERE name = 'files'");
    let root: i64 = root.get_result(&mut connection).unwrap();
    drop(connection);
    damage(database, (root as usize - 1) * 4_096);
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_of_a_file_and_of_the_database_is_found() {
    let mut server = stocked(30).await;
    let blobs = server.stored("blobs");
    damage(Path::new(&blobs[0]), 0);
    std::fs::remove_file(&blobs[1]).unwrap();
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("Problems: 2"), "{told}");
    assert!(told.contains("not what was stored") && told.contains("it is missing"), "{told}");
    // A backup has what can be read, and says what it lacks.
    let backup = server.home.path("backup");
    let told = failure(&server.home, &["backup", backup.to_str().unwrap()]);
    assert!(told.contains("blobs are missing or damaged in the store: 2 of 31"), "{told}");
    server.terminate();
    server.wait();
    damage_files(&server.home.path("data/formwork.db"));
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("database"), "{told}");
    let report: Value = serde_json::from_slice(&server.home.run(&["doctor", "--json"]).stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let database = checks.iter().find(|check| check["name"] == "database").unwrap();
    assert_eq!(database["state"], "failed", "{database}");
    assert!(database["message"].as_str().unwrap().contains("is damaged"), "{database}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_that_a_request_meets_is_told_and_ends_all_changes() {
    let mut server = stocked(1).await;
    // More than the caches of the server hold.
    for number in 0..500 {
        let schema = json!({"a": {"type": "string", "description": "d".repeat(9_000)}});
        server.post("/v1/form", json!({"title": format!("form {number}"), "schema": schema})).await.ok();
    }
    server.terminate();
    server.wait();
    let path = server.home.path("data/formwork.db");
    let mut content = std::fs::read(&path).unwrap();
    let (third, half) = (content.len() / 3 / 4_096 * 4_096, content.len() / 2);
    content[third..half].fill(0xff);
    std::fs::write(&path, content).unwrap();
    let server = server.home.start();
    let mut page = 1;
    let refused = loop {
        let answer = server.get(&format!("/v1/form?limit=100&page={page}")).await;
        if answer.status != 200 {
            break answer;
        }
        page += 1;
        assert!(page < 9, "the damage was not met");
    };
    refused.fails(503, "store_damaged");
    let form = json!({"title": "late", "schema": {"a": {"type": "string"}}});
    server.post("/v1/form", form).await.fails(503, "store_damaged");
    let ready = server.get("/ready").await;
    assert!(
        ready.fails_at(503, "not_ready", "database").to_string().contains("is damaged; restore a backup")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_lacks_something_is_found() {
    let mut server = stocked(1).await;
    let told = server.home.told(&["check"]);
    assert!(told.contains("The search index has all chunks: 1. Changes left to add: 0."), "{told}");
    server.terminate();
    server.wait();
    let path = server.home.path("data/formwork.db");
    let mut database = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    database.batch_execute("UPDATE kb_items SET stored = 3").unwrap();
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("item 1 has 1 chunks instead of 3; run `formwork reindex`"), "{told}");
    database.batch_execute("UPDATE kb_items SET stored = 1, sequence = 0").unwrap();
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("is not in the database; run `formwork reindex`"), "{told}");
    database.batch_execute("UPDATE kb_items SET sequence = 1").unwrap();
    let files = files_below(&server.home.path("data/index"));
    let words = files.iter().find(|path| path.extension().is_some_and(|kind| kind == "term")).unwrap();
    let mut content = std::fs::read(words).unwrap();
    content[0] = !content[0];
    std::fs::write(words, content).unwrap();
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("search index: it is damaged"), "{told}");
    let report: Value = serde_json::from_slice(&server.home.run(&["doctor", "--json"]).stdout).unwrap();
    let index = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "search index");
    let index = index.unwrap();
    assert_eq!(index["state"], "warning", "{index}");
    assert!(index["message"].as_str().unwrap().contains("run `formwork reindex`"), "{index}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_reads_what_is_stored() {
    let server = stocked(2).await;
    let backup = server.home.path("backup");
    server.home.told(&["backup", backup.to_str().unwrap()]);
    for folder in [server.home.path("data"), backup] {
        for path in files_below(&folder) {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", path.display());
            let above = path.parent().unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(above & 0o077, 0, "{}", path.parent().unwrap().display());
        }
    }
}

/// The check on a database of any kind; only the embedded one is copied.
pub(crate) async fn checked(server: &Server) {
    server.files(&[("a.txt", "one"), ("b.txt", "two")]).await;
    assert!(server.home.told(&["check"]).contains("blobs: 2 ("));
    std::fs::remove_file(&server.stored("blobs")[0]).unwrap();
    assert!(failure(&server.home, &["check"]).contains("it is missing"));
    assert!(failure(&server.home, &["backup", "backup"]).contains("pg_dump"));
}
