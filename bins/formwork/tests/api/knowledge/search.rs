//! Searches over HTTP.

use serde_json::{Value, json};

use super::kit::{added, base, done, found, keys, ready_text, search, settled, text, titles};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn a_result_tells_what_it_is_and_where_it_stands() {
    let server = Server::start();
    let base = base(&server).await;
    let body = json!({"chunks": [
        {"title": "Tariff", "content": "Pilotage costs 320 EUR a ship.", "page": 1, "meta": {"year": 2026}},
        {"title": "Tariff", "content": "Tugs cost 410 EUR an hour.", "page": 2, "meta": {"year": 2026}}
    ]});
    let item = added(&server, &base, body).await.remove(0);
    done(&server, item["id"].as_str().unwrap()).await;
    let hits = found(&server, &base, "what do tugs cost").await;
    let hit = &hits[0];
    assert_eq!(keys(hit)[..7], ["id", "file", "title", "page", "score", "text", "meta"]);
    assert_eq!(hit["id"], format!("{}:1", item["id"].as_str().unwrap()));
    assert_eq!(
        json!([hit["file"], hit["title"], hit["page"], hit["text"], hit["meta"]]),
        json!([item["id"], "Tariff", 2, "Tugs cost 410 EUR an hour.", {"year": 2026}])
    );
    let score = hit["score"].as_f64().unwrap();
    assert!(0.0 < score && score <= 1.0, "{score}");
    let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let versioned =
        server.post(&format!("/v1/knowledgebase/{base}/search"), json!({"query": "what do tugs cost"})).await;
    assert_eq!(versioned.ok()["results"], json!(hits));
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_limited_filtered_and_joined_with_their_neighbours() {
    let server = Server::start();
    let base = base(&server).await;
    let texts: Vec<Value> = (0..15)
        .map(|n| json!({"title": format!("t{n}"), "content": format!("Harbour notice {n}."), "meta": {"n": n, "even": n % 2 == 0}}))
        .collect();
    let pages: Vec<Value> = (1..=5)
        .map(|n| json!({"title": "Pages", "content": format!("Folio {n} tells of matter {n}."), "page": n}))
        .collect();
    added(&server, &base, json!({"texts": texts, "chunks": pages})).await;
    settled(&server, &base).await;
    let titles = async |body: Value| -> Vec<String> {
        let answer = search(&server, &base, body).await.ok();
        let hits = answer["results"].as_array().unwrap();
        hits.iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(json!({"query": "harbour notice"})).await.len(), 10);
    assert_eq!(titles(json!({"query": "harbour notice", "limit": 100})).await.len(), 15);
    assert_eq!(titles(json!({"query": "harbour notice", "limit": 1})).await.len(), 1);
    let filter = json!({"or": [{"n": {"in": [3, 5]}}, {"and": [{"n": {"gte": 13}}, {"even": true}]}]});
    let mut some = titles(json!({"query": "harbour notice", "filter": filter})).await;
    some.sort();
    assert_eq!(some, ["t14", "t3", "t5"]);
    assert!(titles(json!({"query": "harbour notice", "filter": {"n": {"gt": 99}}})).await.is_empty());
    assert!(titles(json!({"query": "harbour notice", "minScore": 1.0})).await.len() < 10);
    let joined = search(&server, &base, json!({"query": "matter 3", "limit": 1, "neighbours": 1})).await.ok();
    let hit = &joined["results"][0];
    assert_eq!(
        (&hit["page"], hit["text"].as_str().unwrap().matches("Folio").count()),
        (&json!(2), 3),
        "{hit}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_breaks_a_rule_is_refused_with_its_place() {
    let server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "t", "Some words.").await;
    for (body, code, place) in [
        (json!({}), "validation_failed", ""),
        (json!({"query": ""}), "validation_failed", "/query"),
        (json!({"query": " \n"}), "validation_failed", "/query"),
        (json!({"query": "x".repeat(10_001)}), "validation_failed", "/query"),
        (json!({"query": 1}), "validation_failed", "/query"),
        (json!({"query": "x", "limit": 0}), "validation_failed", "/limit"),
        (json!({"query": "x", "limit": 101}), "validation_failed", "/limit"),
        (json!({"query": "x", "limit": -1}), "validation_failed", "/limit"),
        (json!({"query": "x", "limit": "5"}), "validation_failed", "/limit"),
        (json!({"query": "x", "limit": 1.5}), "validation_failed", "/limit"),
        (json!({"query": "x", "mode": "magic"}), "validation_failed", "/mode"),
        (json!({"query": "x", "mode": "semantic"}), "no_embedding_model", "/mode"),
        (json!({"query": "x", "minScore": 1.1}), "validation_failed", "/minScore"),
        (json!({"query": "x", "minScore": -0.1}), "validation_failed", "/minScore"),
        (json!({"query": "x", "neighbours": 11}), "validation_failed", "/neighbours"),
        (json!({"query": "x", "distinct": "yes"}), "validation_failed", "/distinct"),
        (json!({"query": "x", "exact": 1}), "validation_failed", "/exact"),
        (json!({"query": "x", "filter": []}), "validation_failed", "/filter"),
        (json!({"query": "x", "filter": "a"}), "validation_failed", "/filter"),
        (json!({"query": "x", "filter": {"a": {"like": 1}}}), "validation_failed", "/filter/a/like"),
    ] {
        search(&server, &base, body).await.fails_at(400, code, place);
    }
    for fine in [
        json!({"query": "words", "mode": "lexical"}),
        json!({"query": "words", "mode": "hybrid"}),
        json!({"query": "words", "mode": "hybrid", "exact": true}),
        json!({"query": "words", "mode": null, "filter": null, "limit": null, "distinct": true}),
    ] {
        assert_eq!(search(&server, &base, fine).await.ok()["results"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_words_can_be_searched_for() {
    let server = Server::start();
    let base = base(&server).await;
    let texts = [
        ("de", "Die Schleuse öffnet um sechs Uhr für Fährschiffe."),
        ("zh", "港口的灯塔在夜里发出白光。"),
        ("ar", "المنارة تضيء الميناء ليلا."),
        ("en", "The customs office (room 4/B) answers c++ & \"quoted\" questions."),
    ];
    added(&server, &base, json!({"texts": texts.map(|(title, content)| text(title, content))})).await;
    settled(&server, &base).await;
    for (query, title) in [
        ("Fährschiff Schleuse", "de"),
        ("灯塔", "zh"),
        ("المنارة", "ar"),
        ("room 4/B", "en"),
        ("\"quoted\" AND (customs OR -", "en"),
        ("customs*:^~[]{}\\ +-!", "en"),
    ] {
        assert_eq!(titles(&server, &base, query).await.first().map(String::as_str), Some(title), "{query}");
    }
    for nothing in ["zzz", "!!!", "()", "\u{0}", "*", "🍐", &"a ".repeat(4_000)] {
        search(&server, &base, json!({"query": nothing})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bases_do_not_see_each_other() {
    apart(&Server::start()).await;
}

/// What is in one base is found in no other.
pub(crate) async fn apart(server: &Server) {
    let (one, two) = (base(server).await, base(server).await);
    ready_text(server, &one, "one", "The mooring lines of the first.").await;
    ready_text(server, &two, "two", "The mooring lines of the second.").await;
    assert_eq!(titles(server, &one, "mooring lines").await, ["one"]);
    assert_eq!(titles(server, &two, "mooring lines").await, ["two"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_only_read_searches() {
    let server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "t", "Some words.").await;
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let path = format!("/knowledgebase/{base}/search");
    let call = server.request(reqwest::Method::POST, &path).key(&read).json(&json!({"query": "words"}));
    assert_eq!(call.send().await.ok()["results"][0]["title"], "t");
}
