//! Errors of the disk at each write of the server, made by a library that is loaded before the system's.

use std::io::Write as _;
use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use crate::changes::{REQUESTS, content, prepare};
use crate::kit::{Answer, Home, Parts, Server, formwork, preload, settle};

/// Numbers of Linux: input/output error, no space left, read-only file system.
const ERRORS: [i32; 3] = [5, 28, 30];
/// More writes than any of the requests makes.
const MOST_WRITES: i32 = 60;

/// A server whose writes fail on demand.
struct FaultyDisk {
    server: Server,
    faults: PathBuf,
}

impl FaultyDisk {
    /// `None`, after saying so, where no library can be compiled.
    fn start(home: &Home) -> Option<Self> {
        let library = preload(home, include_str!("shim.c"))?;
        let faults = home.path("faults");
        std::fs::write(&faults, [0; 8]).unwrap();
        let mut command = formwork(&home.path(""));
        command.env("LD_PRELOAD", &library).env("IO_FAULTS", &faults);
        Some(Self { server: home.start_with(command), faults })
    }

    /// Lets writes fail: the `write`-th from now, or all of them with 0. Error 0 ends it.
    fn set(&self, error: i32, write: i32) {
        let mut file = std::fs::OpenOptions::new().write(true).open(&self.faults).unwrap();
        // The library reads the error first.
        file.write_all(&[0; 4]).unwrap();
        file.write_all(&write.to_ne_bytes()).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, &error.to_ne_bytes(), 0).unwrap();
    }

    /// Whether the fault was not reached, and no longer is there.
    fn take(&self) -> bool {
        let left = std::fs::read(&self.faults).unwrap()[..4] != [0; 4];
        self.set(0, 0);
        left
    }

    async fn post(&self, key: &str, path: &str, body: &Value) -> Answer {
        self.server.request(Method::POST, path).header("idempotency-key", key).json(body).send().await
    }
}

async fn total(server: &Server, list: &str) -> u64 {
    server.get(list).await.ok()["meta"]["total_items"].as_u64().unwrap()
}

/// Whether the request was refused as documented.
fn is_refused(answer: &Answer) -> bool {
    if answer.status < 300 {
        return false;
    }
    let code = answer.value()["code"].as_str().unwrap().to_owned();
    let known = [(503, "store_unavailable"), (503, "storage_full"), (500, "content_failed")];
    assert!(known.contains(&(answer.status, &*code)), "{answer:?}");
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_at_each_write_is_told_and_the_repeated_request_is_done_once() {
    let home = Home::new("");
    let Some(disk) = FaultyDisk::start(&home) else { return };
    let form = json!({"title": "t", "schema": {"a": {"type": "string"}}});
    let (mut forms, mut refusals) = (0, 0);
    for error in ERRORS {
        for write in 1..=MOST_WRITES {
            let key = format!("form-{error}-{write}");
            disk.set(error, write);
            let refused = is_refused(&disk.post(&key, "/v1/form", &form).await);
            let is_beyond = disk.take();
            disk.post(&key, "/v1/form", &form).await.ok();
            forms += 1;
            refusals += u32::from(refused);
            assert_eq!(total(&disk.server, "/v1/form").await, forms, "error {error} at write {write}");
            if is_beyond && !refused {
                break;
            }
        }
    }
    assert!(refusals >= 6, "only {refusals} requests met with an error");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_whose_writes_fail_leaves_nothing_behind() {
    let home = Home::new("");
    let Some(disk) = FaultyDisk::start(&home) else { return };
    let content = vec![b'x'; 300_000];
    let (mut files, mut refusals) = (0, 0);
    for error in ERRORS {
        for write in 1..=MOST_WRITES {
            disk.set(error, write);
            let parts =
                Parts::new().file("a.bin", &content).file("b.txt", format!("{error}-{write}").as_bytes());
            let refused = is_refused(&disk.server.upload(parts).await);
            let is_beyond = disk.take();
            files += if refused { 0 } else { 2 };
            refusals += u32::from(refused);
            assert_eq!(total(&disk.server, "/v1/files").await, files, "error {error} at write {write}");
            if is_beyond && !refused {
                break;
            }
        }
    }
    assert!(refusals >= 6, "only {refusals} requests met with an error");
    let told = home.told(&["check"]);
    assert!(told.contains("The database is whole"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fails_and_comes_back_needs_no_restart() {
    let home = Home::new("");
    let Some(disk) = FaultyDisk::start(&home) else { return };
    let schema = json!({"a": {"type": "string"}});
    let id = disk.server.agent("inv", schema.clone()).await;
    let file = disk.server.files(&[("kept.txt", "A: kept")]).await.remove(0);
    let form = json!({"title": "late", "schema": schema});
    for error in ERRORS {
        disk.set(error, 0);
        for _ in 0..3 {
            assert!(is_refused(&disk.server.post("/v1/form", form.clone()).await));
            assert!(is_refused(&disk.server.upload(Parts::new().file("c.txt", b"tiny")).await));
        }
        disk.server.get("/ready").await.fails_at(503, "not_ready", "disk");
        assert_eq!(disk.server.get(&format!("/v1/form/{id}")).await.ok()["title"], "Form");
        disk.set(0, 0);
        // The index may have met with the error, too, and tries again in its own time.
        settle("readiness", async || disk.server.get("/ready").await.status == 200).await;
        disk.server.post("/v1/form", form.clone()).await.ok();
        let answer = disk.server.delta("inv", "", &[&[&file["id"]]]).await;
        assert_eq!(answer["meta"]["successful"], 1, "{answer}");
    }
    assert_eq!(total(&disk.server, "/v1/files").await, 1);
    let told = home.told(&["check"]);
    assert!(told.contains("The database is whole"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_whose_writes_fail_once_has_one_effect_and_one_answer_when_it_is_repeated() {
    let home = Home::new("");
    let Some(disk) = FaultyDisk::start(&home) else { return };
    let server = &disk.server;
    prepare(server).await;
    for request in REQUESTS {
        let mut refusals = 0;
        for write in 1..=MOST_WRITES {
            let n = usize::try_from(write).unwrap();
            let key = format!("{}-{write}", request.name.replace(' ', "-"));
            let place = format!("{} with an error at write {write}", request.name);
            let before = request.effects(server).await;
            disk.set(ERRORS[0], write);
            let first = request.answer(server, n, &key).await.unwrap();
            let refused = is_refused(&first);
            let is_beyond = disk.take();
            let again = request.answer(server, n, &key).await.unwrap();
            assert!(again.status < 300, "{place}: {again:?}");
            if !refused {
                assert_eq!(content(&first), content(&again), "{place}");
            }
            assert_eq!(request.effects(server).await, before + 1, "{place}");
            refusals += u32::from(refused);
            if is_beyond && !refused {
                break;
            }
        }
        assert!(refusals >= 1, "{}: no write failed", request.name);
    }
    let told = home.told(&["check"]);
    assert!(told.contains("The database is whole"), "{told}");
}
