//! Positions: what a write tells, and what a search waits for.

use serde_json::{Value, json};

use super::kit::{add, base, done, search, text};
use crate::kit::{Answer, Home, Server};

#[tokio::test(flavor = "multi_thread")]
async fn a_write_tells_its_position_and_a_search_waits_for_it() {
    told(&Server::start()).await;
}

fn position(answer: &Answer) -> i64 {
    answer.header("x-index-position").parse().unwrap_or_else(|_| panic!("no position: {answer:?}"))
}

/// The titles of what is found, and the codes of the warnings.
async fn found(server: &Server, base: &str, wait_for: Value) -> (Vec<String>, Vec<String>) {
    let answer = search(server, base, json!({"query": "tugs", "wait_for": wait_for})).await.ok();
    let texts = |list: &str, key: &str| {
        let list = answer[list].as_array().into_iter().flatten();
        list.map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    (texts("results", "title"), texts("warnings", "code"))
}

/// Each write has a position, later ones a greater one, and a search that waits for it sees the write.
pub(crate) async fn told(server: &Server) {
    let base = base(server).await;
    let chunks = json!({"chunks": [{"title": "Tariff", "content": "Tugs cost 410 EUR."}]});
    let added = add(server, &base, chunks).await;
    let first = position(&added);
    let item = added.ok()["files"][0].clone();
    assert_eq!(item["index_position"], first);
    let path = format!("/knowledgebase/files/{}", item["id"].as_str().unwrap());
    assert_eq!(found(server, &base, json!(first)).await, (vec!["Tariff".to_owned()], vec![]));
    let renamed = server.put(&path, json!({"name": "Prices"})).await;
    let second = position(&renamed);
    assert!(second > first, "{second}");
    assert_eq!(server.get(&path).await.ok()["index_position"], second);
    assert_eq!(server.get(&format!("/knowledgebase/{base}")).await.ok()["index_position"], second);
    for wait_for in [json!(second), json!(true), json!(false), json!(null)] {
        assert_eq!(found(server, &base, wait_for).await, (vec!["Prices".to_owned()], vec![]));
    }
    assert!(server.get("/ready").await.ok()["index"]["position"].as_i64().unwrap() >= second);

    let texts = add(server, &base, json!({"texts": [text("Bulletin", "Tugs are late.")]})).await;
    assert_eq!(texts.header("x-index-position"), "", "nothing of it can be found yet");
    let late = texts.ok()["files"][0].clone();
    assert_eq!(late["index_position"], json!(null));
    let ready = done(server, late["id"].as_str().unwrap()).await["index_position"].as_i64().unwrap();
    assert!(ready > second);
    assert_eq!(found(server, &base, json!(ready)).await.0.len(), 2);

    let deleted = server.delete(&path).await;
    assert!(position(&deleted) > ready);
    let last = position(&server.delete(&format!("/knowledgebase/{base}/sources?delete_all=true")).await);
    let gone = position(&server.delete(&format!("/knowledgebase/{base}")).await);
    assert!(ready < last && last < gone);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_is_not_reached_is_a_warning_in_searches_and_answers() {
    let server = Server::start();
    let base = base(&server).await;
    let chunks = json!({"chunks": [{"title": "Tariff", "content": "Tugs cost 410 EUR an hour."}]});
    add(&server, &base, chunks).await.ok();
    assert_eq!(found(&server, &base, json!(true)).await.0.len(), 1);
    let (titles, codes) = found(&server, &base, json!(1_000_000)).await;
    assert_eq!((titles.len(), codes), (1, vec!["index_behind".to_owned()]));
    let question = json!({
        "modelId": "extractive@formwork", "prompt": "What do tugs cost?", "knowledgeId": base,
        "wait_for": 1_000_000, "wait_seconds": 1.0
    });
    let answer = server.post("/v2/generate", question).await.ok();
    assert!(answer["text"].as_str().unwrap().contains("410"), "{answer}");
    assert!(answer["warnings"][0].as_str().unwrap().contains("behind 1000000"), "{answer}");
    let agent = json!({"namespace": "pilot", "model_id": "extractive@formwork"});
    server.post("/v1/agent", agent).await.ok();
    let message =
        json!({"message": "What do tugs cost?", "knowledge": [{"id": base}], "wait_for": 1_000_000});
    let answer = server.post("/v1/agent/pilot/chat", message).await.ok();
    assert!(answer["warnings"].to_string().contains("behind 1000000"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_breaks_a_rule_is_refused_with_its_place() {
    let server = Server::start();
    let base = base(&server).await;
    for (wait_for, wait_seconds, place) in [
        (json!("all"), json!(null), "/wait_for"),
        (json!(-1), json!(null), "/wait_for"),
        (json!(1.5), json!(null), "/wait_for"),
        (json!([1]), json!(null), "/wait_for"),
        (json!(1), json!(11), "/wait_seconds"),
        (json!(1), json!(-1), "/wait_seconds"),
        (json!(true), json!("2"), "/wait_seconds"),
    ] {
        let wait = json!({"wait_for": wait_for, "wait_seconds": wait_seconds});
        let with = |mut body: Value| {
            body.as_object_mut().unwrap().extend(wait.as_object().unwrap().clone());
            body
        };
        let answers = [
            search(&server, &base, with(json!({"query": "x"}))).await,
            server.post("/v2/generate", with(json!({"modelId": "extractive@formwork", "prompt": "x"}))).await,
            server.post("/v1/agent/none/chat", with(json!({"message": "x"}))).await,
        ];
        for answer in answers {
            answer.fails_at(400, "validation_failed", place);
        }
    }
}

/// Two servers on one database: what one has written the other finds by the position, whatever its interval of
/// looking for changes.
pub(crate) async fn across(home: &Home) {
    let first = home.start();
    let base = base(&first).await;
    let beside = home.beside();
    let second = beside.start();
    for round in 0..12 {
        let (writer, reader) = if round % 2 == 0 { (&first, &second) } else { (&second, &first) };
        let title = format!("t{round}");
        let chunks = json!({"chunks": [{"title": title, "content": format!("Tugs of day {round}.")}]});
        let added = add(writer, &base, chunks).await;
        added.ok();
        let wait_for = if round % 3 == 0 { json!(true) } else { json!(position(&added)) };
        let body = json!({"query": format!("day {round}"), "limit": 1, "wait_for": wait_for});
        let answer = search(reader, &base, body).await.ok();
        assert_eq!(answer["results"][0]["title"], title, "{answer}");
        assert_eq!(answer["warnings"], json!(null));
    }
    let text = json!({"texts": [text("Bulletin", "A beacon is lit.")]});
    let item = add(&first, &base, text).await.ok()["files"][0]["id"].as_str().unwrap().to_owned();
    let position = done(&first, &item).await["index_position"].clone();
    let body = json!({"query": "beacon", "limit": 1, "wait_for": position});
    assert_eq!(search(&second, &base, body).await.ok()["results"][0]["title"], "Bulletin");
}
