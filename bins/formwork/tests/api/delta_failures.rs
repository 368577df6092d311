//! Documents that fail: each is told with its group, its words and its error.

use serde_json::{Value, json};

use crate::kit::{Parts, Server, encrypted_pdf, invoice, invoice_schema, settle};

const PATH: &str = "/v1/agent/inv/workflow/delta";

fn codes(answer: &Value) -> Vec<(u64, &str, &str)> {
    let told = answer["failed"].as_array().unwrap().iter();
    told.map(|f| {
        assert!(!f["error"]["message"].as_str().unwrap().is_empty());
        (f["group"].as_u64().unwrap(), f["url"].as_str().unwrap(), f["error"]["code"].as_str().unwrap())
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_unreadable_document_fails_its_group_by_its_own_error() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let parts = Parts::new()
        .file("good.txt", invoice("A-1", "5.00").as_bytes())
        .file("empty.txt", b"")
        .file("locked.pdf", &encrypted_pdf())
        .file("broken.pdf", b"%PDF-1.7\nnot a pdf at all")
        .file("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01")
        .file("lie.pdf", invoice("B-2", "7.00").as_bytes())
        .file("lie.txt", &encrypted_pdf());
    let files = server.upload(parts).await.ok();
    let id = |n: usize| files[n]["id"].to_string();
    let group = |url: &str| json!([{"description": url, "url": url}]);
    let urls = [
        id(0),
        id(1),
        id(2),
        id(3),
        id(4),
        id(5),
        id(6),
        "https://10.0.0.1/a".into(),
        "HTTP://[::1]".into(),
        "ftp://example.com/a".into(),
        "/etc/passwd".into(),
        "file:///etc/passwd".into(),
        "0".into(),
        "99999999999999999999".into(),
        "888".into(),
        format!("{}/files/{}/x", server.url, "A".repeat(32)),
        "http://user:pw@example.com/".into(),
    ];
    let groups: Vec<Value> = urls.iter().map(|url| group(url)).collect();
    let answer = server.post(PATH, json!(groups)).await.ok();
    // What a file is called does not matter: text called PDF is read as text.
    assert_eq!(answer["results"][0]["invoice_number"], "A-1");
    assert_eq!(answer["results"][1]["invoice_number"], "B-2");
    let expected = [
        (1, "document_empty"),
        (2, "document_encrypted"),
        (3, "document_damaged"),
        (4, "document_damaged"),
        (6, "document_encrypted"),
        (7, "fetch_denied"),
        (8, "fetch_denied"),
        (9, "invalid_url"),
        (10, "invalid_url"),
        (11, "invalid_url"),
        (12, "invalid_url"),
        (13, "invalid_url"),
        (14, "file_not_found"),
        (15, "file_not_found"),
        (16, "invalid_url"),
    ];
    let expected: Vec<(u64, &str, &str)> = expected
        .iter()
        .map(|(group, code)| (*group, urls[usize::try_from(*group).unwrap()].as_str(), *code))
        .collect();
    assert_eq!(codes(&answer), expected);
    assert_eq!(answer["failed"][0]["description"], urls[1]);
    assert_eq!((&answer["meta"]["successful"], &answer["meta"]["failed"]), (&json!(2), &json!(15)));
    assert_eq!(server.get(PATH).await.header("x-total-count"), "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_unreadable_document_fails_its_group_unless_partial_work_is_wanted() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let files = server.files(&[("a.txt", &invoice("A-1", "5.00")), ("empty.txt", "")]).await;
    let (good, bad) = (&files[0]["id"], &files[1]["id"]);
    let groups: [&[&Value]; 3] = [&[good, bad], &[good], &[bad]];
    let whole = server.delta("inv", "", &groups).await;
    assert_eq!((&whole["meta"]["successful"], &whole["meta"]["failed"]), (&json!(1), &json!(2)));
    // Only the document that failed itself is told.
    assert_eq!(
        codes(&whole).iter().map(|f| (f.0, f.2)).collect::<Vec<_>>(),
        [(0, "document_empty"), (2, "document_empty")]
    );
    let partial = server.delta("inv", "?partial=true", &groups).await;
    assert_eq!((&partial["meta"]["successful"], &partial["meta"]["failed"]), (&json!(2), &json!(1)));
    assert_eq!(codes(&partial), codes(&whole));
    assert_eq!(partial["results"][0]["invoice_number"], "A-1");
    assert_eq!(partial["errors"].as_array().unwrap().len(), 2);
    let kept = server.get(&format!("{PATH}?meta=true&sid={}", partial["sid"])).await.ok();
    assert_eq!(kept[0]["meta"]["files"], json!(["a.txt"]), "only what was read is its source");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_workspaces_file_is_as_unknown_as_one_that_never_was() {
    let server = Server::start();
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let stranger = server.stranger();
    let as_stranger = async |path: &str, body: Value| {
        server.request(reqwest::Method::POST, path).key(&stranger).json(&body).send().await.ok()
    };
    let form = as_stranger("/v1/form", json!({"title": "t", "schema": invoice_schema()})).await;
    as_stranger("/v1/agent", json!({"namespace": "inv", "form_id": form["form_id"]})).await;
    let gone = format!("{}/files/{}/a.txt", server.url, "A".repeat(32));
    let groups = json!([[{"url": file["id"]}], [{"url": file["url"]}], [{"url": "888"}], [{"url": gone}]]);
    let answer = as_stranger(PATH, groups).await;
    assert_eq!(answer["results"], json!([]));
    let errors: Vec<&Value> = answer["failed"].as_array().unwrap().iter().map(|f| &f["error"]).collect();
    assert_eq!(errors.len(), 4);
    assert!(errors.iter().all(|error| *error == errors[2]), "{errors:?}");
    assert_eq!(errors[2]["code"], "file_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_fails_later_runs_and_leaves_what_was_kept() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let first = server.delta("inv", "", &[&[&file["id"]]]).await;
    server.delete(&format!("/v1/files/{}", file["id"])).await.ok();
    let second = server.delta("inv", "", &[&[&file["id"]], &[&file["url"]]]).await;
    assert!(codes(&second).iter().all(|failed| failed.2 == "file_not_found"));
    let kept = server.get(&format!("{PATH}?sid={}&context=true", first["sid"])).await.ok();
    assert_eq!(kept[0]["total"], 5.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_does_not_stop_its_run() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let texts: Vec<(String, String)> =
        (0..20).map(|n| (format!("{n}.txt"), invoice(&format!("A-{n}"), "5.00"))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&texts).await;
    let groups: Vec<Value> = files.iter().map(|file| json!([{"url": file["id"]}])).collect();
    let body = json!(groups).to_string();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: {}\r\n\r\n",
        server.key,
        body.len()
    );
    server.cut_off(format!("{head}{body}").as_bytes());
    settle("the run without a reader", async || server.get(PATH).await.header("x-total-count") == "20").await;
}
