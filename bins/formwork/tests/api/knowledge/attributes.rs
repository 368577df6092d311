//! Meta, external ids and expiry, on every way in.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use shared_core::{Clock as _, SystemClock, Timestamp};

use super::kit::{add, added, base, count, done, found, search, settled, text, titles, upload};
use crate::kit::{Parts, Server, settle};

/// A time of RFC 3339, this many milliseconds from now.
fn in_millis(millis: i64) -> String {
    let micros = SystemClock.now().micros() + millis * 1_000;
    Timestamp::from_micros(micros).unwrap().rfc3339()
}

/// The listed items with an external id.
async fn owned(server: &Server, query: &str) -> Vec<Value> {
    let list = server.get(&format!("/knowledgebase/files?{query}")).await.ok();
    let files = list["files"].as_array().unwrap().clone();
    assert_eq!(list["meta"]["total_items"], json!(files.len()));
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_in_takes_meta_an_own_id_and_an_end() {
    let server = Server::start();
    let base = base(&server).await;
    let files = server.files(&[("a.txt", "Apples are red."), ("b.txt", "Plums are blue.")]).await;
    let end = "2999-12-31T23:59:59.500Z";
    let body = json!({
        "meta": {"year": 2026, "kind": {"of": "request"}},
        "expires": "2999-01-01T00:00:00+01:00",
        "file_ids": [{"id": files[0]["id"], "meta": {"kind": "file"}, "externalId": "f"}, files[0]["id"]],
        "urls": [
            {"url": files[1]["url"], "meta": {"kind": "own"}, "expires": end},
            {"url": "https://10.0.0.1/rules", "meta": {"kind": "web"}, "externalId": "w"}
        ],
        "texts": [{"title": "t", "content": "Pears are green.", "meta": {"kind": "text"}, "expires": null}],
        "chunks": [
            {"title": "c", "content": "Figs are dark.", "meta": {"kind": "chunk"}, "externalId": "c \u{0}é"},
            {"title": "c", "content": "Dates are dry.", "meta": {"kind": "chunk"}, "externalId": "c \u{0}é"}
        ]
    });
    let items = added(&server, &base, body).await;
    let shared = "2998-12-31T23:00:00.000Z";
    let told: Vec<Value> =
        items.iter().map(|item| json!([item["meta"], item["externalId"], item["expires"]])).collect();
    assert_eq!(
        told,
        [
            json!([{"year": 2026, "kind": "file"}, "f", shared]),
            json!([{"year": 2026, "kind": {"of": "request"}}, null, shared]),
            json!([{"year": 2026, "kind": "own"}, null, end]),
            json!([{"year": 2026, "kind": "web"}, "w", shared]),
            json!([{"year": 2026, "kind": "text"}, null, shared]),
            json!([{"year": 2026, "kind": "chunk"}, "c \u{0}é", shared]),
        ]
    );
    settled(&server, &base).await;
    for (kind, words) in [("file", "Apples"), ("own", "Plums"), ("text", "Pears"), ("chunk", "Dates")] {
        let body = json!({"query": "are", "filter": {"kind": kind}});
        let hits = search(&server, &base, body).await.ok()["results"].as_array().unwrap().clone();
        assert!(hits.iter().any(|hit| hit["text"].as_str().unwrap().contains(words)), "{kind}: {hits:?}");
        assert!(hits.iter().all(|hit| hit["meta"]["kind"] == kind && hit["meta"]["year"] == 2026));
    }
    let item = server.get(&format!("/knowledgebase/files/{}", items[0]["id"].as_str().unwrap())).await.ok();
    assert_eq!((&item["externalId"], &item["expires"]), (&json!("f"), &json!(shared)));
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_have_meta_an_own_id_and_an_end() {
    let server = Server::start();
    let base = base(&server).await;
    let parts = |content: &str| {
        let parts = Parts::new().file("a.txt", content.as_bytes());
        parts
            .field("meta", "{\"year\": 2026, \"a\": [1]}")
            .field("externalId", "doc")
            .field("expires", "2999-01-01T00:00:00Z")
    };
    let item = upload(&server, &base, parts("Apples are red.")).await.ok()["files"][0].clone();
    let told = json!([item["meta"], item["externalId"], item["expires"]]);
    assert_eq!(told, json!([{"year": 2026, "a": [1]}, "doc", "2999-01-01T00:00:00.000Z"]));
    settled(&server, &base).await;
    // The same, and then other content, through the other operation.
    server.upload(parts("Apples are red.").field("knowledgeId", &base)).await.ok();
    server.upload(parts("Apples are brown.").field("knowledgeId", &base)).await.ok();
    settled(&server, &base).await;
    let hits = found(&server, &base, "apples").await;
    assert_eq!((hits.len(), &hits[0]["text"]), (1, &json!("Apples are brown.")));
    assert_eq!((&hits[0]["file"], &hits[0]["meta"]["year"]), (&item["id"], &json!(2026)));
    // Several files share a meta.
    let two =
        Parts::new().file("b.txt", b"B").file("c.txt", b"C").field("meta", "{\"x\": 1}").field("expires", "");
    let items = upload(&server, &base, two).await.ok()["files"].clone();
    assert_eq!(json!([items[0]["meta"], items[1]["meta"]]), json!([{"x": 1}, {"x": 1}]));
    // Without a knowledge base, the fields mean nothing.
    server
        .upload(Parts::new().file("d.txt", b"D").field("meta", "none").field("expires", "never"))
        .await
        .ok();

    let files = server.get("/v1/files").await.ok()["meta"]["total_items"].clone();
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(17_000));
    for (field, value, place) in [
        ("meta", "[1]", "/meta"),
        ("meta", "{", "/meta"),
        ("meta", long.as_str(), "/meta"),
        ("meta", &" ".repeat(70_000), "/meta"),
        ("externalId", " ", "/externalId"),
        ("externalId", &"é".repeat(257), "/externalId"),
        ("externalId", &"x".repeat(5_000), "/externalId"),
        ("expires", "tomorrow", "/expires"),
        ("expires", "2020-01-01T00:00:00Z", "/expires"),
    ] {
        let parts = || Parts::new().file("e.txt", b"E").field(field, value);
        upload(&server, &base, parts()).await.fails_at(400, "validation_failed", place);
        let other = server.upload(parts().field("knowledgeId", &base)).await;
        other.fails_at(400, "validation_failed", place);
    }
    let two = Parts::new().file("b.txt", b"B").file("c.txt", b"C").field("externalId", "x");
    upload(&server, &base, two).await.fails_at(400, "validation_failed", "/externalId");
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], files);
    assert_eq!(count(&server, &base).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_with_other_attributes_is_another_request_for_its_idempotency_key() {
    let server = Server::start();
    let base = base(&server).await;
    let send = async |meta: &str| {
        let path = format!("/knowledgebase/{base}/files");
        let call = server.request(Method::POST, &path).header("idempotency-key", "k");
        call.multipart(Parts::new().file("a.txt", b"A").field("meta", meta)).send().await
    };
    let first = send("{\"a\": 1}").await.ok();
    assert_eq!(send("{\"a\": 1}").await.ok(), first);
    send("{\"a\": 2}").await.fails(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_takes_the_place_of_the_item_with_its_id() {
    replaced(&Server::start()).await;
}

/// Upserts of a text by its external id.
pub(crate) async fn replaced(server: &Server) {
    let (base, other) = (base(server).await, base(server).await);
    let entry = |content: &str, year: i64| {
        let attributes =
            json!({"title": "Rates", "content": content, "meta": {"year": year}, "externalId": "r/1?x=é&y"});
        json!({"texts": [attributes]})
    };
    let first = added(server, &base, entry("Tugs cost 410 EUR.", 2025)).await.remove(0);
    let id = first["id"].as_str().unwrap();
    let ready = done(server, id).await;
    let again = added(server, &base, entry("Tugs cost 410 EUR.", 2025)).await.remove(0);
    let told =
        |item: &Value| json!([item["id"], item["status"], item["updated_timestamp"], item["index_position"]]);
    assert_eq!(told(&again), told(&ready), "nothing is done");
    let labelled = added(server, &base, entry("Tugs cost 410 EUR.", 2026)).await.remove(0);
    assert_eq!((&labelled["id"], &labelled["status"]), (&first["id"], &json!("ready")));
    assert_eq!(found(server, &base, "tugs").await[0]["meta"]["year"], 2026);
    let second = added(server, &base, entry("Tugs cost 500 EUR.", 2026)).await.remove(0);
    assert_eq!(second["id"], first["id"]);
    let hits = found(server, &base, "tugs").await;
    assert_eq!(hits.len(), 1, "the old or the new content is found, whichever is ready");
    settled(server, &base).await;
    assert_eq!(found(server, &base, "tugs").await[0]["text"], "Tugs cost 500 EUR.");
    settle("one blob for one content", async || server.stored("blobs").len() == 1).await;
    // Chunks in the place of a text, at once.
    let chunks =
        json!({"chunks": [{"title": "Rates", "content": "Tugs cost 600 EUR.", "externalId": "r/1?x=é&y"}]});
    let third = added(server, &base, chunks).await.remove(0);
    assert_eq!(
        (&third["id"], &third["source"], &third["meta"]),
        (&first["id"], &json!("chunks"), &json!({}))
    );
    assert_eq!(found(server, &base, "tugs").await[0]["text"], "Tugs cost 600 EUR.");
    let elsewhere = added(server, &other, entry("Tugs cost 410 EUR.", 2025)).await.remove(0);
    assert_ne!(elsewhere["id"], first["id"]);

    let query = "externalId=r%2F1%3Fx%3D%C3%A9%26y";
    assert_eq!(owned(server, query).await.len(), 2);
    assert_eq!(owned(server, &format!("{query}&knowledgeId={base}")).await[0]["id"], first["id"]);
    assert!(owned(server, "externalId=r").await.is_empty());
    assert!(owned(server, &format!("{query}&status=failed")).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_with_one_id_at_the_same_instant_are_one_item() {
    concurrent(&Server::start()).await;
}

/// Many replace the same item at once.
pub(crate) async fn concurrent(server: &Server) {
    let base = base(server).await;
    let entry = |n: usize| {
        let content = format!("Words of the writer number {}.", n % 7);
        json!({"texts": [{"title": "same", "content": content, "externalId": "x"}]})
    };
    let tries: Vec<_> = (0..24).map(|n| added(server, &base, entry(n))).collect();
    let mut ids: Vec<Value> =
        join_all(tries).await.into_iter().flatten().map(|item| item["id"].clone()).collect();
    assert_eq!(ids.len(), 24);
    ids.dedup();
    assert_eq!((ids.len(), count(server, &base).await), (1, 1));
    settled(server, &base).await;
    assert_eq!(titles(server, &base, "words of the writer").await.len(), 1);
    settle("one blob for one content", async || server.stored("blobs").len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_with_another_meta_is_kept_beside_the_first() {
    let server = Server::start();
    let base = base(&server).await;
    let file = server.files(&[("a.txt", "Apples are red.")]).await.remove(0)["id"].clone();
    let entry = |meta: Value| json!({"file_ids": [{"id": file, "meta": meta}]});
    let one = added(&server, &base, entry(json!({"team": "a", "x": 1}))).await.remove(0);
    let same = added(&server, &base, entry(json!({"x": 1, "team": "a"}))).await.remove(0);
    let two = added(&server, &base, entry(json!({"team": "b"}))).await.remove(0);
    let plain = added(&server, &base, json!({"file_ids": [file]})).await.remove(0);
    assert_eq!(one["id"], same["id"]);
    settled(&server, &base).await;
    assert_eq!(count(&server, &base).await, 3);
    for (team, id) in [("a", &one["id"]), ("b", &two["id"])] {
        let body = json!({"query": "apples", "filter": {"team": team}});
        let hits = search(&server, &base, body).await.ok()["results"].clone();
        assert_eq!((hits.as_array().unwrap().len(), &hits[0]["file"]), (1, id));
    }
    // Each goes by itself.
    server.delete(&format!("/knowledgebase/files/{}", one["id"].as_str().unwrap())).await.ok();
    let left: Vec<Value> =
        found(&server, &base, "apples").await.iter().map(|hit| hit["file"].clone()).collect();
    assert!(left.len() == 2 && left.contains(&two["id"]) && left.contains(&plain["id"]), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_expired_is_neither_found_nor_cited_nor_shown() {
    let server = Server::start();
    let base = base(&server).await;
    let chunk = |title: &str, expires: Value| json!({"title": title, "content": format!("The ferry of {title} leaves at noon."), "expires": expires});
    let end = in_millis(3_000);
    let chunks = json!({"chunks": [chunk("Monday", json!(end)), chunk("Sunday", Value::Null)]});
    let items = added(&server, &base, chunks).await;
    assert_eq!(items[0]["expires"], json!(end));
    settled(&server, &base).await;
    assert_eq!(titles(&server, &base, "ferry").await.len(), 2);
    let path = format!("/knowledgebase/files/{}", items[0]["id"].as_str().unwrap());
    tokio::time::sleep(Duration::from_millis(3_200)).await;
    assert_eq!(titles(&server, &base, "ferry").await, ["Sunday"]);
    let ask = json!({"modelId": "extractive@formwork", "prompt": "When does the ferry leave?", "knowledgeId": base});
    let answer = server.post("/v2/generate", ask).await.ok();
    let cited = answer["context"].as_array().unwrap().iter().map(|passage| passage["title"].clone());
    assert_eq!(cited.collect::<Vec<_>>(), ["Sunday"], "{answer}");
    server.get(&path).await.fails(404, "knowledge_file_not_found");
    server.put(&path, json!({"expires": null})).await.fails(404, "knowledge_file_not_found");
    let list = server.get(&format!("/knowledgebase/files?knowledgeId={base}")).await.ok();
    assert_eq!(list["files"].as_array().unwrap().len(), 1);
    // Added again, it is back.
    let again = added(&server, &base, json!({"chunks": [chunk("Monday", Value::Null)]})).await.remove(0);
    assert_eq!(again["expires"], Value::Null);
    settled(&server, &base).await;
    assert_eq!(titles(&server, &base, "ferry").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expiry_is_changed_and_cleared() {
    let server = Server::start();
    let base = base(&server).await;
    let body = json!({"texts": [text("t", "Pears are green.")], "expires": "2999-01-01T00:00:00Z"});
    let item = added(&server, &base, body).await.remove(0);
    let path = format!("/knowledgebase/files/{}", item["id"].as_str().unwrap());
    let put = async |body: Value| server.put(&path, body).await.ok()["expires"].clone();
    assert_eq!(put(json!({"name": "u"})).await, json!("2999-01-01T00:00:00.000Z"));
    assert_eq!(put(json!({"expires": "2998-01-01T00:00:00Z"})).await, json!("2998-01-01T00:00:00.000Z"));
    assert_eq!(put(json!({"expires": null})).await, Value::Null);
    for expires in [json!("2020-01-01T00:00:00Z"), json!(5), json!("soon"), json!("2999-01-01"), json!({})] {
        server.put(&path, json!({"expires": expires, "name": "v"})).await.fails_at(
            400,
            "validation_failed",
            "/expires",
        );
    }
    assert_eq!(server.get(&path).await.ok()["name"], "u");
}

#[tokio::test(flavor = "multi_thread")]
async fn attributes_that_break_a_rule_are_refused_with_their_place_and_nothing_is_stored() {
    let server = Server::start();
    let base = base(&server).await;
    let file = server.files(&[("a.txt", "A")]).await.remove(0)["id"].clone();
    let big = json!({"a": "x".repeat(17_000)});
    let many: Value = (0..1_000)
        .map(|n| (format!("key number {n}"), json!("y".repeat(10))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let with = |key: &str, value: Value| {
        let mut one = text("t", "c");
        one[key] = value;
        one
    };
    let past = "1999-01-01T00:00:00Z";
    for (body, place) in [
        (json!({"meta": big, "texts": [text("t", "c")]}), "/meta"),
        (json!({"meta": many, "texts": [text("t", "c")]}), "/meta"),
        (json!({"meta": [], "texts": [text("t", "c")]}), "/meta"),
        (
            json!({"meta": {"a": "x".repeat(9_000)}, "texts": [with("meta", json!({"b": "x".repeat(9_000)}))]}),
            "/texts/0/meta",
        ),
        (json!({"expires": past, "texts": [text("t", "c")]}), "/expires"),
        (json!({"expires": 1, "texts": [text("t", "c")]}), "/expires"),
        (json!({"texts": [with("expires", json!(past))]}), "/texts/0/expires"),
        (json!({"texts": [with("expires", json!("never"))]}), "/texts/0/expires"),
        (json!({"texts": [with("expires", json!([]))]}), "/texts/0/expires"),
        (json!({"texts": [with("externalId", json!(""))]}), "/texts/0/externalId"),
        (json!({"texts": [with("externalId", json!(" \n"))]}), "/texts/0/externalId"),
        (json!({"texts": [with("externalId", json!("é".repeat(257)))]}), "/texts/0/externalId"),
        (json!({"texts": [with("externalId", json!(7))]}), "/texts/0/externalId"),
        (
            json!({"texts": [with("externalId", json!("x")), with("externalId", json!("x"))]}),
            "/texts/1/externalId",
        ),
        (
            json!({"chunks": [with("externalId", json!("x"))], "texts": [with("externalId", json!("x"))]}),
            "/chunks/0/externalId",
        ),
        (
            json!({"chunks": [with("externalId", json!("x")), {"title": "u", "content": "c", "externalId": "x"}]}),
            "/chunks/1/externalId",
        ),
        (json!({"chunks": [{"title": "t", "content": " ", "externalId": "x"}]}), "/chunks/0/content"),
        (json!({"file_ids": [{"id": file, "meta": big}]}), "/file_ids/0/meta"),
        (json!({"file_ids": [{"id": file, "meta": 1}]}), "/file_ids/0/meta"),
        (json!({"file_ids": [{"id": "x"}]}), "/file_ids/0/id"),
        (json!({"file_ids": [{"id": null}]}), "/file_ids/0/id"),
        (json!({"file_ids": [{}]}), "/file_ids/0"),
        (json!({"file_ids": [[1]]}), "/file_ids/0"),
        (json!({"file_ids": [null]}), "/file_ids/0"),
        (
            json!({"file_ids": [{"id": file, "externalId": "x"}, {"id": file, "externalId": "x"}]}),
            "/file_ids/1/externalId",
        ),
        (json!({"urls": [{"url": "https://example.com/", "expires": past}]}), "/urls/0/expires"),
        (json!({"urls": [{"url": 1.5}]}), "/urls/0/url"),
        (json!({"urls": [{"url": "ftp://example.com/x", "meta": {"a": 1}}]}), "/urls/0"),
        (json!({"urls": [{"uri": "https://example.com/"}]}), "/urls/0"),
    ] {
        let blobs = server.stored("blobs");
        add(&server, &base, body.clone()).await.fails_at(400, "validation_failed", place);
        assert_eq!((count(&server, &base).await, server.stored("blobs")), (0, blobs), "{body}");
    }
    let unknown = json!({"file_ids": [{"id": 999, "externalId": "x"}]});
    add(&server, &base, unknown).await.fails_at(400, "file_not_found", "/file_ids/0");
    // At the limits.
    let id = "é".repeat(256);
    let item = added(&server, &base, json!({"texts": [with("externalId", json!(id))]})).await.remove(0);
    assert_eq!(item["externalId"], json!(id));
}
