//! Sets of questions to a knowledge base, and the evaluation of its searches.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{added, base, settled};
use crate::generate::kit::own;
use crate::kit::Server;

async fn tariffs(server: &Server) -> String {
    let base = base(server).await;
    let chunks = json!({"chunks": [
        {"title": "Tariff", "content": "Pilotage costs 320 EUR a ship.", "page": 1},
        {"title": "Tariff", "content": "Tugs cost 410 EUR an hour.", "page": 2},
        {"title": "Rules", "content": "The draught at berth 4 is 9.2 m.", "page": 1}
    ]});
    added(server, &base, chunks).await;
    settled(server, &base).await;
    base
}

fn questions() -> Value {
    json!([
        {"query": "what do tugs cost", "expected": [{"title": "Tariff", "page": 2}], "answer": "410 EUR"},
        {"query": "draught berth", "answer": "9.2 m"},
        {"query": "pilotage", "expected": [{"text": "320 EUR"}, {"title": "Rules", "page": 7}]},
        {"query": "zebra crossing", "answerable": false}
    ])
}

async fn create(server: &Server, base: &str, questions: Value) -> String {
    let body = json!({"name": "What masters ask", "questions": questions});
    let made = server.post(&format!("/knowledgebase/{base}/evaluation_sets"), body).await.ok();
    made["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_are_created_read_listed_replaced_and_deleted() {
    let server = Server::start();
    let base = base(&server).await;
    let sets = format!("/knowledgebase/{base}/evaluation_sets");
    let made = server.post(&sets, json!({"name": "One", "questions": questions()})).await.ok();
    assert_eq!(json!([made["name"], made["knowledgeId"], made["questionCount"]]), json!(["One", base, 4]));
    let place = json!({"file": null, "title": "Tariff", "page": 2, "text": null});
    assert_eq!(
        made["questions"][0],
        json!({"query": "what do tugs cost", "expected": [place], "answer": "410 EUR", "answerable": true})
    );
    let one = format!("{sets}/{}", made["id"].as_str().unwrap());
    assert_eq!(server.get(&one).await.ok(), made);
    assert_eq!(server.get(&format!("/v1{one}")).await.ok(), made);
    let second = create(&server, &base, json!([{"query": "q", "answer": "a"}])).await;
    let list = server.get(&format!("{sets}?limit=1")).await.ok();
    assert_eq!(json!([list["sets"][0]["id"], list["meta"]["total_items"]]), json!([second, 2]));
    assert!(list["sets"][0].get("questions").is_none(), "{list}");
    let cursor = list["meta"]["next_cursor"].as_str().unwrap();
    let rest = server.get(&format!("{sets}?cursor={cursor}")).await.ok();
    assert_eq!(rest["sets"][0]["id"], made["id"]);

    let new = json!({"name": "Two", "questions": [{"query": "q", "answerable": false}]});
    let replaced = server.put(&one, new).await.ok();
    assert_eq!(json!([replaced["name"], replaced["questionCount"]]), json!(["Two", 1]));
    assert_eq!(replaced["created_timestamp"], made["created_timestamp"]);
    assert_eq!(server.get(&one).await.ok(), replaced);
    server.delete(&one).await.ok();
    for answer in [
        server.get(&one).await,
        server.delete(&one).await,
        server.put(&one, json!({"name": "n", "questions": [{"query": "q", "answer": "a"}]})).await,
        server.post(&format!("{one}/evaluate"), json!({"settings": [{}]})).await,
    ] {
        answer.fails(404, "evaluation_set_not_found");
    }
    for answer in [
        server.get("/knowledgebase/none/evaluation_sets").await,
        server
            .post("/knowledgebase/none/evaluation_sets", json!({"name": "n", "questions": questions()}))
            .await,
        server.get(&format!("/knowledgebase/none/evaluation_sets/{second}")).await,
    ] {
        answer.fails(404, "knowledge_base_not_found");
    }
    // A set belongs to its base, and goes with it.
    let other = super::kit::base(&server).await;
    let elsewhere = format!("/knowledgebase/{other}/evaluation_sets/{second}");
    server.get(&elsewhere).await.fails(404, "evaluation_set_not_found");
    server.delete(&format!("/knowledgebase/{base}")).await.ok();
    server.get(&format!("{sets}/{second}")).await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_made_once_for_a_key() {
    let server = Server::start();
    let base = base(&server).await;
    let path = format!("/knowledgebase/{base}/evaluation_sets");
    let body = json!({"name": "One", "questions": questions()});
    let send = async |body: &Value| {
        server.request(Method::POST, &path).header("Idempotency-Key", "k-1").json(body).send().await
    };
    assert_eq!(send(&body).await.ok(), send(&body).await.ok());
    let other = json!({"name": "Two", "questions": questions()});
    send(&other).await.fails(409, "idempotency_key_reused");
    assert_eq!(server.get(&path).await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_that_breaks_a_rule_is_refused_with_its_place_and_nothing_is_stored() {
    let server = Server::start();
    let base = base(&server).await;
    let sets = format!("/knowledgebase/{base}/evaluation_sets");
    let set = create(&server, &base, questions()).await;
    let one = format!("{sets}/{set}");
    let before = server.get(&one).await.ok();
    let asks = |question: Value| json!({"name": "n", "questions": [question]});
    let many: Vec<Value> = (0..501).map(|_| json!({"query": "q", "answer": "a"})).collect();
    for (body, place) in [
        (json!({"questions": questions()}), ""),
        (json!({"name": " ", "questions": questions()}), "/name"),
        (json!({"name": "n", "questions": []}), "/questions"),
        (json!({"name": "n", "questions": many}), "/questions"),
        (json!({"name": "n", "questions": "q"}), "/questions"),
        (asks(json!({"query": ""})), "/questions/0/query"),
        (asks(json!({"query": "q".repeat(2_001), "answer": "a"})), "/questions/0/query"),
        (asks(json!({"query": "q"})), "/questions/0"),
        (asks(json!({"query": "q", "answer": "a", "answerable": false})), "/questions/0"),
        (asks(json!({"query": "q", "answer": "\n"})), "/questions/0/answer"),
        (asks(json!({"query": "q", "expected": [{"page": 1}]})), "/questions/0/expected/0"),
        (
            asks(json!({"query": "q", "expected": [{"title": "t", "page": 0}]})),
            "/questions/0/expected/0/page",
        ),
        (
            asks(json!({"query": "q", "expected": [{"title": "t", "page": -1}]})),
            "/questions/0/expected/0/page",
        ),
        (asks(json!({"query": "q", "expected": [{"file": ""}]})), "/questions/0/expected/0/file"),
        (asks(json!({"query": "q", "expected": vec![json!({"text": "t"}); 21]})), "/questions/0/expected"),
    ] {
        server.post(&sets, body.clone()).await.fails_at(400, "validation_failed", place);
        server.put(&one, body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(server.get(&one).await.ok(), before);
    assert_eq!(server.get(&sets).await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evaluation_tells_what_was_found_and_what_was_rightly_refused() {
    let server = Server::start();
    let base = tariffs(&server).await;
    let set = create(&server, &base, questions()).await;
    let path = format!("/knowledgebase/{base}/evaluation_sets/{set}/evaluate");
    let told = server.post(&path, json!({"settings": [{"mode": "lexical"}]})).await.ok();
    assert_eq!(json!([told["complete"], told["comparison"]]), json!([true, null]));
    let run = &told["runs"][0];
    let ranks: Vec<&Value> = run["questions"].as_array().unwrap().iter().map(|one| &one["ranks"]).collect();
    assert_eq!(json!(ranks), json!([[1], [1], [1, null], []]));
    let found: Vec<&Value> =
        run["questions"].as_array().unwrap().iter().map(|one| &one["answerFound"]).collect();
    assert_eq!(json!(found), json!([true, true, null, null]));
    assert_eq!(json!([run["questions"][3]["refused"], run["questions"][3]["results"]]), json!([true, 0]));
    let scores = &run["scores"];
    assert_eq!(json!([scores["questions"], scores["answerable"], scores["failed"]]), json!([4, 3, 0]));
    // Of the four places, two thirds and a half of one third are found.
    let recall = scores["recallAt10"]["value"].as_f64().unwrap();
    assert!((recall - 2.5 / 3.0).abs() < 1e-9, "{scores}");
    assert_eq!(json!([scores["mrr"], scores["refusalRate"]["value"]]), json!([1.0, 1.0]));
    assert!(scores["ndcgAt10"].as_f64().unwrap() < 1.0);

    // With a minimum score that nothing reaches, everything is refused.
    let settings =
        json!({"settings": [{"mode": "lexical"}, {"mode": "lexical", "minScore": 1.0, "limit": 5}]});
    let both = server.post(&path, settings).await.ok();
    assert_eq!(both["runs"][0], *run);
    assert_eq!(both["runs"][1]["scores"]["empty"], 3);
    let comparison = &both["comparison"];
    assert_eq!(json!([comparison["better"], comparison["worse"], comparison["same"]]), json!([0, 3, 1]));
    assert_eq!(json!([comparison["mrr"], comparison["refusalRate"]]), json!([-1.0, 0.0]));
    assert!((comparison["chance"].as_f64().unwrap() - 0.125).abs() < 1e-9, "{comparison}");
    assert_eq!(comparison["isWorse"], false);
    // Nothing is stored.
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let call = server.request(Method::POST, &path).key(&read).json(&json!({"settings": [{}]}));
    assert_eq!(call.send().await.ok()["runs"][0]["scores"]["questions"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_settings_are_refused_with_their_place() {
    let server = Server::start();
    let base = tariffs(&server).await;
    let set = create(&server, &base, questions()).await;
    let path = format!("/knowledgebase/{base}/evaluation_sets/{set}/evaluate");
    for (settings, code, place) in [
        (json!([]), "validation_failed", "/settings"),
        (json!([{}, {}, {}]), "validation_failed", "/settings"),
        (json!([{"mode": "magic"}]), "validation_failed", "/settings/0/mode"),
        (json!([{}, {"mode": "semantic"}]), "no_embedding_model", "/settings/1/mode"),
        (json!([{"limit": 0}]), "validation_failed", "/settings/0/limit"),
        (json!([{}, {"limit": 101}]), "validation_failed", "/settings/1/limit"),
        (json!([{"minScore": 2}]), "validation_failed", "/settings/0/minScore"),
        (json!([{"filter": {"a": {"like": 1}}}]), "validation_failed", "/settings/0/filter/a/like"),
        (json!([{"rerank": {"model": "none"}}]), "unknown_model", "/settings/0/rerank/model"),
        (json!([{"rerank": {"depth": 3}}]), "validation_failed", "/settings/0/rerank/model"),
    ] {
        server.post(&path, json!({ "settings": settings })).await.fails_at(400, code, place);
    }
}

/// Scores texts with `hour` higher, or fails.
fn reranker() -> Upstream {
    Upstream::start(|request: &ReceivedRequest| {
        let body = request.json();
        let Some(documents) = body["documents"].as_array() else {
            return Reply::json(200, &json!({"data": []}));
        };
        if body["query"] == "pilotage" {
            return Reply::json(500, &json!({}));
        }
        let score = |text: &Value| if text.as_str().unwrap().contains("hour") { 0.9 } else { 0.1 };
        let entry = |(at, text): (usize, &Value)| json!({"index": at, "relevance_score": score(text)});
        Reply::json(200, &json!({"results": documents.iter().enumerate().map(entry).collect::<Vec<_>>()}))
    })
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn reranking_is_compared_with_the_first_stage() {
    let lab = reranker();
    let server = Server::with(&format!("[models]\nretries = 0\n{}", own("lab", &lab.url())));
    let base = tariffs(&server).await;
    let questions = json!([
        {"query": "what costs EUR", "expected": [{"text": "an hour"}]},
        {"query": "pilotage", "answer": "320 EUR"}
    ]);
    let set = create(&server, &base, questions).await;
    let path = format!("/knowledgebase/{base}/evaluation_sets/{set}/evaluate");
    let rerank = json!({"model": "lab/rerank-1@formwork"});
    let told = server.post(&path, json!({"settings": [{}, {"rerank": rerank}]})).await.ok();
    let second = &told["runs"][1];
    assert_eq!(second["questions"][0]["ranks"], json!([1]), "{told}");
    assert_eq!(second["questions"][1]["ranks"], json!([1]), "{told}");
    let warning = &second["warnings"][0];
    assert_eq!(json!([warning["code"], warning["questions"]]), json!(["not_reranked", 1]), "{told}");
    assert!(told["runs"][0].get("warnings").is_none());
    assert_eq!(told["comparison"]["worse"], 0);
}
