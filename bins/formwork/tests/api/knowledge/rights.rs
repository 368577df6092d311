//! Keys that find only a part of a knowledge base.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Server, settle};

/// A knowledge base with texts of two tenants, and a key that finds those of one.
struct Shared {
    server: Server,
    admin: String,
    base: String,
    key: String,
}

impl Shared {
    async fn new() -> Self {
        let server = Server::start();
        let base = server.post("/knowledgebase", json!({"name": "Both"})).await.ok();
        let base = base["knowledgeId"].as_str().unwrap().to_owned();
        let texts = json!({"texts": [
            {"title": "north", "content": "The pilot of the northern port is Ada.", "meta": {"tenant": "a", "year": 2026}},
            {"title": "south", "content": "The pilot of the southern port is Bo.", "meta": {"tenant": "b", "year": 2026}},
            {"title": "open", "content": "The pilot of every port wears a cap."}
        ]});
        server.post(&format!("/knowledgebase/{base}/files"), texts).await.ok();
        let path = format!("/knowledgebase/files?knowledgeId={base}&status=ready");
        settle("the texts", async || server.get(&path).await.ok()["meta"]["total_items"] == 3).await;
        let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
        let new = json!({"name": "tenant a", "bases": [base], "filter": {"tenant": "a"}});
        let issued = server.request(Method::POST, "/v1/keys").key(&admin).json(&new).send().await.ok();
        assert_eq!(issued["filter"], json!({"tenant": "a"}));
        let key = issued["secret"].as_str().unwrap().to_owned();
        Self { server, admin, base, key }
    }

    async fn post(&self, key: &str, path: &str, body: Value) -> Answer {
        self.server.request(Method::POST, path).key(key).json(&body).send().await
    }

    /// The titles that a search with these options finds.
    async fn titles(&self, key: &str, options: Value) -> Vec<String> {
        let mut body = json!({"query": "pilot of the port"});
        body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let found = self.post(key, &format!("/knowledgebase/{}/search", self.base), body).await.ok();
        let mut titles: Vec<String> = found["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["title"].as_str().unwrap().to_owned())
            .collect();
        titles.sort();
        titles
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_what_the_filter_of_the_key_and_its_own_match() {
    let shared = Shared::new().await;
    let all = shared.titles(&shared.server.key, json!({})).await;
    assert_eq!(all, ["north", "open", "south"]);
    let none: [&str; 0] = [];
    for (options, titles) in [
        (json!({}), &["north"][..]),
        (json!({"filter": {"year": 2026}}), &["north"]),
        (json!({"filter": {"tenant": "b"}}), &none),
        (json!({"filter": {"or": [{"tenant": "b"}, {"tenant": "a"}]}}), &["north"]),
        (json!({"filter": {"not": {"tenant": "a"}}}), &none),
        (json!({"filter": {}, "neighbours": 10}), &["north"]),
        (json!({"filter": null}), &["north"]),
    ] {
        assert_eq!(shared.titles(&shared.key, options.clone()).await, titles, "{options}");
    }
    let not = json!({"filter": {"not": {"or": [{"tenant": "a"}, {"tenant": "b"}]}}});
    assert_eq!(shared.titles(&shared.server.key, not).await, ["open"]);
    let wrong = json!({"query": "pilot", "filter": {"tenant": {"like": "b"}}});
    let path = format!("/knowledgebase/{}/search", shared.base);
    let answer = shared.post(&shared.key, &path, wrong).await;
    answer.fails_at(400, "validation_failed", "/filter/tenant/like");
    let store = format!("/openai/v1/vector_stores/{}/search", shared.base);
    let found = shared.post(&shared.key, &store, json!({"query": "pilot"})).await.ok();
    let names: Vec<&Value> = found["data"].as_array().unwrap().iter().map(|one| &one["filename"]).collect();
    assert_eq!(names, ["north"]);
    let other = json!({"type": "eq", "key": "tenant", "value": "b"});
    let found = shared.post(&shared.key, &store, json!({"query": "pilot", "filters": other})).await.ok();
    assert_eq!(found["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_cites_nothing_that_the_filter_of_the_key_excludes() {
    let shared = Shared::new().await;
    let base = &shared.base;
    let ask = async |body: Value| {
        let mut asked =
            json!({"modelId": "extractive@formwork", "prompt": "Who is the pilot of the southern port?"});
        asked.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        shared.post(&shared.key, "/v2/generate", asked).await.ok()
    };
    for body in [
        json!({"knowledgeId": base}),
        json!({"knowledge": [{"id": base}]}),
        json!({"knowledgeId": base, "knowledge": [{"id": base, "filter": {"tenant": "b"}}]}),
        json!({"knowledge": [{"id": base, "filter": {"or": [{"tenant": "b"}, {"year": 2026}]}}]}),
        json!({"knowledgeId": base, "prompt": "Summarize everything."}),
    ] {
        let said = ask(body.clone()).await;
        assert!(!said.to_string().contains("Bo") && !said.to_string().contains("cap"), "{body}: {said}");
    }
    let own = ask(json!({"knowledgeId": base, "prompt": "Who is the pilot of the northern port?"})).await;
    assert!(own.to_string().contains("Ada"), "{own}");
    let model = format!("kb:{base}");
    for (path, body) in [
        (
            "/openai/v1/chat/completions",
            json!({"messages": [{"role": "user", "content": "Who is the pilot of the southern port?"}]}),
        ),
        ("/openai/v1/responses", json!({"input": "Who is the pilot of the southern port?"})),
        (
            "/anthropic/v1/messages",
            json!({"max_tokens": 100, "messages": [{"role": "user", "content": "Who is the pilot of the southern port?"}]}),
        ),
    ] {
        let mut body = body;
        body["model"] = json!(model);
        let said = shared.post(&shared.key, path, body).await.ok();
        assert!(!said.to_string().contains("Bo") && !said.to_string().contains("cap"), "{path}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_filter_of_a_key_changes_and_goes_over_to_its_successor() {
    let shared = Shared::new().await;
    let me = async |key: &str| shared.server.request(Method::GET, "/v1/me").key(key).send().await.ok();
    assert_eq!(me(&shared.key).await["key"]["filter"], json!({"tenant": "a"}));
    let path = format!("/v1/keys/{}", &shared.key[..11]);
    let change = async |body: Value| {
        shared.server.request(Method::PUT, &path).key(&shared.admin).json(&body).send().await
    };
    change(json!({"filter": {"tenant": {"in": ["a", "b"]}}})).await.ok();
    assert_eq!(shared.titles(&shared.key, json!({})).await, ["north", "south"]);
    let rotated =
        shared.post(&shared.admin, &format!("{path}/rotate"), json!({"grace_seconds": 60})).await.ok();
    assert_eq!(rotated["filter"], json!({"tenant": {"in": ["a", "b"]}}));
    change(json!({"filter": null})).await.ok();
    assert_eq!(shared.titles(&shared.key, json!({})).await.len(), 3);
    change(json!({"filter": {"tenant": {"like": 1}}})).await.fails_at(
        400,
        "validation_failed",
        "/filter/tenant/like",
    );
    let without = json!({"name": "n", "filter": {"tenant": "a"}});
    shared.post(&shared.admin, "/v1/keys", without).await.fails_at(400, "validation_failed", "/filter");
    change(json!({"filter": {"tenant": "a"}})).await.ok();
    // Without the knowledge bases, the filter would hold nothing back.
    change(json!({"bases": null})).await.fails_at(400, "validation_failed", "/filter");
    let issued = shared.server.home.told(&[
        "keys",
        "create",
        "--bases",
        &shared.base,
        "--filter",
        "{\"tenant\": \"b\"}",
    ]);
    assert_eq!(shared.titles(&issued, json!({})).await, ["south"]);
    let wrong = ["keys", "create", "--bases", &shared.base, "--filter", "{\"tenant\": []}"];
    assert!(!shared.server.home.run(&wrong).status.success());
}
