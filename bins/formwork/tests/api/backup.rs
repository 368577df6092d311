//! Backups, restorations and checks by the command line.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

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
    let base = server.post("/v1/knowledgebase", json!({"name": "base"})).await.ok();
    let id = base["knowledgeId"].as_str().unwrap();
    let texts = json!({"texts": [{"title": "Boats", "content": "The ferry leaves the harbour at noon."}]});
    server.post(&format!("/v1/knowledgebase/{id}/files"), texts).await.ok();
    settle("a found text", async || found(&server).await == 1).await;
    server
}

/// The number of passages that are found.
async fn found(server: &Server) -> usize {
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

fn failure(home: &Home, arguments: &[&str]) -> String {
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
    assert!(told.contains("21 blobs") && told.contains("21 of them new"), "{told}");
    let seen = contents(&server).await;
    // What is stored later is in the next snapshot only.
    server.files(&[("late.txt", "late")]).await;
    let told = server.home.told(&["backup", folder]);
    assert!(told.contains("22 blobs") && told.contains(", 1 of them new"), "{told}");
    let later = contents(&server).await;
    assert!(server.home.told(&["check", "--backup", folder]).contains("is whole"));
    assert!(server.home.told(&["check"]).contains("22 blobs"));
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
    assert!(told.contains("3 blobs") && told.ends_with("Removed snapshots: 1."), "{told}");
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
    assert!(told.contains(&format!("{} blobs", FILES + 1)), "{told}");
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
fn damage(path: &Path) {
    let mut content = std::fs::read(path).unwrap();
    let start = content.len() * 3 / 4 / 4_096 * 4_096;
    content[start..].iter_mut().take(4_096).for_each(|byte| *byte = !*byte);
    std::fs::write(path, content).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_of_a_file_and_of_the_database_is_found() {
    let mut server = stocked(30).await;
    let blobs = server.stored("blobs");
    damage(Path::new(&blobs[0]));
    std::fs::remove_file(&blobs[1]).unwrap();
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("Problems: 2"), "{told}");
    assert!(told.contains("not what was stored") && told.contains("it is missing"), "{told}");
    // A backup has what can be read, and says what it lacks.
    let backup = server.home.path("backup");
    let told = failure(&server.home, &["backup", backup.to_str().unwrap()]);
    assert!(told.contains("2 of 31 blobs are missing or damaged"), "{told}");
    server.terminate();
    server.wait();
    damage(&server.home.path("data/formwork.db"));
    let told = failure(&server.home, &["check"]);
    assert!(told.contains("database"), "{told}");
    let report: Value = serde_json::from_slice(&server.home.run(&["doctor", "--json"]).stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let database = checks.iter().find(|check| check["name"] == "database").unwrap();
    assert_eq!(database["state"], "failed", "{database}");
    assert!(database["message"].as_str().unwrap().contains("is damaged"), "{database}");
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
    assert!(server.home.told(&["check"]).contains("2 blobs"));
    std::fs::remove_file(&server.stored("blobs")[0]).unwrap();
    assert!(failure(&server.home, &["check"]).contains("it is missing"));
    assert!(failure(&server.home, &["backup", "backup"]).contains("pg_dump"));
}
