//! A full disk, made of a small file system that only the server sees.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::kit::{Home, Parts, Server, formwork};

/// Megabytes of the small disk.
const SIZE: usize = 24;

/// Starts a server whose data folder is on a small disk of its own; the folder as seen from here.
/// `None`, after saying so, where such a disk cannot be made.
fn on_a_small_disk(home: &Home) -> Option<(Server, PathBuf)> {
    std::fs::create_dir(home.path("data")).unwrap();
    let mut command = formwork(&home.path(""));
    let program = command.get_program().to_owned();
    let script = format!("mount -t tmpfs -o size={SIZE}m none data && cd . && exec \"$0\"");
    let isolated = ["--user", "--map-root-user", "--mount"];
    let tried =
        Command::new("unshare").args(isolated).args(["mount", "-t", "tmpfs", "none", "/mnt"]).output();
    if !tried.is_ok_and(|output| output.status.success()) {
        eprintln!("a small file system cannot be mounted here: the full disk is SKIPPED");
        return None;
    }
    command = Command::new("unshare");
    command
        .args(isolated)
        .args(["sh", "-c", &script])
        .arg(program)
        .current_dir(home.path(""))
        .env_remove("FORMWORK_CORPUS");
    let mut server = home.start_with(command);
    let root = PathBuf::from(format!("/proc/{}/root", server.process.id()));
    let data = root.join(home.path("data").strip_prefix("/").unwrap());
    server.key = std::fs::read_to_string(data.join("first-key")).unwrap().trim().to_owned();
    Some((server, data))
}

/// Fills the disk to its last byte.
fn fill(data: &Path) -> PathBuf {
    use std::io::Write as _;
    let path = data.join("ballast");
    let mut ballast = std::fs::File::create(&path).unwrap();
    for size in [1 << 20, 4_096, 1] {
        while ballast.write_all(&vec![0; size]).is_ok() {}
    }
    path
}

fn blobs(data: &Path) -> usize {
    let folders = std::fs::read_dir(data.join("blobs")).unwrap().flatten();
    folders.map(|folder| std::fs::read_dir(folder.path()).map_or(1, Iterator::count)).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_nothing_is_half_written_and_work_goes_on_with_room() {
    let home = Home::new("");
    let Some((server, data)) = on_a_small_disk(&home) else { return };
    let schema = json!({"a": {"type": "string"}});
    let id = server.agent("inv", schema.clone()).await;
    let file = server.files(&[("kept.txt", "A: kept")]).await.remove(0);
    let large = vec![b'x'; 3 << 20];

    let ballast = fill(&data);
    server
        .upload(Parts::new().file("a.txt", b"small").file("b.bin", &large))
        .await
        .fails(503, "storage_full");
    server.upload(Parts::new().file("b.bin", &large)).await.fails(503, "storage_full");
    server.upload(Parts::new().file("c.txt", b"tiny")).await.fails(503, "storage_full");
    // The database may have some room of its own left; then it fills up too.
    let mut made = 0;
    let refused = loop {
        let body = json!({"title": "x".repeat(900), "schema": {"a": {"type": "string", "description": "d".repeat(9_000)}}});
        let answer = server.post("/v1/form", body).await;
        if answer.status != 200 {
            break answer;
        }
        made += 1;
        assert!(made < 10_000, "the disk never became full");
    };
    refused.fails(503, "storage_full");
    assert_eq!(refused.header("retry-after"), "");
    server.put(&format!("/v1/form/{id}"), json!({"title": "y".repeat(900), "schema": {"a": {"type": "string", "description": "d".repeat(9_000)}}})).await.fails(503, "storage_full");
    server
        .post("/v1/agent/inv/workflow/delta", json!([[{"url": file["id"]}]]))
        .await
        .fails(503, "storage_full");

    let told = server.get("/ready").await.fails_at(503, "not_ready", "disk");
    let places: Vec<&serde_json::Value> =
        told["errors"].as_array().unwrap().iter().map(|e| &e["path"]).collect();
    assert_eq!(places, ["blobs", "searchIndex", "disk"], "{told}");

    // What can be read is read.
    assert_eq!(server.get(&format!("/v1/form/{id}")).await.ok()["title"], "Form");
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], made + 1);
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 1);
    assert_eq!(blobs(&data), 1);
    server.request(reqwest::Method::GET, "/health").send().await.ok();

    std::fs::remove_file(ballast).unwrap();
    assert_eq!(server.get("/ready").await.ok()["checks"]["disk"], "ok");
    server.post("/v1/form", json!({"title": "after", "schema": schema})).await.ok();
    let stored = server.upload(Parts::new().file("b.bin", &large).file("c.txt", b"A: tiny")).await.ok();
    let answer = server.delta("inv", "", &[&[&file["id"]], &[&stored[1]["id"]]]).await;
    assert_eq!(answer["meta"]["successful"], 2, "{answer}");
    assert_eq!(blobs(&data), 3);
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], made + 2);
}
