//! Bases themselves.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{add, base, base_with, keys, text};
use crate::kit::{Home, Server};

#[tokio::test(flavor = "multi_thread")]
async fn a_base_is_made_with_its_fields_and_their_defaults() {
    let server = Server::start();
    let made = server.post("/knowledgebase", json!({"name": "Harbour", "unknown": 1})).await.ok();
    let first = [
        "knowledgeId",
        "name",
        "description",
        "files",
        "chunks",
        "bytes",
        "created_timestamp",
        "updated_timestamp",
        "userName",
    ];
    assert_eq!(keys(&made)[..first.len()], first);
    assert_eq!(
        json!([made["name"], made["description"], made["files"], made["chunks"], made["bytes"]]),
        json!(["Harbour", "", 0, 0, 0])
    );
    assert_eq!((&made["embeddingModel"], &made["chunking"]["tokens"]), (&Value::Null, &json!(300)));
    assert_eq!(made["created_timestamp"].as_str().unwrap().len(), 19);
    assert_eq!(made["userName"], "Admin");
    let id = made["knowledgeId"].as_str().unwrap();
    for path in [format!("/knowledgebase/{id}"), format!("/v1/knowledgebase/{id}")] {
        assert_eq!(server.get(&path).await.ok(), made);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bases_are_listed_newest_first_by_page_and_by_cursor() {
    let server = Server::start();
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(base_with(&server, json!({"name": format!("B{n}")})).await);
    }
    made.reverse();
    let ids = |list: &Value| -> Vec<String> {
        let bases = list["knowledgebases"].as_array().unwrap();
        bases.iter().map(|base| base["knowledgeId"].as_str().unwrap().to_owned()).collect()
    };
    let all = server.get("/knowledgebases").await.ok();
    assert_eq!(
        (ids(&all), &all["meta"]["total_items"], &all["meta"]["limit"]),
        (made.clone(), &json!(5), &json!(50))
    );
    let first = server.get("/v1/knowledgebases?limit=2").await.ok();
    assert_eq!((ids(&first), &first["meta"]["next_page"]), (made[..2].to_vec(), &json!(2)));
    let second = server.get("/knowledgebases?limit=2&page=2").await.ok();
    assert_eq!(ids(&second), made[2..4]);
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    assert_eq!(ids(&server.get(&format!("/knowledgebases?limit=9&cursor={cursor}")).await.ok()), made[2..]);
    for (query, place) in
        [("limit=0", "?limit"), ("limit=101", "?limit"), ("page=0", "?page"), ("cursor=x", "?cursor")]
    {
        server.get(&format!("/knowledgebases?{query}")).await.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_is_changed_where_a_field_is_given_and_nowhere_else() {
    let server = Server::start();
    let id = base_with(
        &server,
        json!({"name": "A", "description": "D", "chunking": {"tokens": 100}, "embeddingModel": "text-embedding-3-small@openai"}),
    )
    .await;
    let path = format!("/knowledgebase/{id}");
    let before = server.get(&path).await.ok();
    assert_eq!(before["embeddingModel"], "text-embedding-3-small@openai");
    let changed = server.put(&path, json!({"name": "B"})).await.ok();
    assert_eq!(
        json!([changed["name"], changed["description"], changed["chunking"], changed["embeddingModel"]]),
        json!(["B", "D", {"tokens": 100}, "text-embedding-3-small@openai"])
    );
    let changed = server.put(&path, json!({"embeddingModel": null, "chunking": {"tokens": 2000}})).await.ok();
    assert_eq!(
        json!([changed["name"], changed["chunking"], changed["embeddingModel"], changed["servingModel"]]),
        json!(["B", {"tokens": 2000}, null, null])
    );
    assert_eq!(server.put(&path, json!({})).await.ok()["name"], "B");
    assert_eq!(server.get(&path).await.ok()["created_timestamp"], before["created_timestamp"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_refused_with_its_place_and_nothing_is_stored() {
    let server = Server::start();
    let id = base(&server).await;
    let named = |more: Value| {
        let mut body = json!({"name": "A"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for (body, code, place) in [
        (json!({"name": ""}), "validation_failed", "/name"),
        (json!({"name": " \u{3000}"}), "validation_failed", "/name"),
        (json!({"name": "n".repeat(201)}), "validation_failed", "/name"),
        (json!({"name": 1}), "validation_failed", "/name"),
        (named(json!({"description": "d".repeat(10_001)})), "validation_failed", "/description"),
        (named(json!({"chunking": {"tokens": 49}})), "validation_failed", "/chunking/tokens"),
        (named(json!({"chunking": {"tokens": 2001}})), "validation_failed", "/chunking/tokens"),
        (named(json!({"chunking": [300]})), "validation_failed", "/chunking"),
        (named(json!({"chunking": 300})), "validation_failed", "/chunking"),
        (named(json!({"chunking": {"tokens": "many"}})), "validation_failed", "/chunking/tokens"),
        (named(json!({"chunking": {"tokens": -1}})), "validation_failed", "/chunking/tokens"),
        (named(json!({"embeddingModel": ""})), "unknown_model", "/embeddingModel"),
        (named(json!({"embeddingModel": "none"})), "unknown_model", "/embeddingModel"),
        (named(json!({"embeddingModel": "x@nobody"})), "unknown_model", "/embeddingModel"),
        (named(json!({"embeddingModel": "other/x@formwork"})), "unknown_model", "/embeddingModel"),
        (named(json!({"embeddingModel": "extractive@formwork"})), "unknown_model", "/embeddingModel"),
        (named(json!({"embeddingModel": ["x"]})), "validation_failed", "/embeddingModel"),
    ] {
        server.post("/knowledgebase", body.clone()).await.fails_at(400, code, place);
        let before = server.get(&format!("/knowledgebase/{id}")).await.ok();
        server.put(&format!("/knowledgebase/{id}"), body).await.fails_at(400, code, place);
        assert_eq!(server.get(&format!("/knowledgebase/{id}")).await.ok(), before);
    }
    server.post("/knowledgebase", json!({})).await.fails_at(400, "validation_failed", "");
    assert_eq!(server.get("/knowledgebases").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_broken_rules_are_told_together() {
    let server = Server::start();
    let body = json!({"name": "", "description": "d".repeat(10_001), "chunking": {"tokens": 0}});
    let answer = server.post("/knowledgebase", body).await;
    let told = answer.fails(400, "validation_failed");
    assert_eq!(told["errors"].as_array().unwrap().len(), 3, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_base_is_not_found_by_any_operation() {
    let server = Server::start();
    for id in ["kb_none", "1", "%00", "...", "'; DROP TABLE x; --"] {
        let path = format!("/knowledgebase/{id}");
        for answer in [
            server.get(&path).await,
            server.put(&path, json!({"name": "A"})).await,
            server.delete(&path).await,
            add(&server, id, json!({"texts": [text("t", "c")]})).await,
            server.post(&format!("{path}/search"), json!({"query": "x"})).await,
            server
                .request(Method::DELETE, &format!("{path}/sources"))
                .json(&json!({"delete_all": true}))
                .send()
                .await,
            server.get(&format!("{path}/events")).await,
        ] {
            assert_eq!(answer.status, 404, "{path}: {answer:?}");
        }
    }
    let unknown = server.get("/knowledgebase/files?knowledgeId=kb_none").await;
    unknown.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_is_made_once_under_an_idempotency_key() {
    let server = Server::start();
    let make = async |name: &str| {
        let call = server.request(Method::POST, "/knowledgebase").header("idempotency-key", "k");
        call.json(&json!({"name": name})).send().await
    };
    let first = make("A").await.ok();
    assert_eq!(make("A").await.ok(), first);
    make("B").await.fails(409, "idempotency_key_reused");
    assert_eq!(server.get("/knowledgebases").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_at_the_same_time_are_all_made() {
    changes(&Server::start()).await;
}

/// Many change one base at once; each change is there at the end.
pub(crate) async fn changes(server: &Server) {
    let path = format!("/knowledgebase/{}", base(server).await);
    let one = |n: u32| {
        let body = if n.is_multiple_of(2) { json!({"name": "new"}) } else { json!({"description": "new"}) };
        server.put(&path, body)
    };
    for answer in futures_util::future::join_all([0, 1, 2, 3].map(one)).await {
        answer.ok();
    }
    let base = server.get(&path).await.ok();
    assert_eq!((&base["name"], &base["description"]), (&json!("new"), &json!("new")));
}

#[tokio::test(flavor = "multi_thread")]
async fn bases_outlive_the_server() {
    let home = Home::new("");
    let mut server = home.start();
    let id = base(&server).await;
    let made = server.get(&format!("/knowledgebase/{id}")).await.ok();
    let server = server.kill().start();
    assert_eq!(server.get(&format!("/knowledgebase/{id}")).await.ok(), made);
}
