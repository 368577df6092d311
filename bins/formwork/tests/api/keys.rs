//! Credentials: which are taken, what they may do, and what is seen with them.

use reqwest::Method;
use serde_json::json;

use crate::kit::{Parts, Server, invoice_schema, operations};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_taken_from_either_header_and_tells_who_calls() {
    let server = Server::start();
    let by_header = server.get("/v1/me").await.ok();
    let bearer = format!("Bearer {}", server.key);
    let by_bearer =
        server.request(Method::GET, "/v1/me").open().header("authorization", &bearer).send().await;
    assert_eq!(by_bearer.ok(), by_header);
    let both = server.request(Method::GET, "/v1/me").header("authorization", &bearer).send().await;
    assert_eq!(both.ok(), by_header);
    let scheme = format!("bEaReR {}", server.key);
    server.request(Method::GET, "/v1/me").open().header("authorization", scheme).send().await.ok();
    assert_eq!(
        by_header,
        json!({
            "userName": "Admin", "userEmail": "admin@localhost", "role": "owner", "workspace": "Main",
            "key": {"prefix": server.key[..11], "scope": "write", "expires": null, "limits": null}
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_malformed_or_doubtful_key_is_refused_on_every_operation_that_needs_one() {
    let server = Server::start();
    let stranger = server.stranger();
    let refused = async |call: crate::kit::Call| {
        let answer = call.send().await;
        answer.fails(401, "invalid_key");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    };
    let me = || server.request(Method::GET, "/v1/me").open();
    refused(me()).await;
    let cut = &server.key[..server.key.len() - 1];
    let longer = format!("{}x", server.key);
    for bad in ["", " ", "fw_", "fw_nonsense", "null", cut, &longer, "\u{e9}", &server.key.to_uppercase()] {
        refused(me().header("x-service-key", bad)).await;
        refused(me().header("authorization", format!("Bearer {bad}"))).await;
    }
    refused(me().header("authorization", format!("Basic {}", server.key))).await;
    refused(me().header("authorization", &server.key)).await;
    refused(me().header("x-service-key", [0xff, 0xfe])).await;
    // Two that differ: even when both are valid.
    refused(me().key(&server.key).header("authorization", format!("Bearer {stranger}"))).await;
    refused(me().key(&server.key).header("x-service-key", &stranger)).await;
    refused(me().key(&server.key).header("authorization", "Bearer ")).await;
    let bearers = me().header("authorization", format!("Bearer {}", server.key));
    refused(bearers.header("authorization", format!("Bearer {stranger}"))).await;

    for (method, path, operation) in operations() {
        let path = path.replace("{file_id}", "1").replace(['{', '}'], "");
        let answer = server.request(method.clone(), &path).open().send().await;
        if operation["security"] == json!([]) {
            assert_ne!(answer.status, 401, "{method} {path}");
        } else {
            answer.fails(401, "invalid_key");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reading_key_reads_and_checks_schemas_and_is_refused_whatever_writes() {
    let server = Server::start();
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let writes = [
        (Method::POST, "/v1/form"),
        (Method::PUT, "/v1/form/x"),
        (Method::DELETE, "/v1/form/x"),
        (Method::POST, "/v1/form/x/versions/{version}/publish"),
        (Method::POST, "/v1/form/x/examples"),
        (Method::POST, "/v1/agent"),
        (Method::PUT, "/v1/agent/x"),
        (Method::DELETE, "/v1/agent/x"),
        (Method::DELETE, "/v1/agent/x/sessions"),
        (Method::DELETE, "/v1/agent/x/sessions/{session_id}"),
        (Method::POST, "/v1/agent/x/sessions/{session_id}/takeover"),
        (Method::DELETE, "/v1/agent/x/sessions/{session_id}/takeover"),
        (Method::POST, "/v1/agent/x/sessions/{session_id}/messages"),
        (Method::DELETE, "/v1/agent/x/submissions/{submission_id}"),
        (Method::POST, "/v1/files"),
        (Method::DELETE, "/v1/files/1"),
        (Method::POST, "/v1/agent/x/workflow/delta"),
        (Method::DELETE, "/v1/agent/x/workflow/delta/runs/{sid}"),
        (Method::POST, "/v1/agent/x/workflow/delta/runs/{sid}/retry"),
        (Method::POST, "/v1/agent/x/chat"),
        (Method::POST, "/v1/agent/x/ag-ui"),
        (Method::POST, "/v1/agent/x/a2a"),
        (Method::POST, "/v1/notes"),
        (Method::PUT, "/v1/notes/{note_id}"),
        (Method::DELETE, "/v1/notes/{resource}/{resource_id}"),
        (Method::POST, "/v1/reviews"),
        (Method::POST, "/v1/evaluation_sets"),
        (Method::DELETE, "/v1/evaluation_sets/{set_id}"),
        (Method::POST, "/v1/evaluation_sets/{set_id}/groups"),
        (Method::POST, "/v1/evaluation_sets/{set_id}/evaluations"),
        (Method::POST, "/v1/reviews/decisions"),
        (Method::POST, "/v1/webhooks"),
        (Method::DELETE, "/v1/webhooks/{webhook_id}"),
        (Method::POST, "/v1/webhooks/{webhook_id}/test"),
        (Method::POST, "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay"),
        (Method::POST, "/v1/utilities/classifier"),
        (Method::POST, "/v1/utilities/splitter"),
        (Method::POST, "/v1/utilities/schema_from_documents"),
        (Method::POST, "/v1/utilities/schema_generator"),
        (Method::POST, "/v1/utilities/thumbnail"),
        (Method::POST, "/v1/knowledgebase"),
        (Method::PUT, "/v1/knowledgebase/{knowledgeId}"),
        (Method::DELETE, "/v1/knowledgebase/{knowledgeId}"),
        (Method::POST, "/v1/knowledgebase/{knowledgeId}/files"),
        (Method::DELETE, "/v1/knowledgebase/{knowledgeId}/sources"),
        (Method::POST, "/v1/knowledgebase/{knowledgeId}/evaluation_sets"),
        (Method::PUT, "/v1/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}"),
        (Method::DELETE, "/v1/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}"),
        (Method::PUT, "/v1/knowledgebase/files/{id}"),
        (Method::DELETE, "/v1/knowledgebase/files/{id}"),
        (Method::POST, "/v1/knowledgebase/files/{id}/retry"),
    ];
    for (method, path, operation) in operations().filter(|(_, path, _)| path.starts_with("/v1")) {
        if path.starts_with("/v1/public/") {
            continue;
        }
        let is_gate = path.ends_with("/gate");
        let is_administration =
            is_gate || operation["tags"][0] == "administration" && !path.starts_with("/v1/sign_in");
        let path = path.replace("{file_id}", "1").replace("{form_id}", "x").replace("{namespace}", "x");
        let answer = server.request(method.clone(), &path).key(&read).json(&json!({})).send().await;
        if writes.contains(&(method.clone(), path.as_str())) {
            answer.fails(403, "read_only_key");
        } else if is_administration {
            answer.fails(403, "admin_key_needed");
        } else {
            assert_ne!(answer.status, 403, "{method} {path}");
        }
    }
    server
        .request(Method::POST, "/v1/utilities/schema_validator")
        .key(&read)
        .json(&invoice_schema())
        .send()
        .await
        .ok();
    let me = server.request(Method::GET, "/v1/me").key(&read).send().await.ok();
    assert_eq!(me["key"]["scope"], "read");
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_or_expired_key_is_refused_from_the_next_request_on() {
    let server = Server::start();
    let me = async |key: &str| server.request(Method::GET, "/v1/me").key(key).send().await;
    let key = server.home.told(&["keys", "create"]);
    me(&key).await.ok();
    server.home.told(&["keys", "revoke", &key[..11]]);
    me(&key).await.fails(401, "invalid_key");
    me(&server.key).await.ok();
    assert!(!server.home.run(&["keys", "revoke", &key[..11]]).status.success());
    assert!(!server.home.run(&["keys", "revoke", "fw_"]).status.success());

    let ended = server.home.told(&["keys", "create", "--days", "0"]);
    me(&ended).await.fails(401, "invalid_key");
    let lasting = server.home.told(&["keys", "create", "--days", "1"]);
    let expires = me(&lasting).await.ok()["key"]["expires"].as_str().unwrap().to_owned();
    assert!(expires.ends_with('Z') && expires.contains('T'), "{expires}");
    // The list tells keys by their beginnings, and no key whole.
    let list = server.home.told(&["keys", "list"]);
    assert!(list.contains(&lasting[..11]) && !list.contains(&lasting) && list.contains("revoked"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_another_workspaces_looks_as_if_it_did_not_exist() {
    isolation(&Server::start()).await;
}

/// What a key of another workspace sees.
pub(crate) async fn isolation(server: &Server) {
    let form_id = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", "hello")]).await.remove(0);
    let stranger = server.stranger();
    let as_stranger = async |method: Method, path: &str| {
        server.request(method, path).key(&stranger).json(&json!({})).send().await
    };
    let pairs = [
        (format!("/v1/form/{form_id}"), "/v1/form/none".to_owned()),
        ("/v1/agent/inv".into(), "/v1/agent/none".into()),
        (format!("/v1/files/{}", file["id"]), "/v1/files/999999".into()),
    ];
    for (foreign, none) in pairs {
        for method in [Method::GET, Method::DELETE, Method::PUT] {
            let (foreign, none) =
                (as_stranger(method.clone(), &foreign).await, as_stranger(method.clone(), &none).await);
            assert_eq!((foreign.status, &foreign.body), (none.status, &none.body), "{method}");
            assert!(matches!(foreign.status, 404 | 405));
        }
        server.get(&foreign).await.ok();
    }
    for (list, key) in [("/v1/form", "forms"), ("/v1/agent", "agents"), ("/v1/files", "files")] {
        let found = as_stranger(Method::GET, list).await.ok();
        assert_eq!((&found[key], &found["meta"]["total_items"]), (&json!([]), &json!(0)));
    }
    let agent = json!({"namespace": "theirs", "form_id": form_id});
    let answer = server.request(Method::POST, "/v1/agent").key(&stranger).json(&agent).send().await;
    answer.fails_at(400, "unknown_form", "/form_id");
    // The namespace is free in the other workspace.
    let agent = json!({"namespace": "inv"});
    server.request(Method::POST, "/v1/agent").key(&stranger).json(&agent).send().await.ok();
    let upload = Parts::new().file("a.txt", b"hello");
    server.request(Method::POST, "/v1/files").key(&stranger).multipart(upload).send().await.ok();
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 1);
}
