//! Data that is put into bases.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{add, added, base, count, done, keys, ready_text, settled, text, titles, upload};
use crate::kit::{Parts, Server, encrypted_pdf, settle};

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_data_becomes_an_item_in_the_order_of_the_kinds() {
    let server = Server::start();
    let base = base(&server).await;
    let files = server
        .files(&[("tides.md", "# Tides\n\nHigh water is at noon."), ("crane.txt", "The crane lifts 40 t.")])
        .await;
    let body = json!({
        "file_ids": [files[0]["id"]],
        "urls": [files[1]["url"], "https://10.0.0.1/rules"],
        "texts": [{"title": "Berths", "content": "Berth 4 is 9.2 m deep.", "meta": {"year": 2026}}],
        "chunks": [
            {"title": "Tariff", "content": "Pilotage costs 320 EUR.", "page": 1},
            {"title": "Tariff", "content": "Tugs cost 410 EUR.", "page": 2}
        ]
    });
    let items = added(&server, &base, body).await;
    let told: Vec<Value> =
        items.iter().map(|item| json!([item["name"], item["file_id"], item["source"]])).collect();
    assert_eq!(
        told,
        [
            json!(["tides.md", files[0]["id"], "file"]),
            json!(["crane.txt", files[1]["id"], "file"]),
            json!(["https://10.0.0.1/rules", null, "web"]),
            json!(["Berths", null, "text"]),
            json!(["Tariff", null, "chunks"])
        ]
    );
    for key in [
        "id",
        "knowledgeId",
        "file_id",
        "name",
        "status",
        "error",
        "bytes",
        "chunks",
        "folder",
        "meta",
        "created_timestamp",
    ] {
        assert!(keys(&items[0]).contains(&key), "{key}");
    }
    assert_eq!((&items[0]["folder"], &items[0]["knowledgeId"]), (&json!("home"), &json!(base)));
    assert_eq!((&items[3]["bytes"], &items[3]["meta"]), (&json!(22), &json!({"year": 2026})));
    let web = done(&server, items[2]["id"].as_str().unwrap()).await;
    assert_eq!((&web["status"], &web["error"]["code"]), (&json!("failed"), &json!("fetch_denied")));
    for item in [&items[0], &items[1], &items[3], &items[4]] {
        let item = done(&server, item["id"].as_str().unwrap()).await;
        assert_eq!((&item["status"], &item["error"]), (&json!("ready"), &Value::Null), "{item}");
        assert!(item["chunks"].as_u64() >= Some(1), "{item}");
    }
    let record = settled(&server, &base).await;
    assert_eq!(
        json!([record["files"], record["status"]["ready"], record["status"]["failed"]]),
        json!([5, 4, 1])
    );
    assert_eq!(titles(&server, &base, "how many tonnes does the crane lift").await[0], "crane.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_content_with_the_same_title_and_meta_is_one_item_and_with_others_one_of_its_own() {
    let server = Server::start();
    let base = base(&server).await;
    let first = ready_text(&server, &base, "a.txt", "The lock opens at six.").await;
    let file = server.files(&[("other.txt", "The lock opens at six.")]).await.remove(0);
    let chunk = json!({"title": "t", "content": "One.", "meta": {"b": 1, "a": [2]}});
    let same = json!({"title": "t", "content": "One.", "meta": {"a": [2], "b": 1}});
    let other = json!({"title": "t", "content": "One.", "meta": {"a": [3], "b": 1}});
    let items = added(
        &server,
        &base,
        json!({"file_ids": [file["id"], file["id"]], "texts": [
            text("a.txt", "The lock opens at six."),
            text("c", "The lock opens at six."),
            {"title": "a.txt", "content": "The lock opens at six.", "meta": {"tenant": "b"}}
        ]}),
    )
    .await;
    assert_eq!((&items[0]["id"], &items[2]["id"]), (&items[1]["id"], &json!(first)));
    let mut ids: Vec<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4, "{items:?}");
    let one = added(&server, &base, json!({"chunks": [chunk]})).await.remove(0);
    let two = added(&server, &base, json!({"chunks": [same]})).await.remove(0);
    let three = added(&server, &base, json!({"chunks": [other]})).await.remove(0);
    assert_eq!(one["id"], two["id"]);
    assert_ne!(one["id"], three["id"]);
    assert_eq!(count(&server, &base).await, 6);
    settle("one blob for one content", async || server.stored("blobs").len() == 1).await;
    // Another base has its own.
    let another = super::kit::base(&server).await;
    assert_ne!(ready_text(&server, &another, "a.txt", "The lock opens at six.").await, first);
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicates_at_the_same_instant_are_one_item() {
    duplicates(&Server::start()).await;
}

/// Many add the same at once.
pub(crate) async fn duplicates(server: &Server) {
    let base = base(server).await;
    let body = json!({"texts": [text("same", "The same words at the same time.")]});
    let tries: Vec<_> = (0..32).map(|_| added(server, &base, body.clone())).collect();
    let mut ids: Vec<Value> =
        join_all(tries).await.into_iter().flatten().map(|item| item["id"].clone()).collect();
    assert_eq!(ids.len(), 32);
    ids.dedup();
    assert_eq!((ids.len(), count(server, &base).await), (1, 1));
    assert_eq!(settled(server, &base).await["files"], 1);
    settle("one blob for one content", async || server.stored("blobs").len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_refused_with_its_place_and_nothing_is_stored() {
    let server = Server::start();
    let base = base(&server).await;
    let file = server.files(&[("a.txt", "A")]).await.remove(0)["id"].clone();
    let ok = text("t", "c");
    for (body, code, place) in [
        (json!({}), "validation_failed", ""),
        (json!({"texts": []}), "validation_failed", ""),
        (json!([]), "validation_failed", ""),
        (json!({"texts": {}}), "validation_failed", "/texts"),
        (json!({"texts": [["t", "c"]]}), "validation_failed", "/texts/0"),
        (json!({"texts": [ok, {"title": "t"}]}), "validation_failed", "/texts/1"),
        (json!({"texts": [ok, text(" ", "c")]}), "validation_failed", "/texts/1/title"),
        (json!({"texts": [text(&"t".repeat(1_025), "c")]}), "validation_failed", "/texts/0/title"),
        (json!({"texts": [{"title": "t", "content": 1}]}), "validation_failed", "/texts/0/content"),
        (
            json!({"texts": [{"title": "t", "content": "c", "meta": "x"}]}),
            "validation_failed",
            "/texts/0/meta",
        ),
        (
            json!({"texts": [{"title": "t", "content": "c", "meta": {"a": "x".repeat(17_000)}}]}),
            "validation_failed",
            "/texts/0/meta",
        ),
        (
            json!({"chunks": [{"title": "t", "content": "c", "page": 0}]}),
            "validation_failed",
            "/chunks/0/page",
        ),
        (
            json!({"chunks": [{"title": "t", "content": "c", "page": -1}]}),
            "validation_failed",
            "/chunks/0/page",
        ),
        (
            json!({"chunks": [{"title": "t", "content": "c".repeat(100_001)}]}),
            "validation_failed",
            "/chunks/0/content",
        ),
        (json!({"chunks": [1]}), "validation_failed", "/chunks/0"),
        (json!({"file_ids": [file, 999], "texts": [ok]}), "file_not_found", "/file_ids/1"),
        (json!({"file_ids": ["x"]}), "validation_failed", "/file_ids/0"),
        (json!({"file_ids": [1, " 1"]}), "validation_failed", "/file_ids/1"),
        (
            json!({"file_ids": [format!("{}/files/nothing/a.txt", server.url)]}),
            "validation_failed",
            "/file_ids/0",
        ),
        (json!({"file_ids": [true]}), "validation_failed", "/file_ids/0"),
        (json!({"file_ids": ["https://example.com/"]}), "validation_failed", "/file_ids/0"),
        (json!({"file_ids": 1}), "validation_failed", "/file_ids"),
        (json!({"urls": ["ftp://example.com/x"], "texts": [ok]}), "validation_failed", "/urls/0"),
        (json!({"urls": [""]}), "validation_failed", "/urls/0"),
        (json!({"urls": ["998"]}), "file_not_found", "/urls/0"),
        (json!({"urls": [format!("{}/files/nothing/a.txt", server.url)]}), "file_not_found", "/urls/0"),
    ] {
        let before = server.stored("blobs");
        add(&server, &base, body.clone()).await.fails_at(400, code, place);
        assert_eq!((count(&server, &base).await, server.stored("blobs")), (0, before), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_unknown_file_is_named() {
    let server = Server::start();
    let base = base(&server).await;
    let told =
        add(&server, &base, json!({"file_ids": [5, 6], "urls": [7]})).await.fails(400, "file_not_found");
    let places: Vec<&Value> = told["errors"].as_array().unwrap().iter().map(|error| &error["path"]).collect();
    assert_eq!(places, ["/file_ids/0", "/file_ids/1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_into_a_base_are_files_of_their_own_too() {
    let server = Server::start();
    let base = base(&server).await;
    let parts =
        Parts::new().file("../odd \u{e9}.md", b"# Gate\n\nThe gate closes at dusk.").field("note", "x");
    let items = upload(&server, &base, parts).await.ok()["files"].clone();
    let file = server.get(&format!("/v1/files/{}", items[0]["file_id"])).await.ok();
    assert_eq!((&file["name"], &items[0]["name"]), (&json!("../odd \u{e9}.md"), &json!("../odd \u{e9}.md")));
    settled(&server, &base).await;
    assert_eq!(titles(&server, &base, "when does the gate close").await, ["../odd \u{e9}.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_fails_leaves_nothing_behind() {
    let server = Server::with("[knowledge]\nfiles = 1");
    let base = base(&server).await;
    let two = || Parts::new().file("a.txt", b"A").file("b.txt", b"B");
    upload(&server, &base, two()).await.fails(413, "knowledge_base_full");
    upload(&server, "kb_none", two()).await.fails(404, "knowledge_base_not_found");
    upload(&server, &base, Parts::new().field("note", "x")).await.fails_at(
        400,
        "validation_failed",
        "/files",
    );
    let kind = "multipart/form-data; boundary=x";
    let path = format!("/knowledgebase/{base}/files");
    let broken = server
        .request(Method::POST, &path)
        .body(kind, "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\nabc");
    broken.send().await.fails(400, "malformed_multipart");
    let for_base = server.upload(two().field("knowledgeId", &base)).await;
    for_base.fails(413, "knowledge_base_full");
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 0);
    assert_eq!(count(&server, &base).await, 0);
    settle("a tidy blob folder", async || server.stored("blobs").is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_of_files_can_name_a_base_and_is_answered_as_ever() {
    let server = Server::start();
    let base = base(&server).await;
    let parts =
        Parts::new().field("knowledgeId", &base).file("a.txt", b"Anchor here.").file("b.txt", b"Moor there.");
    let files = server.upload(parts).await.ok();
    assert_eq!(keys(&files[0]), ["url", "id", "bytes", "name", "meta"]);
    let list = server.get(&format!("/knowledgebase/files?knowledgeId={base}")).await.ok();
    let told: Vec<Value> = list["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| json!([item["file_id"], item["folder"]]))
        .collect();
    assert_eq!(told, [json!([files[1]["id"], "home"]), json!([files[0]["id"], "home"])]);
    settled(&server, &base).await;
    assert_eq!(titles(&server, &base, "anchor").await, ["a.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn data_is_added_once_under_an_idempotency_key() {
    let server = Server::start();
    let base = base(&server).await;
    let path = format!("/knowledgebase/{base}/files");
    let json = async |content: &str| {
        let call = server.request(Method::POST, &path).header("idempotency-key", "j");
        call.json(&json!({"texts": [text("t", content)]})).send().await
    };
    let first = json("A").await.ok();
    let again = json("A").await;
    assert_eq!((again.ok(), again.header("idempotency-replayed")), (first, "true"));
    json("B").await.fails(409, "idempotency_key_reused");
    let parts = async |content: &[u8]| {
        let call = server.request(Method::POST, &path).header("idempotency-key", "m");
        call.multipart(Parts::new().file("m.txt", content)).send().await
    };
    let first = parts(b"M").await.ok();
    assert_eq!(parts(b"M").await.ok(), first);
    parts(b"N").await.fails(409, "idempotency_key_reused");
    assert_eq!(count(&server, &base).await, 2);
    settle("the blobs of two contents", async || server.stored("blobs").len() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_fails_by_itself_and_says_why() {
    let server = Server::start();
    let base = base(&server).await;
    let parts = Parts::new()
        .file("locked.pdf", &encrypted_pdf())
        .file("empty.txt", b"")
        .file("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01")
        .file("good.txt", b"Good words.");
    let items = upload(&server, &base, parts).await.ok()["files"].clone();
    let mut told = Vec::new();
    for item in items.as_array().unwrap() {
        let item = done(&server, item["id"].as_str().unwrap()).await;
        told.push(json!([item["name"], item["status"], item["error"]["code"]]));
        assert_eq!(item["error"].is_null(), item["status"] == "ready", "{item}");
    }
    assert_eq!(told[0], json!(["locked.pdf", "failed", "document_encrypted"]));
    assert_eq!(told[1], json!(["empty.txt", "failed", "document_empty"]));
    assert_eq!((&told[2][1], &told[3]), (&json!("failed"), &json!(["good.txt", "ready", null])));
    let blank = added(&server, &base, json!({"chunks": [{"title": "t", "content": " \n"}]})).await.remove(0);
    assert_eq!((&blank["status"], &blank["error"]["code"]), (&json!("failed"), &json!("document_empty")));
    let failed = server.get(&format!("/knowledgebase/files?knowledgeId={base}&status=failed")).await.ok();
    assert_eq!(failed["meta"]["total_items"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_takes_no_more_than_it_may_have() {
    let server = Server::with("[knowledge]\nfiles = 3\nadded = 4");
    let base = base(&server).await;
    let texts = |from: usize, count: usize| -> Value {
        let texts = (from..from + count).map(|n| text("t", &format!("content {n}")));
        json!({"texts": texts.collect::<Vec<_>>()})
    };
    add(&server, &base, texts(0, 5)).await.fails_at(400, "validation_failed", "");
    add(&server, &base, texts(0, 4)).await.fails(413, "knowledge_base_full");
    add(&server, &base, texts(0, 3)).await.ok();
    add(&server, &base, texts(3, 1)).await.fails(413, "knowledge_base_full");
    assert_eq!(count(&server, &base).await, 3);
}
