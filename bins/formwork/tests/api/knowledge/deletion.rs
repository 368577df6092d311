//! What is deleted is gone from the very next search.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{add, added, base, count, found, keys, ready_text, settled, text, titles};
use crate::kit::{Answer, Server, settle};

async fn sources(server: &Server, base: &str, body: Value) -> Answer {
    server.request(Method::DELETE, &format!("/knowledgebase/{base}/sources")).json(&body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_is_gone_from_the_very_next_search_and_what_is_ready_is_in_it() {
    rounds(&Server::start(), wanted_rounds()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_is_gone_while_the_index_is_made_anew() {
    let server = Server::start();
    let home = server.home.clone();
    let over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let renewing = threads.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                home.told(&["reindex"]);
            }
        });
        let ended = tokio::task::block_in_place(|| {
            let rounds = AssertUnwindSafe(rounds(&server, wanted_rounds()));
            tokio::runtime::Handle::current().block_on(rounds.catch_unwind())
        });
        over.store(true, Ordering::SeqCst);
        renewing.join().unwrap();
        ended.unwrap();
    });
}

/// Some, or as many as the environment says.
#[expect(clippy::disallowed_methods, reason = "long runs are asked for by the environment")]
fn wanted_rounds() -> usize {
    std::env::var("FORMWORK_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// Adds, finds, deletes and misses, again and again, with searches beside it.
pub(crate) async fn rounds(server: &Server, rounds: usize) {
    let base = base(server).await;
    ready_text(server, &base, "always", "The lighthouse is always here.").await;
    for round in 0..rounds {
        let id = ready_text(server, &base, "gone", &format!("The lighthouse keeper number {round}.")).await;
        assert_eq!(titles(server, &base, "keeper").await, ["gone"], "round {round}");
        let beside = join_all((0..4).map(|_| found(server, &base, "lighthouse")));
        let path = format!("/knowledgebase/files/{id}");
        let (deleted, _) = futures_util::join!(server.delete(&path), beside);
        deleted.ok();
        let after = join_all((0..4).map(|_| titles(server, &base, "lighthouse keeper"))).await;
        for titles in after {
            assert_eq!(titles, ["always"], "round {round}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_stays_in_its_base_and_a_deleted_item_leaves_its_file() {
    let server = Server::start();
    let base = base(&server).await;
    let files = server.files(&[("a.txt", "Alpha words."), ("b.txt", "Beta words.")]).await;
    let items = added(&server, &base, json!({"file_ids": [files[0]["id"], files[1]["id"]]})).await;
    settled(&server, &base).await;
    server.delete(&format!("/v1/files/{}", files[0]["id"])).await.ok();
    assert_eq!(titles(&server, &base, "alpha").await, ["a.txt"]);
    let item = server.get(&format!("/knowledgebase/files/{}", items[0]["id"].as_str().unwrap())).await.ok();
    assert!(item["content"].as_str().unwrap().contains("Alpha words."), "{item}");
    assert_eq!(server.stored("blobs").len(), 2);

    let done =
        server.delete(&format!("/knowledgebase/files/{}", items[1]["id"].as_str().unwrap())).await.ok();
    assert_eq!((keys(&done), &done["status"]), (vec!["status", "message"], &json!("success")));
    assert!(titles(&server, &base, "beta").await.is_empty());
    assert_eq!(server.get(&format!("/v1/files/{}", files[1]["id"])).await.ok()["name"], "b.txt");
    server.delete(&format!("/knowledgebase/files/{}", items[0]["id"].as_str().unwrap())).await.ok();
    settle("the content of the deleted file", async || server.stored("blobs").len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_are_deleted_by_name_or_all_of_them() {
    let server = Server::start();
    let (base, other) = (base(&server).await, base(&server).await);
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(ready_text(&server, &base, &format!("t{n}"), &format!("common words {n}")).await);
    }
    let elsewhere = ready_text(&server, &other, "other", "common words elsewhere").await;
    for (body, place) in [
        (json!({}), ""),
        (json!({"delete_all": false}), ""),
        (json!({"ids": null, "delete_all": null}), ""),
        (json!({"ids": []}), "/ids"),
        (json!({"ids": "x"}), "/ids"),
        (json!({"ids": [1]}), "/ids/0"),
        (json!({"ids": vec!["x"; 1_001]}), "/ids"),
        (json!({"delete_all": "true"}), "/delete_all"),
        (json!([true]), ""),
    ] {
        sources(&server, &base, body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(count(&server, &base).await, 4, "a refused deletion deleted something");
    let done = sources(&server, &base, json!({"ids": [ids[0], elsewhere, "none", ids[0]]})).await.ok();
    assert_eq!(keys(&done), ["status", "message"]);
    assert_eq!(
        done["message"],
        format!("1 file was deleted; not files of this knowledge base, and left alone: {elsewhere}, none.")
    );
    assert_eq!(titles(&server, &base, "common words").await.len(), 3);
    assert_eq!(titles(&server, &other, "common words").await, ["other"]);
    let done = sources(&server, &base, json!({"ids": [ids[1]], "delete_all": true})).await.ok();
    assert_eq!(done["message"], "3 files were deleted.");
    assert!(found(&server, &base, "common words").await.is_empty());
    assert_eq!(
        sources(&server, &base, json!({"delete_all": true})).await.ok()["message"],
        "0 files were deleted."
    );
    let record = server.get(&format!("/knowledgebase/{base}")).await.ok();
    assert_eq!(json!([record["files"], record["chunks"], record["bytes"]]), json!([0, 0, 0]));
    settle("the content of the other base", async || server.stored("blobs").len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_goes_with_all_that_is_in_it() {
    let server = Server::start();
    let base = base(&server).await;
    let id = ready_text(&server, &base, "t", "Words of the base.").await;
    // Some of it may still be worked on.
    let texts: Vec<Value> = (0..50).map(|n| text("t", &format!("More words {n}."))).collect();
    add(&server, &base, json!({"texts": texts})).await.ok();
    server.delete(&format!("/knowledgebase/{base}")).await.ok();
    server.get(&format!("/knowledgebase/{base}")).await.fails(404, "knowledge_base_not_found");
    server.get(&format!("/knowledgebase/files/{id}")).await.fails(404, "knowledge_file_not_found");
    let search = server.post(&format!("/knowledgebase/{base}/search"), json!({"query": "words"})).await;
    search.fails(404, "knowledge_base_not_found");
    assert_eq!(server.get("/knowledgebase/files").await.ok()["meta"]["total_items"], 0);
    settle("a tidy blob folder", async || server.stored("blobs").is_empty()).await;
    server.delete(&format!("/knowledgebase/{base}")).await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_may_be_added_again() {
    let server = Server::start();
    let base = base(&server).await;
    let first = ready_text(&server, &base, "t", "Again and again.").await;
    server.delete(&format!("/knowledgebase/files/{first}")).await.ok();
    let second = ready_text(&server, &base, "t", "Again and again.").await;
    assert_ne!(first, second);
    assert_eq!(titles(&server, &base, "again").await, ["t"]);
}
