//! Notes that are deleted, by themselves or with their resource.

use serde_json::json;

use super::{count, delete, file, keys, note, start};

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_deleted_by_values_or_all_of_them() {
    let server = start().await;
    let file = file(&server).await;
    let path = "/v1/notes/agent/a";
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(note(&server, "agent", "a", "n").await);
    }
    let elsewhere = note(&server, "file", &file, "n").await;
    for (body, place) in [
        (json!({}), ""),
        (json!({"delete_all": false}), ""),
        (json!({"values": null, "delete_all": null}), ""),
        (json!({"values": []}), "/values"),
        (json!({"values": "1"}), "/values"),
        (json!({"values": [1, null]}), "/values/1"),
        (json!({"values": [1.5]}), "/values/0"),
        (json!({"values": [["1"]]}), "/values/0"),
        (json!({"delete_all": "true"}), "/delete_all"),
        (json!({"delete_all": 1}), "/delete_all"),
        (json!([true]), ""),
    ] {
        delete(&server, path, body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(count(&server, "agent", "a").await, 4, "a refused deletion deleted something");

    let number: i64 = ids[0].parse().unwrap();
    let values = json!([number, ids[1], elsewhere, -1, "x", 1e30, "99999999999999999999", ids[1]]);
    let done = delete(&server, path, json!({"values": values})).await.ok();
    assert_eq!(keys(&done), ["status", "message"]);
    assert_eq!(
        done["message"],
        format!(
            "2 notes were deleted; not notes of this resource, and left alone: \
             {elsewhere}, -1, x, 1e+30, 99999999999999999999."
        )
    );
    server.get(&format!("/v1/notes/{}", ids[0])).await.fails(404, "note_not_found");
    assert_eq!(count(&server, "file", &file).await, 1);

    let done = delete(&server, path, json!({"values": [ids[2]], "delete_all": true})).await.ok();
    assert_eq!((&done["status"], &done["message"]), (&json!("success"), &json!("2 notes were deleted.")));
    assert_eq!(count(&server, "agent", "a").await, 0);
    let done = delete(&server, &format!("/v1/notes/file/{file}"), json!({"values": [elsewhere]})).await.ok();
    assert_eq!(done["message"], "1 note was deleted.");
    let done = delete(&server, path, json!({"delete_all": true})).await.ok();
    assert_eq!(done["message"], "0 notes were deleted.");
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_follow_their_resource_and_go_with_it_for_good() {
    let mut server = start().await;
    let file = file(&server).await;
    let (on_agent, on_file) =
        (note(&server, "agent", "a", "n").await, note(&server, "file", &file, "n").await);
    server.put("/v1/agent/a", json!({"namespace": "b"})).await.ok();
    assert_eq!(server.get(&format!("/v1/notes/{on_agent}")).await.ok()["resource_id"], "b");
    assert_eq!(count(&server, "agent", "b").await, 1);
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    assert_eq!(count(&server, "agent", "a").await, 0);

    delete(&server, "/v1/agent/b", json!({})).await.ok();
    delete(&server, &format!("/v1/files/{file}"), json!({})).await.ok();
    // What was acknowledged holds although the server is killed.
    let server = server.kill().start();
    for id in [on_agent, on_file] {
        server.get(&format!("/v1/notes/{id}")).await.fails(404, "note_not_found");
    }
    server.get("/v1/notes/agent/b").await.fails(404, "agent_not_found");
    server.post("/v1/agent", json!({"namespace": "b"})).await.ok();
    assert_eq!(count(&server, "agent", "b").await, 0);
}
