//! The content of files: keys, URLs that end, character sets.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Home, Parts, Server, encrypted_pdf, two_pages};

fn path<'a>(server: &Server, url: &'a Value) -> &'a str {
    url.as_str().unwrap().strip_prefix(server.url.as_str()).unwrap()
}

async fn read(server: &Server, path: &str) -> Answer {
    server.request(Method::GET, path).open().send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn content_needs_a_key_of_its_workspace_where_a_setting_says_so() {
    let server = Server::with("[files]\nrequire_key = \"on\"");
    let file = server.files(&[("a.txt", "hello")]).await.remove(0);
    let thumbnail = server.post("/v1/utilities/thumbnail", json!({"urls": [file["id"]]})).await.ok();
    for url in [&file["url"], &thumbnail[0]["thumbnail"]] {
        let path = path(&server, url);
        let refused = read(&server, path).await;
        refused.fails(401, "invalid_key");
        assert_eq!(refused.header("www-authenticate"), "Bearer");
        assert_eq!(server.get(path).await.status, 200);
        server.request(Method::GET, path).key("fw_wrong").send().await.fails(401, "invalid_key");
    }
    read(&server, "/files/unknown").await.fails(401, "invalid_key");
    let stranger = server.stranger();
    let theirs = server.request(Method::GET, path(&server, &file["url"])).key(&stranger).send().await;
    theirs.fails(404, "file_not_found");
    let reader = server.home.told(&["keys", "create", "--scope", "read"]);
    let read = server.request(Method::GET, path(&server, &file["url"])).key(&reader).send().await;
    assert_eq!((read.status, read.text()), (200, "hello"));
    // The server itself reads it all the same.
    let parsed = server.post("/v1/utilities/docparser", json!({"urls": [file["url"]]})).await.ok();
    assert!(parsed[0]["body"].as_str().unwrap().contains("hello"), "{parsed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_that_ends_is_signed_and_rotation_keeps_it_while_the_old_secret_is_there() {
    let home = Home::new("");
    let with = |secrets: &str, seconds: &str| {
        let mut command = crate::kit::formwork(&home.path(""));
        command.env("FORMWORK_FILES__URL_SECONDS", seconds).env("FORMWORK_FILES__URL_SECRETS", secrets);
        home.start_with(command)
    };
    let (old, new) = ("an-old-secret-of-24-bytes", "a-new-secret-of-24-bytes");
    let server = with(old, "600");
    let file = server.files(&[("a.txt", "hello")]).await.remove(0);
    let signed = path(&server, &file["url"]).to_owned();
    let (plain, query) = signed.split_once('?').unwrap();
    assert!(plain.ends_with("/a.txt") && query.starts_with("expires=") && query.contains("&signature="));
    assert_eq!(read(&server, &signed).await.text(), "hello");
    read(&server, plain).await.fails(403, "url_not_signed");
    read(&server, &signed.replace("expires=1", "expires=2")).await.fails(403, "url_not_signed");
    read(&server, "/files/none?expires=1&signature=00").await.fails(403, "url_not_signed");
    let own = server
        .post("/v1/utilities/docparser", json!({"urls": [file["url"], format!("{}{plain}", server.url)]}));
    let own = own.await.ok();
    assert!(
        own.as_array().unwrap().iter().all(|item| item["body"].as_str().unwrap().contains("hello")),
        "{own}"
    );
    let thumbnail = server.post("/v1/utilities/thumbnail", json!({"urls": [file["id"]]})).await.ok();
    let shown = path(&server, &thumbnail[0]["thumbnail"]).to_owned();
    assert_eq!(read(&server, &shown).await.status, 200);
    read(&server, shown.split('?').next().unwrap()).await.fails(403, "url_not_signed");
    drop(server);

    let server = with(&format!("{new},{old}"), "600");
    assert_eq!(read(&server, &signed).await.text(), "hello", "what the old secret signed holds");
    let again = server.get(&format!("/v1/files/{}", file["id"])).await.ok();
    let renewed = path(&server, &again["url"]).to_owned();
    drop(server);
    let server = with(new, "600");
    read(&server, &signed).await.fails(403, "url_not_signed");
    assert_eq!(read(&server, &renewed).await.text(), "hello");
    drop(server);

    // Without a secret of the settings, one is kept with the data.
    let server = with("", "600");
    let url = server.get(&format!("/v1/files/{}", file["id"])).await.ok()["url"].clone();
    let signed = path(&server, &url).to_owned();
    drop(server);
    let server = with("", "600");
    assert_eq!(read(&server, &signed).await.text(), "hello");
    drop(server);
    let server = with("", "0");
    assert_eq!(read(&server, plain).await.text(), "hello");
    let refused = home.run(&["config"]);
    assert!(refused.status.success());
    let mut command = crate::kit::formwork(&home.path(""));
    let told = command.env("FORMWORK_FILES__URL_SECRETS", "short").arg("config").output().unwrap();
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(
        told.contains("'files.url_secrets' must have at least 16 bytes") && !told.contains("short"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_served_with_its_character_set() {
    let server = Server::start();
    let wide: Vec<u8> = "\u{feff}Grüße".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let parts = Parts::new()
        .file("a.txt", "Grüße".as_bytes())
        .file("b.txt", b"Gr\xfc\xdfe aus K\xf6ln, sch\xf6n war es \xfcberall.")
        .file("c.txt", &wide)
        .file("d.csv", b"a,b\n1,2\n")
        .file("e.html", "<!doctype html><title>é</title>".as_bytes())
        .file("f.pdf", b"%PDF-1.4\n");
    let files = server.upload(parts).await.ok();
    for (index, kind) in [
        "text/plain; charset=utf-8",
        "text/plain; charset=windows-1252",
        "text/plain; charset=utf-16le",
        "text/csv; charset=utf-8",
        "text/html; charset=utf-8",
        "application/pdf",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = read(&server, path(&server, &files[index]["url"])).await;
        assert_eq!(answer.header("content-type"), kind, "{index}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_pages_says_how_many() {
    let server = Server::start();
    let parts =
        Parts::new().file("two.pdf", &two_pages()).file("locked.pdf", &encrypted_pdf()).file("a.txt", b"A");
    let files = server.upload(parts).await.ok();
    assert_eq!(files[0]["meta"]["pages"], 2, "{files}");
    for file in [&files[1], &files[2]] {
        assert!(file["meta"].get("pages").is_none(), "{file}");
    }
    let record = server.get(&format!("/v1/files/{}", files[0]["id"])).await.ok();
    assert_eq!(record["meta"]["pages"], 2, "{record}");
}
