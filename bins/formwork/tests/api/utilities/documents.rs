//! Text, tables and key-value pairs of files and uploads.

use document_samples::pdf::pdf_with_files;
use reqwest::Method;
use serde_json::{Value, json};

use super::{OPERATIONS, ask, ask_of, content, is_empty};
use crate::kit::{Parts, Server, encrypted_pdf};

const REPORT: &str = "<html><head><title>Catches</title></head><body><h1>March</h1>\
    <p>Port: Hull</p><p>What the boats brought in during the month, and how many of them were out for it.</p>\
    <table><tr><th>Fish</th><th>Kilos</th><th>Boats</th></tr>\
    <tr><td rowspan=2>Cod</td><td>412</td><td>3</td></tr><tr><td>88</td><td>1</td></tr></table></body></html>";

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_answered_in_the_order_given_each_with_its_own_error() {
    let server = Server::start();
    let files = server.files(&[("a.html", REPORT), ("b.txt", "Plain words."), ("gone.txt", "x")]).await;
    server.delete(&format!("/v1/files/{}", files[2]["id"])).await.ok();
    let urls = json!([
        files[1]["url"],
        files[0]["id"],
        files[2]["id"].to_string(),
        "https://10.0.0.1/a.pdf",
        files[1]["id"].to_string(),
        files[1]["id"].to_string(),
    ]);
    for operation in OPERATIONS {
        let answer = ask(&server, operation, urls.clone()).await.ok();
        let items = answer.as_array().unwrap();
        let told: Vec<&Value> = items.iter().map(|item| &item["url"]).collect();
        let id = |place: usize| json!(files[place]["id"].to_string());
        assert_eq!(
            told,
            [&files[1]["url"], &id(0), &id(2), &json!("https://10.0.0.1/a.pdf"), &id(1), &id(1)]
        );
        for (item, code) in
            items.iter().zip([None, None, Some("file_not_found"), Some("fetch_denied"), None, None])
        {
            let error = item.get("error");
            assert_eq!(error.map(|error| error["code"].as_str().unwrap()), code, "{operation}: {item}");
            assert!(code.is_none() || is_empty(content(operation, item)), "{operation}: {item}");
        }
        assert!(!is_empty(content(operation, &items[1])), "{operation}: {}", items[1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_has_its_text_and_what_is_known_of_it() {
    let server = Server::start();
    let file = server.files(&[("a.html", REPORT)]).await.remove(0);
    let item = &ask(&server, "docparser", json!([file["url"]])).await.ok()[0];
    assert_eq!((&item["title"], &item["language"]), (&json!("Catches"), &json!("en")));
    assert!(item["body"].as_str().unwrap().starts_with("# March\n\nPort: Hull\n\n"), "{item}");
    let metadata = &item["metadata"];
    assert_eq!((&metadata["name"], &metadata["format"]), (&json!("a.html"), &json!("html")));
    assert_eq!((&metadata["bytes"], &metadata["sha256"]), (&file["bytes"], &file["meta"]["sha256"]));
    assert_eq!(item.get("tables"), None);
    let path = "/v1/utilities/docparser?tables=true";
    let with = server.post(path, json!({"urls": [file["id"]]})).await.ok();
    let alone = ask(&server, "tables", json!([file["id"]])).await.ok();
    assert_eq!(with[0]["tables"], alone[0]["tables"]);
    assert_eq!(item.get("lines"), None);
    let placed = server.post("/v1/utilities/docparser?lines=true", json!({"urls": [file["id"]]})).await.ok();
    assert_eq!(placed[0]["lines"], json!([]), "a web page has no places");
    let refused = server.post("/v1/utilities/docparser?tables=maybe", json!({"urls": ["1"]})).await;
    refused.fails_at(400, "validation_failed", "?tables");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_a_page_have_their_places() {
    let server = Server::start();
    let content = pdf_with_files(&["Harbour Works", "Total 12.00 EUR"], &[]);
    let parts = Parts::new().file("a.pdf", &content);
    let answer =
        server.request(Method::POST, "/v1/utilities/docparser?lines=true").multipart(parts).send().await.ok();
    let (item, page) = (&answer[0], &answer[0]["pages"][0]);
    let body: Vec<char> = item["body"].as_str().unwrap().chars().collect();
    let mut last = 0.0;
    let texts = item["lines"].as_array().unwrap().iter().map(|line| {
        let place = |name: &str| line["box"][name].as_f64().unwrap();
        assert!(place("x0") < place("x1") && place("x1") < page["width"].as_f64().unwrap(), "{line}");
        assert!(last < place("y0") && place("y1") < page["height"].as_f64().unwrap(), "{line}");
        last = place("y0");
        let at = |name: &str| usize::try_from(line[name].as_u64().unwrap()).unwrap();
        body[at("start")..at("end")].iter().collect::<String>()
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["Harbour Works", "Total 12.00 EUR"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_have_rows_of_one_length_and_cells_with_what_they_cover() {
    let server = Server::start();
    let answer = ask_of(&server, "tables", Parts::new().file("a.html", REPORT.as_bytes())).await.ok();
    let table = &answer[0]["tables"][0];
    assert_eq!(table["rows"], json!([["Fish", "Kilos", "Boats"], ["Cod", "412", "3"], ["", "88", "1"]]));
    assert_eq!((&table["title"], &table["page"]), (&json!("March"), &Value::Null));
    let cod = json!({"row": 1, "column": 0, "rowSpan": 2, "columnSpan": 1, "text": "Cod", "header": false});
    assert!(table["cells"].as_array().unwrap().contains(&cod), "{table}");
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_are_paired_with_what_stands_beside_them() {
    let server = Server::start();
    let text = "Vessel: Morning Star\nPort of call: Hull\n\nThe skipper said that the catch: cod, was a good one for \
        the time of the year, and that they would go out again at 6:30.\n";
    let answer = ask_of(&server, "keyvalues", Parts::new().file("form.txt", text.as_bytes())).await.ok();
    let pairs: Vec<(&str, &str)> = answer[0]["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair["key"].as_str().unwrap(), pair["value"].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [("Vessel", "Morning Star"), ("Port of call", "Hull")]);
    assert_eq!(answer[0]["pairs"][0]["kind"], "label");
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_are_answered_by_name_and_nothing_of_them_is_kept() {
    let server = Server::start();
    for operation in ["docparser", "tables", "keyvalues"] {
        let parts = Parts::new()
            .file("b.txt", b"Port: Hull")
            .file("locked.pdf", &encrypted_pdf())
            .file("a.html", REPORT.as_bytes())
            .file("empty.txt", b"");
        let answer = ask_of(&server, operation, parts).await.ok();
        let told: Vec<(&str, Option<&str>)> = answer
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["url"].as_str().unwrap(), item["error"]["code"].as_str()))
            .collect();
        let expected = [
            ("b.txt", None),
            ("locked.pdf", Some("document_encrypted")),
            ("a.html", None),
            ("empty.txt", Some("document_empty")),
        ];
        assert_eq!(told, expected, "{operation}");
    }
    crate::kit::settle("the end of the uploads", async || server.stored("blobs").is_empty()).await;
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_also_a_file_leaves_the_file_alone() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "Port: Hull")]).await.remove(0);
    let answer = ask_of(&server, "docparser", Parts::new().file("b.txt", b"Port: Hull")).await.ok();
    assert_eq!((&answer[0]["url"], &answer[0]["body"]), (&json!("b.txt"), &json!("Port: Hull")));
    let one = async || server.stored("blobs").len() == 1;
    crate::kit::settle("the end of the upload", one).await;
    assert_eq!(ask(&server, "docparser", json!([file["id"]])).await.ok()[0]["body"], "Port: Hull");
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_takes_any_key_and_making_pictures_one_that_writes() {
    let server = Server::start();
    let reader = server.home.told(&["keys", "create", "--scope", "read"]);
    let file = server.files(&[("a.html", REPORT)]).await.remove(0);
    for operation in OPERATIONS {
        let path = format!("/v1/utilities/{operation}");
        let call = server.request(Method::POST, &path).key(&reader).json(&json!({"urls": [file["id"]]}));
        let answer = call.send().await;
        match operation {
            "thumbnail" => drop(answer.fails(403, "read_only_key")),
            _ => assert!(!is_empty(content(operation, &answer.ok()[0])), "{operation}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_another_workspace_are_not_there() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "Port: Hull")]).await.remove(0);
    let stranger = server.stranger();
    for operation in OPERATIONS {
        for reference in [&file["id"], &file["url"]] {
            let path = format!("/v1/utilities/{operation}");
            let call = server.request(Method::POST, &path).key(&stranger).json(&json!({"urls": [reference]}));
            let answer = call.send().await.ok();
            assert_eq!(answer[0]["error"]["code"], "file_not_found", "{operation} {reference}");
            assert!(is_empty(content(operation, &answer[0])), "{operation}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_documents_are_answered_whole() {
    let server = Server::start();
    let text = |place: usize| format!("Number: {place}\n\n{}", "word ".repeat(20_000));
    let texts: Vec<(String, String)> = (0..20).map(|place| (format!("{place}.txt"), text(place))).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&named).await;
    let urls: Vec<&Value> = (0..100).map(|place| &files[place % files.len()]["id"]).collect();
    let answer = ask(&server, "docparser", json!(urls)).await.ok();
    assert_eq!(answer.as_array().unwrap().len(), 100);
    for (place, item) in answer.as_array().unwrap().iter().enumerate() {
        let body = item["body"].as_str().unwrap();
        assert!(body.starts_with(&format!("Number: {}\n", place % 20)) && body.len() > 90_000, "{place}");
    }
}
