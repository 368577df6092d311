//! Pictures of documents and their addresses.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{ask, ask_of};
use crate::kit::{Answer, Home, Parts, Server, encrypted_pdf};

/// A drawing of a square.
const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">\
    <rect width=\"40\" height=\"20\" fill=\"#1f5f8b\"/></svg>";

/// The path of an item's picture.
fn path(server: &Server, item: &Value) -> String {
    let url = item["thumbnail"].as_str().unwrap();
    url.strip_prefix(&server.url).unwrap_or_else(|| panic!("{item}")).to_owned()
}

/// Looks at a picture without a key.
async fn look(server: &Server, path: &str) -> Answer {
    server.request(Method::GET, path).open().send().await
}

/// Width and height as a PNG tells them.
fn png_size(answer: &Answer) -> (u32, u32) {
    let bytes = &answer.body;
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_shown_to_whoever_has_its_address_until_its_file_is_deleted() {
    shown_until_deleted(&Server::start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_pictures_are_shown_and_end_the_same() {
    let Some(home) = Home::on_postgres() else { return };
    shown_until_deleted(&home.start()).await;
}

pub(crate) async fn shown_until_deleted(server: &Server) {
    let files = server.files(&[("a.svg", DRAWING), ("twin.svg", DRAWING)]).await;
    let made = ask(server, "thumbnail", json!([files[0]["id"], files[1]["url"], files[0]["id"]])).await.ok();
    let (first, twin) = (path(server, &made[0]), path(server, &made[1]));
    assert_ne!(first, twin, "each file has an address of its own");
    assert_eq!(made[0]["thumbnail"], made[2]["thumbnail"]);
    let picture = look(server, &first).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    assert_eq!(png_size(&picture), (320, 160));
    assert_eq!(look(server, &twin).await.body, picture.body);
    let listed = server.get("/v1/files").await.ok();
    assert_eq!(listed["meta"]["total_items"], 2, "pictures are not among the files");
    // One content of two files, and one picture.
    assert_eq!(server.stored("blobs").len(), 2);

    server.delete(&format!("/v1/files/{}", files[0]["id"])).await.ok();
    look(server, &first).await.fails(404, "thumbnail_not_found");
    assert_eq!(look(server, &twin).await.status, 200, "the twin is still there");
    server.delete(&format!("/v1/files/{}", files[1]["id"])).await.ok();
    look(server, &twin).await.fails(404, "thumbnail_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_kept_by_those_who_saw_it_and_given_in_parts() {
    let server = Server::start();
    let file = server.files(&[("a.svg", DRAWING)]).await.remove(0);
    let made = ask(&server, "thumbnail", json!([file["id"]])).await.ok();
    let path = path(&server, &made[0]);
    let whole = look(&server, &path).await;
    assert_eq!(whole.header("cache-control"), "private, max-age=86400, immutable");
    let etag = whole.header("etag").to_owned();
    let call = |name: &str, value: &str| server.request(Method::GET, &path).open().header(name, value).send();
    assert_eq!(call("if-none-match", &etag).await.status, 304);
    let part = call("range", "bytes=1-3").await;
    assert_eq!((part.status, &part.body[..]), (206, &b"PNG"[..]));
    assert_eq!(part.header("content-range"), format!("bytes 1-3/{}", whole.body.len()));
    call("range", "bytes=9999999-").await.fails(416, "range_not_satisfiable");
    for wrong in ["/thumbnails/x", "/thumbnails/%00", &format!("{path}x"), &path[..path.len() - 1]] {
        look(&server, wrong).await.fails(404, "thumbnail_not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn width_and_format_make_other_pictures_and_the_body_goes_before_the_query() {
    let server = Server::start();
    let file = server.files(&[("a.svg", DRAWING)]).await.remove(0);
    let make = async |query: &str, wish: Value| {
        let mut body = json!({"urls": [file["id"]]});
        body.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        let made = server.post(&format!("/v1/utilities/thumbnail{query}"), body).await.ok();
        look(&server, &path(&server, &made[0])).await
    };
    assert_eq!(png_size(&make("?width=64", json!({})).await), (64, 32));
    assert_eq!(png_size(&make("?width=64", json!({"width": 100})).await), (100, 50));
    let webp = make("?format=webp&width=64", json!({})).await;
    assert_eq!((webp.header("content-type"), &webp.body[8..12]), ("image/webp", &b"WEBP"[..]));
    assert_eq!(png_size(&make("", json!({"page": 9})).await), (320, 160), "the last page");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_has_a_card_and_only_what_is_not_there_an_error() {
    let server = Server::start();
    let parts = Parts::new()
        .file("noise.bin", &(0..=255).collect::<Vec<u8>>())
        .file("empty.pdf", b"")
        .file("locked.pdf", &encrypted_pdf())
        .file("broken.pdf", b"%PDF-1.7\nnothing");
    let files = server.upload(parts).await.ok();
    let ids: Vec<&Value> = files.as_array().unwrap().iter().map(|file| &file["id"]).collect();
    let made = ask(&server, "thumbnail", json!(ids)).await.ok();
    for item in made.as_array().unwrap() {
        assert_eq!(item.get("error"), None, "{item}");
        assert_eq!(png_size(&look(&server, &path(&server, item)).await).0, 320);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_an_upload_is_shown_though_there_is_no_file() {
    let server = Server::start();
    let parts = || Parts::new().file("a.svg", DRAWING.as_bytes());
    let made = ask_of(&server, "thumbnail?width=48", parts()).await.ok();
    assert_eq!(made[0]["url"], "a.svg");
    let shown = look(&server, &path(&server, &made[0])).await;
    assert_eq!(png_size(&shown), (48, 24));
    let seconds = shown.header("cache-control").strip_prefix("private, max-age=").unwrap();
    let seconds: u32 = seconds.split(',').next().unwrap().parse().unwrap();
    assert!((86_000..=86_400).contains(&seconds), "{seconds}");
    let again = ask_of(&server, "thumbnail?width=48", parts()).await.ok();
    assert_eq!(again[0]["thumbnail"], made[0]["thumbnail"]);
    crate::kit::settle("the end of the uploads", async || server.stored("blobs").len() == 1).await;
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_picture_asked_for_at_the_same_time_is_drawn_once() {
    let server = Server::start();
    let file = server.files(&[("a.svg", DRAWING)]).await.remove(0);
    let asked = (0..16).map(|_| ask(&server, "thumbnail", json!([file["id"], file["url"]])));
    let made: Vec<Value> = join_all(asked).await.iter().map(Answer::ok).collect();
    let first = &made[0][0]["thumbnail"];
    assert!(made.iter().all(|made| made[0]["thumbnail"] == *first && made[1]["thumbnail"] == *first));
    assert_eq!(server.stored("blobs").len(), 2, "the file and one picture");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_request_for_pictures_is_answered_again() {
    let server = Server::start();
    let file = server.files(&[("a.svg", DRAWING)]).await.remove(0);
    let send = |width: u32| {
        let body = json!({"urls": [file["id"]], "width": width});
        let call = server.request(Method::POST, "/v1/utilities/thumbnail").header("idempotency-key", "one");
        call.json(&body).send()
    };
    let first = send(40).await.ok();
    let again = send(40).await;
    assert_eq!((again.ok(), again.header("idempotency-replayed")), (first, "true"));
    send(41).await.fails(409, "idempotency_key_reused");
    let upload = |text: &'static str| {
        let call = server.request(Method::POST, "/v1/utilities/thumbnail").header("idempotency-key", "two");
        call.multipart(Parts::new().file("a.txt", text.as_bytes())).send()
    };
    let first = upload("Hull").await.ok();
    assert_eq!(upload("Hull").await.ok(), first);
    upload("Grimsby").await.fails(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_there_after_the_server_was_killed() {
    let mut server = Server::start();
    let file = server.files(&[("a.svg", DRAWING)]).await.remove(0);
    let made = ask(&server, "thumbnail", json!([file["id"]])).await.ok();
    let path = path(&server, &made[0]);
    let server = server.kill().start();
    assert_eq!(png_size(&look(&server, &path).await), (320, 160));
}
