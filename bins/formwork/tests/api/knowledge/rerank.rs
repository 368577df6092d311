//! Searches whose results a model reranks, before a scripted server.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{added, base_with, search, settled};
use crate::generate::kit::{booked, own};
use crate::kit::Server;

/// The model of the scripted server.
const MODEL: &str = "lab/bge-reranker-v2-m3@formwork";

type Script = Arc<Mutex<fn(&ReceivedRequest) -> Reply>>;

fn documents(request: &ReceivedRequest) -> Vec<String> {
    let documents = request.json()["documents"].clone();
    documents.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Scores the later documents higher.
fn reversing(request: &ReceivedRequest) -> Reply {
    let entry = |at: usize| json!({"index": at, "relevance_score": at as f64 - 2.5});
    let results: Vec<Value> = (0..documents(request).len()).map(entry).collect();
    Reply::json(200, &json!({"results": results, "usage": {"total_tokens": 40}}))
}

/// A server that reranks as the script says, and a server of knowledge bases before it.
fn before(more: &str) -> (Upstream, Script, Server) {
    let script: Script = Arc::new(Mutex::new(reversing));
    let played = Arc::clone(&script);
    let lab = Upstream::start(move |request: &ReceivedRequest| match request.path.as_str() {
        "/v1/models" => {
            Reply::json(200, &json!({"data": [{"id": "bge-reranker-v2-m3"}, {"id": "llama3.3"}]}))
        }
        "/v1/rerank" => (*played.lock())(request),
        path => Reply::whole(404, "text/plain", path.to_owned()),
    })
    .unwrap();
    let server = Server::with(&format!("{more}\n[models]\nretries = 0\n{}", own("lab", &lab.url())));
    (lab, script, server)
}

/// A base with four notices.
async fn harbour(server: &Server, mut settings: Value) -> String {
    settings["name"] = json!("Harbour");
    let base = base_with(server, settings).await;
    let texts: Vec<Value> = ["one", "two", "three", "four"]
        .map(|name| json!({"title": name, "content": format!("Harbour notice {name}.")}))
        .into();
    added(server, &base, json!({ "texts": texts })).await;
    settled(server, &base).await;
    base
}

fn titles(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().unwrap();
    results.iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect()
}

fn picked(titles: &[String], places: &[usize]) -> Vec<String> {
    places.iter().map(|place| titles[*place].clone()).collect()
}

async fn asked(server: &Server, base: &str, more: Value) -> Value {
    let mut body = json!({"query": "harbour notice"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    search(server, base, body).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn rerankers_of_own_servers_are_listed_and_write_no_answers() {
    let (_lab, _script, server) = before("");
    let listed = server.get("/v1/models?provider=formwork").await.ok();
    let model = listed.as_array().unwrap().iter().find(|model| model["modelId"] == MODEL).unwrap();
    assert_eq!(model["type"], "text-to-score");
    server
        .post("/v2/generate", json!({"modelId": MODEL, "prompt": "Hello"}))
        .await
        .fails(400, "model_cannot");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_reranked_where_it_asks_for_it() {
    let (lab, _script, server) = before("");
    let base = harbour(&server, json!({})).await;
    let plain = asked(&server, &base, json!({})).await;
    let first = titles(&plain);
    assert_eq!(first.len(), 4);
    assert!(plain["results"][0].get("rerankScore").is_none(), "{plain}");
    assert_eq!(lab.requests().iter().filter(|sent| sent.path == "/v1/rerank").count(), 0);

    let reranked = asked(&server, &base, json!({"rerank": {"model": MODEL}})).await;
    let reversed: Vec<String> = first.iter().rev().cloned().collect();
    assert_eq!(titles(&reranked), reversed);
    assert_eq!((&reranked["results"][0]["rerankScore"], reranked.get("warnings")), (&json!(0.5), None));
    // The score is still that of the first stage.
    let score = |answer: &Value, title: &str| {
        let hit = answer["results"].as_array().unwrap().iter().find(|hit| hit["title"] == title);
        hit.unwrap()["score"].clone()
    };
    assert!(first.iter().all(|title| score(&plain, title) == score(&reranked, title)));
    let sent = lab.requests().pop().unwrap();
    assert_eq!(
        (&sent.json()["model"], &sent.json()["query"]),
        (&json!("bge-reranker-v2-m3"), &json!("harbour notice"))
    );
    assert!(documents(&sent)[0].starts_with("Harbour notice"));

    // What is not reranked follows in the order of the first stage.
    let some = asked(&server, &base, json!({"rerank": {"model": MODEL, "depth": 2}})).await;
    assert_eq!(titles(&some), picked(&first, &[1, 0, 2, 3]));
    assert!(
        some["results"][1].get("rerankScore").is_some() && some["results"][2].get("rerankScore").is_none()
    );
    // A result beyond the limit of the search may be the best one.
    let best = asked(&server, &base, json!({"limit": 1, "rerank": {"model": MODEL, "depth": 4}})).await;
    assert_eq!(titles(&best), [first[3].clone()]);
    // The minimum score is one of the first stage.
    let none = asked(&server, &base, json!({"minScore": 1.0, "rerank": {"model": MODEL}})).await;
    assert!(titles(&none).is_empty());

    let report = booked(&server, 3).await;
    assert_eq!(report["total"]["inputTokens"], 120, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_reranks_by_its_settings_and_a_search_can_do_without() {
    let (_lab, _script, server) = before("");
    let base = harbour(&server, json!({"rerankModel": MODEL, "rerankDepth": 3})).await;
    let path = format!("/knowledgebase/{base}");
    let shown = server.get(&path).await.ok();
    assert_eq!(json!([shown["rerankModel"], shown["rerankDepth"]]), json!([MODEL, 3]));
    let plain = titles(&asked(&server, &base, json!({"rerank": {"depth": 0}})).await);
    let reranked = titles(&asked(&server, &base, json!({})).await);
    assert_eq!(reranked, picked(&plain, &[2, 1, 0, 3]));
    let deeper = titles(&asked(&server, &base, json!({"rerank": {"depth": 4}})).await);
    assert_eq!(deeper[0], plain[3]);
    assert_eq!(server.put(&path, json!({"name": "Other"})).await.ok()["rerankModel"], MODEL);
    let changed = server.put(&path, json!({"rerankModel": null, "rerankDepth": 7})).await.ok();
    assert_eq!(json!([changed["rerankModel"], changed["rerankDepth"]]), json!([null, 7]));
    assert_eq!(titles(&asked(&server, &base, json!({})).await), plain);
    let standard = harbour(&server, json!({})).await;
    let shown = server.get(&format!("/knowledgebase/{standard}")).await.ok();
    assert_eq!(json!([shown["rerankModel"], shown["rerankDepth"]]), json!([null, 50]));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_right_scores_in_time_the_order_of_the_first_stage_stands() {
    let (_lab, script, server) = before("[knowledge]\nrerank_ms = 400");
    let base = harbour(&server, json!({"rerankModel": MODEL})).await;
    let plain = asked(&server, &base, json!({"rerank": {"depth": 0}})).await;
    let failures: [fn(&ReceivedRequest) -> Reply; 7] = [
        |_| Reply::json(500, &json!({"error": {"message": "out of order"}})),
        |_| Reply::json(200, &json!({"results": []})),
        |_| Reply::json(200, &json!({"results": [{"index": 3, "relevance_score": 1.0}]})),
        |_| {
            let twice = json!({"index": 0, "relevance_score": 1.0});
            Reply::json(200, &json!({"results": [twice, twice, twice, twice]}))
        },
        |_| {
            let beyond = |at: usize| json!({"index": at + 1, "relevance_score": at});
            Reply::json(200, &json!({"results": (0..4).map(beyond).collect::<Vec<_>>()}))
        },
        |_| Reply::whole(200, "application/json", r#"{"results": [{"index": 0, "relevance_score": NaN}]}"#),
        |_| {
            let slow = Reply::chunked(200, &[("content-type", "application/json")]);
            slow.wait(Duration::from_secs(20)).chunk("{}").end()
        },
    ];
    for (at, failure) in failures.into_iter().enumerate() {
        *script.lock() = failure;
        for asks in [json!({}), json!({"rerank": {"model": MODEL, "depth": 10}})] {
            let answer = asked(&server, &base, asks).await;
            assert_eq!(answer["results"], plain["results"], "{at}");
            assert_eq!(answer["warnings"][0]["code"], "not_reranked", "{at}: {answer}");
        }
        // A good answer in between keeps the circuit breaker closed, so that each failure is tried.
        *script.lock() = reversing;
        assert_eq!(titles(&asked(&server, &base, json!({})).await)[0], titles(&plain)[3]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_reranking_is_refused_with_its_place() {
    let (_lab, _script, server) = before("");
    let base = harbour(&server, json!({})).await;
    // The list of the server tells what its models do.
    server.get("/v1/models?provider=formwork").await.ok();
    for (rerank, code, place) in [
        (json!(true), "validation_failed", "/rerank"),
        (json!([MODEL, 5]), "validation_failed", "/rerank"),
        (json!({"model": 1}), "validation_failed", "/rerank/model"),
        (json!({"model": MODEL, "depth": 201}), "validation_failed", "/rerank/depth"),
        (json!({"model": MODEL, "depth": -1}), "validation_failed", "/rerank/depth"),
        (json!({"model": MODEL, "depth": "5"}), "validation_failed", "/rerank/depth"),
        (json!({}), "validation_failed", "/rerank/model"),
        (json!({"depth": 5}), "validation_failed", "/rerank/model"),
        (json!({"model": "none"}), "unknown_model", "/rerank/model"),
        (json!({"model": "other/x@formwork"}), "unknown_model", "/rerank/model"),
        (json!({"model": "extractive@formwork"}), "unknown_model", "/rerank/model"),
        (json!({"model": "lab/llama3.3@formwork"}), "unknown_model", "/rerank/model"),
    ] {
        let body = json!({"query": "harbour", "rerank": rerank});
        search(&server, &base, body).await.fails_at(400, code, place);
    }
    for (more, code, place) in [
        (json!({"rerankModel": "extractive@formwork"}), "unknown_model", "/rerankModel"),
        (json!({"rerankModel": ["x"]}), "validation_failed", "/rerankModel"),
        (json!({"rerankDepth": 0}), "validation_failed", "/rerankDepth"),
        (json!({"rerankDepth": 201}), "validation_failed", "/rerankDepth"),
        (json!({"rerankDepth": -1}), "validation_failed", "/rerankDepth"),
    ] {
        let path = format!("/knowledgebase/{base}");
        let before = server.get(&path).await.ok();
        server.put(&path, more).await.fails_at(400, code, place);
        assert_eq!(server.get(&path).await.ok(), before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passages_of_an_answer_are_reranked_too() {
    let (_lab, script, server) = before("[knowledge]\nrerank_ms = 400");
    let base = harbour(&server, json!({})).await;
    let ask = async |rerank: Value| {
        let entry = json!({"id": base, "limit": 1, "rerank": rerank});
        let body =
            json!({"modelId": "extractive@formwork", "prompt": "harbour notice", "knowledge": [entry]});
        server.post("/v2/generate", body).await
    };
    let title = |answer: &Value| answer["context"][0]["title"].as_str().unwrap().to_owned();
    let plain = ask(json!(null)).await.ok();
    let all = titles(&asked(&server, &base, json!({})).await);
    assert_eq!(title(&plain), all[0]);
    let reranked = ask(json!({"model": MODEL, "depth": 4})).await.ok();
    assert_eq!((title(&reranked), reranked["context"].as_array().unwrap().len()), (all[3].clone(), 1));
    *script.lock() = |_| Reply::json(500, &json!({}));
    let failed = ask(json!({"model": MODEL})).await.ok();
    assert_eq!(title(&failed), all[0]);
    assert!(failed["warnings"].to_string().contains("the results are not reranked"), "{failed}");
    ask(json!({"model": "none"})).await.fails_at(400, "validation_failed", "/knowledge/0/rerank/model");
    ask(json!({"model": MODEL, "depth": 999})).await.fails_at(
        400,
        "validation_failed",
        "/knowledge/0/rerank/depth",
    );
    ask(json!({"depth": 3})).await.fails(400, "validation_failed");
}
