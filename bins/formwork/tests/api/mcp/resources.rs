//! Resources.

use serde_json::{Value, json};

use super::kit::Client;
use crate::chat::kit::Conversations;
use crate::kit::{Parts, Server, invoice_schema};

#[tokio::test(flavor = "multi_thread")]
async fn what_the_workspace_has_is_listed_page_by_page_and_read() {
    let server = Server::start();
    let client = Client::new(&server);
    let form = server.agent("mine", invoice_schema()).await;
    for _ in 0..60 {
        server.form(invoice_schema()).await;
    }
    server.post("/knowledgebase", json!({"name": "Sea"})).await.ok();
    let file = server.files(&[("a.txt", "Total: 4")]).await.remove(0)["id"].clone();
    let (mut all, mut cursor): (Vec<Value>, Value) = (Vec::new(), Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = client.result("resources/list", params).await;
        all.extend(page["resources"].as_array().unwrap().iter().cloned());
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(all.len(), 63);
    for resource in all.iter().step_by(20).chain(all.iter().rev().take(2)) {
        let read = client.result("resources/read", json!({"uri": resource["uri"]})).await;
        assert_eq!(read["contents"][0]["uri"], resource["uri"]);
    }
    let read =
        async |uri: String| client.result("resources/read", json!({"uri": uri})).await["contents"][0].clone();
    let content = read(format!("formwork://files/{file}")).await;
    assert_eq!((&content["text"], &content["mimeType"]), (&json!("Total: 4"), &json!("text/plain")));
    let content = read(format!("formwork://forms/{form}")).await;
    let stored: Value = serde_json::from_str(content["text"].as_str().unwrap()).unwrap();
    assert_eq!(stored["schema"], invoice_schema());
    let conversations = Conversations::of(&server, "mine");
    conversations.submitted("session_mine", "submission_mine", json!({"total": 4})).await;
    let content = read("formwork://agents/mine/submissions/submission_mine".to_owned()).await;
    assert!(content["text"].as_str().unwrap().contains("\"total\":4"), "{content}");
    let run = server.delta("mine", "", &[&[&json!(file)]]).await;
    let content = read(format!("formwork://agents/mine/runs/{}/responses", run["sid"])).await;
    assert!(content["text"].as_str().unwrap().contains("\"total\":4"), "{content}");
    let picture = Parts::new().file("a.png", b"\x89PNG\r\n\x1a\n\x00\xff");
    let picture = server.upload(picture).await.ok()[0]["id"].clone();
    assert_eq!(read(format!("formwork://files/{picture}")).await["blob"], "iVBORw0KGgoA/w==");
    let templates = client.result("resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 5);
    client.error("resources/list", json!({"cursor": "9:"}), -32_602).await;
    client.error("resources/list", json!({"cursor": "0:unheard"}), -32_602).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_exist_or_belongs_to_others_is_not_found() {
    let server = Server::start();
    let form = server.form(invoice_schema()).await;
    let file = server.files(&[("a.txt", "Total: 4")]).await.remove(0)["id"].clone();
    let stranger = server.stranger();
    let others = [format!("formwork://forms/{form}"), format!("formwork://files/{file}")];
    let unknown =
        ["formwork://forms/x", "formwork://forms", "formwork://", "file:///etc/passwd", "formwork://files/0"];
    let uris = others.iter().map(String::as_str).chain(unknown);
    for uri in uris {
        let handshake = Client::new(&server).with_key(&stranger);
        let error = handshake.error("resources/read", json!({"uri": uri}), -32_002).await;
        assert_eq!(error["data"]["uri"], uri);
        let stateless = Client::stateless(&server, json!({})).with_key(&stranger);
        stateless.error("resources/read", json!({"uri": uri}), -32_602).await;
    }
    Client::new(&server).error("resources/read", json!({}), -32_602).await;
    let listed = Client::new(&server).with_key(&stranger).result("resources/list", json!({})).await;
    assert_eq!(listed["resources"], json!([]));
}
