//! How things are named in requests, and what becomes of names when a thing goes.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::kit::{Home, Parts, Server, encrypted_pdf};

#[tokio::test(flavor = "multi_thread")]
async fn a_note_names_its_file_by_a_number_too() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "A")]).await.remove(0);
    for id in [file["id"].clone(), json!(file["id"].to_string())] {
        let note = json!({"content": "n", "role": "user", "resource": "file", "resource_id": id});
        let made = server.post("/v1/notes", note).await.ok();
        let note = server.get(&format!("/v1/notes/{}", made["noteId"].as_str().unwrap())).await.ok();
        assert_eq!(note["resource_id"], file["id"].to_string());
    }
}

async fn deleted_base(home: Home) {
    let server = home.start();
    let base = server.post("/knowledgebase", json!({"name": "k"})).await.ok()["knowledgeId"].clone();
    let other = server.post("/knowledgebase", json!({"name": "o"})).await.ok()["knowledgeId"].clone();
    for (namespace, knowledge) in [("a", json!([base, other])), ("b", json!([other])), ("c", json!([base]))] {
        server.post("/v1/agent", json!({"namespace": namespace, "knowledge": knowledge})).await.ok();
    }
    let done = server.delete(&format!("/knowledgebase/{}", base.as_str().unwrap())).await.ok();
    let message = done["message"].as_str().unwrap();
    assert!(message.ends_with("Agents that named it and do so no more: a, c."), "{message}");
    for (namespace, left) in [("a", json!([other])), ("b", json!([other])), ("c", json!([]))] {
        assert_eq!(
            server.get(&format!("/v1/agent/{namespace}")).await.ok()["knowledge"],
            left,
            "{namespace}"
        );
    }
    let done = server.delete(&format!("/knowledgebase/{}", other.as_str().unwrap())).await.ok();
    assert!(done["message"].as_str().unwrap().ends_with("no more: a, b."), "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_that_is_deleted_is_named_by_no_agent_any_more_and_the_answer_names_those_that_did() {
    deleted_base(Home::new("")).await;
    if let Some(home) = Home::on_postgres() {
        deleted_base(home).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_be_read_is_422_and_one_that_is_not_there_400() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    let file = server.upload(Parts::new().file("locked.pdf", &encrypted_pdf())).await.ok()[0]["id"].clone();
    let ask = |url: Value| json!({"modelId": "extractive@formwork", "prompt": "What is it?", "urls": [url]});
    let told = server.post("/v2/generate", ask(file.clone())).await;
    told.fails_at(422, "document_encrypted", "/urls/0");
    server.post("/v2/generate", ask(json!(987_654))).await.fails_at(400, "file_not_found", "/urls/0");
    let said = server.post("/v1/agent/a/chat", json!({"message": "What is it?", "urls": [file]})).await;
    said.fails_at(422, "document_encrypted", "/urls/0");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_web_parser_reads_files_by_id_and_own_url_without_the_web() {
    let server = Server::with("[fetch]\nweb = \"off\"");
    let page = "<!doctype html><title>Tides</title><nav><a href=/>Home</a></nav><main><h1>High water</h1>\
                <p>High water is at noon, and low water is at six in the evening on all days of this week.</p></main>";
    let files = server.files(&[("tides.html", page), ("a.txt", "Plain words.")]).await;
    let (url, id) = (&files[0]["url"], &files[1]["id"]);
    let body = json!({"urls": [url, id, id.to_string(), "https://example.com/", 987_654]});
    let read = server.post("/v1/utilities/webparser", body).await.ok();
    assert_eq!((&read[0]["url"], &read[0]["title"]), (url, &json!("Tides")));
    let text = read[0]["body"].as_str().unwrap();
    assert!(text.contains("at noon") && !text.contains("Home"), "{text}");
    for item in [&read[1], &read[2]] {
        assert!(item["body"].as_str().unwrap().contains("Plain words."), "{item}");
        assert_eq!(item["title"], "a.txt");
    }
    assert_eq!(read[3]["error"]["code"], "fetch_unavailable", "{read}");
    assert_eq!(read[4]["error"]["code"], "file_not_found", "{read}");
    let body = json!({"urls": [url]}).to_string();
    let call = server.request(reqwest::Method::POST, "/v1/utilities/webparser").key(&server.stranger());
    let theirs = call.body("application/json", body).send().await.ok();
    assert_eq!(theirs[0]["error"]["code"], "file_not_found", "{theirs}");
}

#[tokio::test(flavor = "multi_thread")]
async fn news_without_terms_are_the_headlines_of_the_feeds() {
    let item = |n: u32| {
        format!(
            "<item><title>Report {n}</title><link>https://a.example/{n}</link><source url=\"x\">Herald</source></item>"
        )
    };
    let feed: String = (1..=5).map(item).collect();
    let feed = format!("<rss version=\"2.0\"><channel>{feed}</channel></rss>");
    let site = Upstream::start(move |request| match request.path.as_str() {
        "/feed?q=" => Reply::whole(200, "application/rss+xml", feed.clone()),
        _ => Reply::whole(404, "text/plain", "none"),
    })
    .unwrap();
    let feeds = format!("feeds = [\"{}/feed?q={{query}}\"]", site.url());
    let server = Server::with(&format!("[fetch]\nallow = \"127.0.0.1\"\n[search]\nfull_texts = 0\n{feeds}"));
    for path in ["/utilities/news?limit=3", "/v1/utilities/news?limit=3"] {
        let answer = server.get(path).await.ok();
        assert_eq!((answer.as_array().unwrap().len(), &answer[0]["search_term"]), (1, &json!("")));
        let titles: Vec<&Value> =
            answer[0]["sources"].as_array().unwrap().iter().map(|source| &source["title"]).collect();
        assert_eq!(titles, ["Report 1", "Report 2", "Report 3"], "{answer}");
    }
    server.get("/utilities/websearch?limit=3").await.fails_at(400, "validation_failed", "?search_terms");
    let none = Server::with("[search]\nfeeds = []\nsearxng.base_url = \"http://127.0.0.1:9\"");
    none.get("/utilities/news?limit=3").await.fails_at(400, "validation_failed", "?search_terms");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_response_names_the_version_of_its_form_and_a_field_of_that_name_keeps_it() {
    let server = Server::start();
    let text = json!({"type": "string"});
    let form = server.agent("a", json!({"form_version": text, "meta": text})).await;
    let file = server.files(&[("a.txt", "Form version: two\nMeta: more\n")]).await.remove(0);
    server.delta("a", "", &[&[&file["id"]]]).await;
    let schema = json!({"meta": text});
    server.put(&format!("/v1/form/{form}"), json!({"schema": schema})).await.ok();
    server.delta("a", "", &[&[&file["id"]]]).await;
    let kept = server.get("/v1/agent/a/workflow/delta?meta=true").await.ok();
    assert_eq!((&kept[0]["form_version"], &kept[1]["_form_version"]), (&json!(2), &json!(1)), "{kept}");
    assert_eq!(kept[1]["form_version"], "two");
    let csv = server.get("/v1/agent/a/workflow/delta?meta=true&format=csv").await;
    let header = csv.text().lines().next().unwrap();
    assert!(header.contains(",_meta.files,") && header.ends_with(",_form_version"), "{header}");
}
