//! Bases whose server dies, and whose index is lost.

use std::time::Duration;

use serde_json::{Value, json};

use super::kit::{add, added, base, ready_text, settled, text, titles};
use crate::kit::{Home, Server};

#[tokio::test(flavor = "multi_thread")]
async fn work_that_a_kill_cut_off_goes_on_after_the_restart() {
    killed(&Home::new("")).await;
}

/// Kills the server in the middle of its work, again and again; everything gets done, and once.
pub(crate) async fn killed(home: &Home) {
    const TEXTS: usize = 300;
    let mut server = home.start();
    let base = base(&server).await;
    let texts: Vec<Value> = (0..TEXTS)
        .map(|n| text(&format!("t{n}"), &format!("# Entry {n}\n\nThe log of day {n}.\n")))
        .collect();
    add(&server, &base, json!({"texts": texts})).await.ok();
    let gone = ready_text(&server, &base, "gone", "A lantern that is deleted.").await;
    server.delete(&format!("/knowledgebase/files/{gone}")).await.ok();
    for round in 0..3 {
        tokio::time::sleep(Duration::from_millis(30 * round)).await;
        server.kill();
        server = home.start();
        assert!(titles(&server, &base, "lantern").await.is_empty(), "round {round}");
    }
    let record = settled(&server, &base).await;
    assert_eq!(record["status"], json!({"queued": 0, "processing": 0, "ready": TEXTS, "failed": 0}));
    for n in [0, TEXTS / 2, TEXTS - 1] {
        assert_eq!(titles(&server, &base, &format!("log of day {n}")).await[0], format!("t{n}"));
    }
    let again = added(&server, &base, json!({"texts": texts})).await;
    assert_eq!(again.len(), TEXTS);
    assert_eq!(settled(&server, &base).await["files"], TEXTS);
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_is_lost_or_damaged_is_made_anew() {
    let mut server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "kept", "The beacon is green.").await;
    let gone = ready_text(&server, &base, "gone", "The beacon was red.").await;
    for damage in ["lost", "damaged", "cut"] {
        assert!(titles(&server, &base, "beacon").await.contains(&"kept".to_owned()), "{damage}");
        let home = server.kill();
        harm(&home, damage);
        server = home.start();
        // The first round finds both; the deletion holds in all that follow.
        server.delete(&format!("/knowledgebase/files/{gone}")).await;
        assert_eq!(titles(&server, &base, "beacon").await, ["kept"], "{damage}");
        assert_eq!(titles(&server, &base, "green").await, ["kept"], "{damage}");
    }
}

/// Does to the folder of the index what a bad disk or a careless hand does.
fn harm(home: &Home, damage: &str) {
    let folder = home.path("data/index");
    assert!(folder.exists(), "there is no index at {}", folder.display());
    if damage == "lost" {
        std::fs::remove_dir_all(&folder).unwrap();
        return;
    }
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if damage == "cut" {
                let length = entry.metadata().unwrap().len();
                std::fs::OpenOptions::new()
                    .write(true)
                    .open(entry.path())
                    .unwrap()
                    .set_len(length / 2)
                    .unwrap();
            } else {
                std::fs::write(entry.path(), b"this is no index").unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_server_leaves_its_work_to_the_next() {
    let home = Home::new("[knowledge]\nconcurrency = 1");
    let mut server = home.start();
    let base = base(&server).await;
    let texts: Vec<Value> = (0..100).map(|n| text("t", &format!("Words number {n}."))).collect();
    add(&server, &base, json!({"texts": texts})).await.ok();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
    let server = home.start();
    assert_eq!(settled(&server, &base).await["status"]["ready"], 100);
    assert_eq!(titles(&server, &base, "99").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_made_anew_on_demand_with_and_without_a_server() {
    reindexed(&Home::new("")).await;
}

/// `formwork reindex` beside a server and without one; searches are right all the time.
pub(crate) async fn reindexed(home: &Home) {
    let mut server = home.start();
    let base = base(&server).await;
    ready_text(&server, &base, "kept", "The beacon is green.").await;
    let gone = ready_text(&server, &base, "gone", "The beacon was red.").await;
    let told = home.told(&["reindex"]);
    assert_eq!(
        told,
        "A server has the search index open and rebuilds it. Until then it serves the present one."
    );
    server.delete(&format!("/knowledgebase/files/{gone}")).await.ok();
    assert_eq!(titles(&server, &base, "beacon").await, ["kept"]);
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
    assert_eq!(home.told(&["reindex"]), "The search index was rebuilt. Files: 1, chunks: 1.");
    let server = home.start();
    assert_eq!(titles(&server, &base, "beacon").await, ["kept"]);
    ready_text(&server, &base, "late", "A late beacon.").await;
    assert_eq!(titles(&server, &base, "late").await, ["late"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn databases_that_share_a_data_folder_do_not_share_an_index() {
    let home = Home::new("");
    let start = |database: &str| {
        let mut command = crate::kit::formwork(&home.path(""));
        command.args(["--database-url", &format!("sqlite://{}", home.path(database).display())]);
        home.start_with(command)
    };
    let mut one = start("one.db");
    let (key, first) = (one.key.clone(), base(&one).await);
    for n in 0..4 {
        ready_text(&one, &first, &format!("t{n}"), &format!("The buoy number {n}.")).await;
    }
    one.kill();
    let mut two = start("two.db");
    let second = base(&two).await;
    ready_text(&two, &second, "other", "Another buoy.").await;
    assert_eq!(titles(&two, &second, "buoy").await, ["other"]);
    two.kill();
    let mut one = start("one.db");
    one.key = key;
    assert_eq!(titles(&one, &first, "buoy").await.len(), 4);
}
