//! Uploads: what is taken, what is refused, and what a failure leaves behind, which is nothing.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::kit::{Parts, Server, encrypted_pdf, settle};

/// No record and no content is there, and nothing half-written either.
async fn nothing_is_left(server: &Server) {
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 0);
    settle("a tidy blob folder", async || server.stored("blobs").is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_files_are_answered_in_the_order_sent_with_size_type_and_hash() {
    let server = Server::start();
    let parts = Parts::new()
        .file("b.txt", b"abc")
        .field("note", "ignored")
        .file("empty", b"")
        .file("page.html", b"<!doctype html><p>x</p>")
        .file("a.txt", b"abc");
    let files = server.upload(parts).await.ok();
    let told: Vec<_> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (&f["name"], &f["bytes"], &f["meta"]["content_type"]))
        .collect();
    assert_eq!(
        told,
        [
            (&json!("b.txt"), &json!(3), &json!("text/plain")),
            (&json!("empty"), &json!(0), &files[1]["meta"]["content_type"]),
            (&json!("page.html"), &json!(23), &json!("text/html")),
            (&json!("a.txt"), &json!(3), &json!("text/plain")),
        ]
    );
    assert_eq!(
        files[0]["meta"]["sha256"],
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(
        files[1]["meta"]["sha256"],
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    let record = server.get(&format!("/v1/files/{}", files[2]["id"])).await.ok();
    for key in ["id", "name", "bytes", "url", "meta"] {
        assert_eq!(record[key], files[2][key], "{key}");
    }
    assert_eq!(record["created_timestamp"].as_str().unwrap().len(), 19);
    let listed = server.get("/v1/files").await.ok();
    let names: Vec<_> =
        listed["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a.txt", "page.html", "empty", "b.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_type_is_told_by_the_content_and_not_by_name_or_header() {
    let server = Server::start();
    let lie = "Content-Disposition: form-data; name=\"files\"; filename=\"a.txt\"\r\nContent-Type: text/html";
    let parts = Parts::new()
        .part(lie, &encrypted_pdf())
        .file("a.pdf", b"plain words")
        .file("x.png", b"%PDF-1.4\n")
        .file("page.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let files = server.upload(parts).await.ok();
    let types: Vec<_> =
        files.as_array().unwrap().iter().map(|f| f["meta"]["content_type"].as_str().unwrap()).collect();
    assert_eq!(types, ["application/pdf", "text/plain", "application/pdf", "image/png"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_kept_as_they_were_given_and_never_used_as_a_path() {
    let server = Server::start();
    let names = [
        "../../x",
        "/etc/passwd",
        "..",
        ".",
        "C:\\Users\\x.txt",
        "a\"b.txt",
        "two\r\nlines.txt",
        "😀 é.txt",
        "e\u{301}.txt",
        "\u{e9}.txt",
        "%00.txt",
        "%41.txt",
        "a;b=\"c\".txt",
        " spaced ",
        "'; DROP TABLE files; --",
        "\u{202e}txt.exe",
        &"n".repeat(1_024),
    ];
    let parts = names.iter().fold(Parts::new(), |parts, name| parts.file(name, b"x"));
    let files = server.upload(parts).await.ok();
    for (file, name) in files.as_array().unwrap().iter().zip(names) {
        assert_eq!(file["name"], name);
        let answer = server.client.get(file["url"].as_str().unwrap()).send().await.unwrap();
        let disposition = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(
            disposition.starts_with("attachment; ") && !disposition.contains(['/', '\\']),
            "{disposition}"
        );
        assert_eq!(answer.text().await.unwrap(), "x");
    }
    let outside: Vec<String> = server
        .stored("")
        .into_iter()
        .filter(|path| !path.contains("/blobs/") && !path.contains("/index/"))
        .map(|p| p.rsplit('/').next().unwrap().to_owned())
        .collect();
    assert!(outside.iter().all(|name| name.starts_with("formwork.db") || name == "first-key"), "{outside:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_read_in_every_way_that_clients_write_them() {
    let server = Server::start();
    let named = |parameters: &str| format!("Content-Disposition: form-data; name=\"files\"; {parameters}");
    for (parameters, name) in [
        ("filename=plain.txt", "plain.txt"),
        ("filename=\"a\\\"b.txt\"", "a\"b.txt"),
        ("filename=\"a%22b.txt\"", "a\"b.txt"),
        ("filename=\"C:\\dir\\a.txt\"", "C:\\dir\\a.txt"),
        ("filename=\"a\\\\b.txt\"", "a\\b.txt"),
        ("filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
        ("filename*=utf-8'en'%C3%A9", "é"),
        ("filename=\"x.txt\"; filename*=UTF-8''%C3%A9.txt", "é.txt"),
        ("filename*=UTF-8''%C3%A9.txt; filename=\"x.txt\"", "é.txt"),
        ("FileName=\"upper.txt\"", "upper.txt"),
        ("filename=\"a; filename*=b.txt\"", "a; filename*=b.txt"),
        ("filename=\"\"", "file"),
        ("x=1", "file"),
    ] {
        let answer = server.upload(Parts::new().part(&named(parameters), b"x")).await;
        assert_eq!(answer.ok()[0]["name"], name, "{parameters}");
    }
    let too_long = server.upload(Parts::new().file(&"n".repeat(1_025), b"x")).await;
    too_long.fails_at(400, "validation_failed", "/files");
    for malformed in ["filename*=nonsense", "filename=\"open", "filename"] {
        server.upload(Parts::new().part(&named(malformed), b"x")).await.fails(400, "malformed_multipart");
    }
    let huge = server.upload(Parts::new().file(&"n".repeat(1 << 20), b"x")).await;
    assert!(matches!(huge.status, 400 | 413), "{}", huge.status);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_without_files_or_of_another_type_is_refused() {
    let server = Server::start();
    server.upload(Parts::new()).await.fails(400, "validation_failed");
    server.upload(Parts::new().field("knowledgeId", "")).await.fails_at(400, "validation_failed", "/files");
    server
        .upload(Parts::new().part("Content-Disposition: form-data; name=\"file\"; filename=\"a\"", b"x"))
        .await
        .fails_at(400, "validation_failed", "/files");
    let upload = || server.request(Method::POST, "/v1/files");
    for kind in [
        "application/json",
        "multipart/mixed; boundary=x",
        "text/plain",
        "multipart/form-dataX; boundary=x",
        "",
    ] {
        upload().body(kind, "{}").send().await.fails(415, "unsupported_content_type");
    }
    upload().send().await.fails(415, "unsupported_content_type");
    for kind in
        ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=other"]
    {
        let body = Parts::new().file("a", b"x").end();
        upload().body(kind, body).send().await.fails(400, "malformed_multipart");
    }
    upload()
        .header("content-encoding", "gzip")
        .multipart(Parts::new().file("a", b"x"))
        .send()
        .await
        .fails(415, "unsupported_content_encoding");
    let large = server.upload(Parts::new().field("knowledgeId", &"x".repeat(10_000)).file("a", b"x")).await;
    large.fails_at(400, "validation_failed", "/knowledgeId");
    server
        .upload(Parts::new().field("junk", &"x".repeat(10_000)).file("a", b"x"))
        .await
        .fails(400, "validation_failed");
    let many = (0..101).fold(Parts::new().file("a", b"x"), |parts, _| parts.field("x", ""));
    server.upload(many).await.fails_at(400, "validation_failed", "");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_for_a_knowledge_base_that_does_not_exist_are_not_stored() {
    let server = Server::start();
    let before = server.upload(Parts::new().field("knowledgeId", "kb_1").file("a.txt", b"x")).await;
    before.fails(404, "knowledge_base_not_found");
    let after = server.upload(Parts::new().file("a.txt", b"x").field("knowledgeId", "kb_1")).await;
    after.fails(404, "knowledge_base_not_found");
    nothing_is_left(&server).await;
    server.upload(Parts::new().field("knowledgeId", "").file("a.txt", b"x")).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn more_or_larger_files_than_allowed_are_refused_and_leave_nothing() {
    let server = Server::with("limits.file_bytes = 3000000\nlimits.files_per_upload = 2");
    let big = vec![b'x'; 3_000_001];
    let message =
        server.upload(Parts::new().file("a", b"x").file("b", &big)).await.fails(413, "file_too_large");
    assert_eq!(message["message"], "a file may have at most 3000000 bytes");
    server
        .upload(Parts::new().file("a", b"1").file("b", b"2").file("c", b"3"))
        .await
        .fails(413, "too_many_files");
    nothing_is_left(&server).await;
    let fits = server.upload(Parts::new().file("a", &big[..3_000_000]).file("b", b"2")).await.ok();
    assert_eq!(fits[0]["bytes"], 3_000_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_breaks_off_leaves_nothing_behind() {
    let server = Server::start();
    // One whole file, and one that is large enough to be on the disk already when the client goes.
    let body = Parts::new().file("whole.txt", b"whole").file("half.bin", &vec![b'x'; 5 << 20]).end();
    let head = format!(
        "POST /v1/files HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\n\
         content-type: multipart/form-data; boundary=----sample-boundary\r\n",
        server.key
    );
    let whole = format!("{head}content-length: {}\r\n\r\n", body.len());
    for length in [body.len() / 2, body.len() - 1, 200, 60] {
        server.cut_off(&[whole.as_bytes(), &body[..length]].concat());
        // The same with only the sending side closed.
        let answer = server.half_closed(&[whole.as_bytes(), &body[..length]].concat());
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{answer}");
    }
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n", body.len());
    server.cut_off(&[chunked.as_bytes(), &body[..body.len() / 2]].concat());
    // A body that is complete as HTTP, but not as multipart.
    let cut = &body[..body.len() - 30];
    let kind = "multipart/form-data; boundary=----sample-boundary";
    let answer = server.request(Method::POST, "/v1/files").body(kind, cut).send().await;
    answer.fails(400, "malformed_multipart");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_drips_is_refused_and_leaves_nothing_behind() {
    let server = Server::with("[limits]\nrequest_seconds = 1");
    let head = format!(
        "POST /v1/files HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 1000000\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n\
         content-disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\n",
        server.key
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = stream.try_clone().unwrap();
    let answer = std::thread::spawn(move || {
        let mut answer = vec![0; 4_096];
        let read = reader.read(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[..read]).into_owned()
    });
    // Never silent for a second, and never 1,024 bytes in one.
    while !answer.is_finished() {
        if stream.write_all(b"drip").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = answer.join().unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("upload_too_slow"), "{answer}");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_is_gone_with_its_content_and_odd_ids_are_no_files() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "x")]).await.remove(0);
    assert_eq!(server.stored("blobs").len(), 1);
    let id = &file["id"];
    let gone = server.delete(&format!("/v1/files/{id}")).await.ok();
    assert_eq!(gone, json!({"response": format!("File {id} was deleted.")}));
    server.delete(&format!("/v1/files/{id}")).await.fails(404, "file_not_found");
    server.get(&format!("/v1/files/{id}")).await.fails(404, "file_not_found");
    for odd in ["0", "-1", "x", "1.0", "+1", "9007199254740993", "99999999999999999999", "%31%20", "1%00"] {
        server.get(&format!("/v1/files/{odd}")).await.fails(404, "file_not_found");
        server.delete(&format!("/v1/files/{odd}")).await.fails(404, "file_not_found");
    }
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_one_name_alone_in_every_path() {
    let server = Server::start();
    let id = server.files(&[("a.txt", "x")]).await[0]["id"].to_string();
    for odd in [format!("0{id}"), format!("+{id}"), format!("%2B{id}"), format!("{id}.0"), format!("{id}%20")]
    {
        server.get(&format!("/v1/files/{odd}")).await.fails(404, "file_not_found");
        server.get(&format!("/v1/notes/file/{odd}")).await.fails(404, "file_not_found");
        server.delete(&format!("/v1/files/{odd}")).await.fails(404, "file_not_found");
    }
    server.get(&format!("/v1/files/{id}")).await.ok();
}
