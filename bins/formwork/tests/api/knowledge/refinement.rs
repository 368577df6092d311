//! Searches with filters by what the server knows, facets, groups and pages, and in several knowledge bases.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{added, base, keys, search, settled};
use crate::kit::{Answer, Server};

fn titles(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().unwrap().iter().map(|hit| hit["title"].as_str().unwrap()).collect()
}

/// A base with notices of several years.
async fn notices(server: &Server, years: &[u32]) -> String {
    let base = base(server).await;
    let texts: Vec<Value> = years
        .iter()
        .map(|year| json!({"title": format!("n{year}"), "content": format!("Harbour notice of {year}."), "meta": {"year": year}}))
        .collect();
    added(server, &base, json!({"texts": texts})).await;
    settled(server, &base).await;
    base
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_compare_what_the_server_knows_of_a_file() {
    let server = Server::start();
    let base = notices(&server, &[2024, 2025]).await;
    let chunks = json!({"chunks": [{"title": "tariff", "content": "Harbour notice on tugs."}]});
    let item = added(&server, &base, chunks).await.remove(0);
    settled(&server, &base).await;
    for (filter, expected) in [
        (json!({"$file": item["id"]}), vec!["tariff"]),
        (json!({"$title": {"in": ["n2024", "tariff"]}}), vec!["n2024", "tariff"]),
        (json!({"$source": "text"}), vec!["n2024", "n2025"]),
        (json!({"$created": {"gt": "2000-01-01T00:00:00Z"}, "year": 2025}), vec!["n2025"]),
        (json!({"$updated": {"lt": "2000-01-01T00:00:00Z"}}), vec![]),
    ] {
        let found = search(&server, &base, json!({"query": "harbour notice", "filter": filter})).await.ok();
        let mut titles = titles(&found);
        titles.sort_unstable();
        assert_eq!(titles, expected, "{filter}");
    }
    for (filter, place) in [
        (json!({"$pages": 1}), "/filter/$pages"),
        (json!({"$created": {"gte": "today"}}), "/filter/$created/gte"),
    ] {
        let answer = search(&server, &base, json!({"query": "x", "filter": filter})).await;
        answer.fails_at(400, "validation_failed", place);
    }
    // Contexts of answers and the filters of keys have the same grammar.
    let ask = json!({
        "modelId": "extractive@formwork", "prompt": "harbour notice",
        "knowledge": [{"id": base, "filter": {"$title": "n2025"}}]
    });
    let context = server.post("/v2/generate", ask).await.ok()["context"].clone();
    assert_eq!((context.as_array().unwrap().len(), &context[0]["title"]), (1, &json!("n2025")));
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    let key = async |filter: Value| {
        let new = json!({"name": "part", "bases": [base], "filter": filter});
        server.request(Method::POST, "/v1/keys").key(&admin).json(&new).send().await
    };
    key(json!({"$nothing": 1})).await.fails_at(400, "validation_failed", "/filter/$nothing");
    let secret = key(json!({"$source": "chunks"})).await.ok()["secret"].as_str().unwrap().to_owned();
    let asked = json!({"query": "harbour notice"});
    let path = format!("/knowledgebase/{base}/search");
    let found = server.request(Method::POST, &path).key(&secret).json(&asked).send().await.ok();
    assert_eq!(titles(&found), ["tariff"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn facets_groups_and_pages_are_told_in_the_answer() {
    let server = Server::start();
    let base = notices(&server, &(2000..2030).collect::<Vec<_>>()).await;
    let pages: Vec<Value> = (1..=12)
        .map(|n| json!({"title": "log", "content": format!("Harbour notice, page {n}."), "page": n}))
        .collect();
    added(&server, &base, json!({"chunks": pages})).await;
    settled(&server, &base).await;
    let ask = async |more: Value| {
        let mut body = json!({"query": "harbour notice"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        search(&server, &base, body).await.ok()
    };
    let plain = ask(json!({})).await;
    assert_eq!(keys(&plain), ["results"]);
    let facets = ask(json!({"facets": ["$source", "year"], "filter": {"or": [{"year": {"gte": 2010}}, {"$title": "log"}]}})).await;
    assert_eq!(
        facets["facets"][0],
        json!({"field": "$source", "truncated": false, "values": [{"value": "text", "count": 20}, {"value": "chunks", "count": 1}]})
    );
    assert_eq!(facets["facets"][1]["values"].as_array().unwrap().len(), 20);
    let grouped = ask(json!({"groupBy": "file", "limit": 100})).await;
    assert_eq!(grouped["results"].as_array().unwrap().len(), 31);
    let log = grouped["results"].as_array().unwrap().iter().find(|hit| hit["title"] == "log").unwrap();
    assert_eq!((&log["otherChunks"], &log["knowledgeId"]), (&json!(11), &json!(base)));
    assert!(plain["results"][0].get("otherChunks").is_none());
    let whole = ask(json!({"offset": 0, "limit": 100})).await;
    assert_eq!((whole["results"].as_array().unwrap().len(), &whole["nextOffset"]), (42, &Value::Null));
    let mut seen = Vec::new();
    let mut offset = json!(0);
    while !offset.is_null() {
        let page = ask(json!({"offset": offset, "limit": 20})).await;
        seen.extend(page["results"].as_array().unwrap().clone());
        offset = page["nextOffset"].clone();
    }
    assert_eq!(json!(seen), whole["results"]);
    for (body, place) in [
        (json!({"offset": 991}), "/offset"),
        (json!({"offset": -1}), "/offset"),
        (json!({"offset": "1"}), "/offset"),
        (json!({"groupBy": "title"}), "/groupBy"),
        (json!({"facets": ["a", "$updated"]}), "/facets/1"),
        (json!({"facets": "year"}), "/facets"),
    ] {
        let mut asked = json!({"query": "x"});
        asked.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        search(&server, &base, asked).await.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_knowledge_bases_are_searched_at_once_within_the_rights_of_the_key() {
    let server = Server::start();
    let (one, two) = (notices(&server, &[2001, 2002]).await, notices(&server, &[2001, 2003]).await);
    let post = async |key: &str, body: Value| -> Answer {
        server.request(Method::POST, "/knowledgebase/search").key(key).json(&body).send().await
    };
    let body = |bases: Value| json!({"query": "harbour notice", "knowledge": bases, "facets": ["year"]});
    let found =
        post(&server.key, body(json!([{"id": one}, {"id": two, "filter": {"year": 2003}}]))).await.ok();
    let mut places: Vec<(&str, &str)> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| (hit["title"].as_str().unwrap(), hit["knowledgeId"].as_str().unwrap()))
        .collect();
    places.sort_unstable();
    assert_eq!(places, [("n2001", one.as_str()), ("n2002", &one), ("n2003", &two)]);
    assert_eq!(found["facets"][0]["values"].as_array().unwrap().len(), 3);
    let versioned = server.post("/v1/knowledgebase/search", body(json!([{"id": one}]))).await.ok();
    assert_eq!(versioned["results"].as_array().unwrap().len(), 2);
    post(&server.key, body(json!([{"id": one}, {"id": "kb_none"}])))
        .await
        .fails(404, "knowledge_base_not_found");
    for (bases, place) in [
        (Value::Null, "/knowledge"),
        (json!([]), "/knowledge"),
        (json!([{"id": one}, {"id": one}]), "/knowledge/1/id"),
        (json!([{"id": one, "limit": 0}]), "/knowledge/0/limit"),
        (json!([{"id": one, "filter": {"a": {"like": 1}}}]), "/knowledge/0/filter/a/like"),
    ] {
        post(&server.key, body(bases)).await.fails_at(400, "validation_failed", place);
    }
    post(&server.key, json!({"query": "x"})).await.fails_at(400, "validation_failed", "/knowledge");
    let semantic = body(json!([{"id": one, "mode": "semantic"}]));
    post(&server.key, semantic).await.fails_at(400, "no_embedding_model", "/mode");
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    let new = json!({"name": "part", "bases": [one], "filter": {"year": 2002}});
    let issued = server.request(Method::POST, "/v1/keys").key(&admin).json(&new).send().await.ok();
    let secret = issued["secret"].as_str().unwrap();
    assert_eq!(titles(&post(secret, body(json!([{"id": one}]))).await.ok()), ["n2002"]);
    let wider = body(json!([{"id": one, "filter": {"year": 2001}}]));
    assert!(titles(&post(secret, wider).await.ok()).is_empty());
    post(secret, body(json!([{"id": one}, {"id": two}]))).await.fails(403, "restricted_key");
    let stranger = server.stranger();
    post(&stranger, body(json!([{"id": one}]))).await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_has_syntax_only_where_it_is_asked_for() {
    let server = Server::start();
    let base = base(&server).await;
    let texts = json!({"texts": [
        {"title": "first", "content": "The harbour master decides about the cost of tugs in every port of the coast."},
        {"title": "second", "content": "The harbour master says that tugs in every port of the coast have no fixed cost."}
    ]});
    added(&server, &base, texts).await;
    settled(&server, &base).await;
    let ask = async |query: &str, syntax: Value| {
        let found = search(&server, &base, json!({"query": query, "syntax": syntax})).await.ok();
        let mut titles: Vec<String> = titles(&found).into_iter().map(str::to_owned).collect();
        titles.sort();
        (titles.concat(), found["warnings"][0]["code"].clone())
    };
    for (query, expected) in [
        ("\"cost of tugs\"", "first"),
        ("tugs -fixed", "first"),
        ("harb*", "firstsecond"),
        ("tugs title:second", "second"),
        ("tugs site:port.example", ""),
    ] {
        assert_eq!(ask(query, json!("query")).await, (expected.to_owned(), Value::Null), "{query}");
        if expected == "first" {
            assert_eq!(ask(query, json!("words")).await.0, "firstsecond", "{query}");
            assert_eq!(ask(query, Value::Null).await.0, "firstsecond", "{query}");
        }
    }
    assert_eq!(ask("tugs \"cost", json!("query")).await.1, "syntax_read_as_words");
    for (body, place) in [
        (json!({"query": "-tugs", "syntax": "query"}), "/query"),
        (json!({"query": "tugs", "syntax": "lucene"}), "/syntax"),
    ] {
        search(&server, &base, body).await.fails_at(400, "validation_failed", place);
    }
}
