//! Repetition, bounds and errors, with a server that answers as a script says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

use std::time::Duration;

use formwork_client::{Client, Document, Error, Request};
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

const KEY: &str = "fw_secret_of_the_test";

fn client(upstream: &Upstream) -> Client {
    Client::new(upstream.url(), KEY).unwrap()
}

fn busy(wait: &str) -> Reply {
    let headers = [("content-type", "application/json"), ("retry-after", wait), ("x-request-id", "r7")];
    Reply::whole_with(503, &headers, r#"{"code":"saturated","message":"busy"}"#)
}

fn done() -> Reply {
    Reply::json(200, &json!({"done": true}))
}

/// The `Idempotency-Key` of each request.
fn keys(upstream: &Upstream) -> Vec<Option<String>> {
    let requests = upstream.requests();
    requests.iter().map(|request| request.header("idempotency-key").map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_refused_and_a_lost_post_are_sent_again_with_the_same_key() {
    let lost = Reply::raw().write("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{").close();
    let upstream = Upstream::start_replies([busy("0"), Reply::raw().close(), lost, done()]).unwrap();
    let answer: Value =
        client(&upstream).send(Request::post("/v1/form").json(&json!({"a": 1}))).await.unwrap();
    assert_eq!(answer, json!({"done": true}));
    let keys = keys(&upstream);
    assert_eq!(keys.len(), 4);
    assert!(keys[0].is_some() && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert!(upstream.requests().iter().all(|request| request.body == br#"{"a":1}"#));
}

#[tokio::test]
async fn two_posts_have_two_keys_and_a_given_key_is_kept() {
    let upstream = Upstream::start_replies([done()]).unwrap();
    let client = client(&upstream);
    for request in
        [Request::post("/a"), Request::post("/a"), Request::post("/a").header("idempotency-key", "mine")]
    {
        client.read(request).await.unwrap();
    }
    client.read(Request::get("/a")).await.unwrap();
    let keys = keys(&upstream);
    assert_ne!(keys[0], keys[1]);
    assert_eq!((keys[2].as_deref(), &keys[3]), (Some("mine"), &None));
}

#[tokio::test]
async fn what_takes_no_key_is_not_sent_again_after_a_gateway_gave_up() {
    for reply in [Reply::whole(504, "text/html", "<html>"), Reply::raw().close()] {
        let upstream = Upstream::start_replies([reply, done()]).unwrap();
        let error = client(&upstream).read(Request::post("/v1/keys")).await.unwrap_err();
        assert!(
            matches!(&error, Error::Api(api) if api.status == 504) || matches!(error, Error::Connection(_))
        );
        assert_eq!(upstream.count(), 1);
    }
    let upstream = Upstream::start_replies([Reply::whole(504, "text/html", "<html>"), done()]).unwrap();
    client(&upstream).read(Request::post("/v1/form")).await.unwrap();
    assert_eq!(upstream.count(), 2);
}

#[tokio::test]
async fn attempts_end_with_the_error_of_the_last_one() {
    let upstream = Upstream::start_replies([busy("0")]).unwrap();
    let client = Client::builder(upstream.url(), KEY).attempts(3).build().unwrap();
    let error = client.read(Request::get("/v1/form")).await.unwrap_err();
    assert_eq!(error.to_string(), "busy (saturated)\n  request r7");
    assert_eq!(upstream.count(), 3);
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_reported_and_not_waited() {
    let upstream = Upstream::start_replies([busy("3600"), done()]).unwrap();
    let error = client(&upstream).read(Request::get("/v1/form")).await.unwrap_err();
    assert_eq!(error.api().unwrap().retry_after, Some(Duration::from_secs(3600)));
    assert_eq!(upstream.count(), 1);
}

#[tokio::test]
async fn an_unreachable_server_and_a_silent_one_are_connection_errors_without_the_key() {
    let upstream = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    for url in ["http://127.0.0.1:1".to_owned(), upstream.url()] {
        let client =
            Client::builder(url, KEY).attempts(1).read_timeout(Duration::from_millis(200)).build().unwrap();
        let error = client.read(Request::get("/health")).await.unwrap_err();
        assert!(matches!(error, Error::Connection(_)), "{error}");
        assert!(!format!("{error:?} {error}").contains(KEY));
    }
}

#[tokio::test]
async fn the_key_goes_to_no_other_server() {
    let other = Upstream::start_replies([done()]).unwrap();
    let url = other.url();
    let redirect = Reply::whole_with(307, &[("location", url.as_str())], "");
    let upstream = Upstream::start_replies([redirect]).unwrap();
    let client = client(&upstream);
    assert!(matches!(client.read(Request::get("/v1/me")).await, Err(Error::Api(api)) if api.status == 307));
    let named = format!("@{}", url.trim_start_matches("http://"));
    assert!(matches!(client.read(Request::get(named)).await, Err(Error::Invalid(_))));
    assert_eq!((upstream.count(), other.count()), (1, 0));
}

#[tokio::test]
async fn answers_and_events_are_bounded() {
    let endless = Reply::chunked(200, &[]).endless("4\r\nxxxx\r\n");
    let upstream = Upstream::start_replies([endless]).unwrap();
    let client = Client::builder(upstream.url(), KEY).max_answer_bytes(1000).build().unwrap();
    assert!(matches!(client.read(Request::get("/a")).await, Err(Error::Decode(_))));
    let mut events = client.events(Request::get("/a")).await.unwrap();
    assert!(matches!(events.next().await, Some(Err(Error::Decode(_)))));
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_stream_ends_after_its_last_event_and_a_broken_one_says_so() {
    let begun = || Reply::event_stream().chunk("event: delta\ndata: {\"text\":\"a\"}\n\n");
    let whole = begun().chunk("event: done\ndata: {}\n\n").wait(Duration::from_secs(60));
    let failed = begun().chunk("event: error\ndata: {\"code\":\"c\",\"message\":\"m\"}\n\n").end();
    let upstream =
        Upstream::start_replies([busy("0"), whole, begun().end(), failed, begun().close()]).unwrap();
    let client = client(&upstream);
    let events: Vec<_> = client.events(Request::get("/a")).await.unwrap().try_collect().await.unwrap();
    assert_eq!(events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["delta", "done"]);
    assert_eq!(events[0].text(), "a");
    for code in ["stream_broken", "c", "stream_broken"] {
        let error =
            client.events(Request::get("/a")).await.unwrap().try_collect::<Vec<_>>().await.unwrap_err();
        assert_eq!(error.code(), Some(code), "{error}");
    }
}

#[tokio::test]
async fn lists_are_read_page_by_page_as_they_are_needed() {
    let page = |names: &[&str], cursor: &str| {
        let forms: Vec<Value> = names.iter().map(|name| json!({"form_id": name, "title": name})).collect();
        Reply::json(200, &json!({"forms": forms, "meta": {"next_cursor": cursor}}))
    };
    let upstream =
        Upstream::start_replies([page(&["a", "b"], "c&2"), page(&["c"], ""), page(&[], ""), done()]).unwrap();
    let client = client(&upstream);
    let mut forms = client.forms().titled("x y");
    assert_eq!(forms.next().await.unwrap().unwrap().form_id, "a");
    assert_eq!(upstream.count(), 1);
    let rest: Vec<_> = forms.map_ok(|form| form.form_id).try_collect().await.unwrap();
    assert_eq!(rest, ["b", "c"]);
    let paths: Vec<_> = upstream.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths[0], "/v1/form?title=x%20y&limit=100");
    assert_eq!(paths[1], "/v1/form?title=x%20y&limit=100&cursor=c%262");
    assert!(client.agents().list().next().await.is_none());
    assert!(matches!(client.agents().list().next().await, Some(Err(Error::Decode(_)))));
}

#[tokio::test]
async fn an_upload_from_a_path_is_sent_again_in_whole_and_a_missing_file_is_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note.txt");
    std::fs::write(&path, "The notice period is three months.").unwrap();
    let stored =
        Reply::json(200, &json!([{"id": 7, "name": "note.txt", "bytes": 34, "url": "http://a/files/t/n"}]));
    let upstream = Upstream::start_replies([busy("0"), stored]).unwrap();
    let client = client(&upstream);
    let files = client.files().upload([&path]).await.unwrap();
    assert_eq!((files[0].id, files[0].name.as_str()), (7, "note.txt"));
    let requests = upstream.requests();
    assert_eq!(keys(&upstream)[0], keys(&upstream)[1]);
    for request in &requests {
        let body = String::from_utf8_lossy(&request.body);
        assert!(body.contains("filename=\"note.txt\"") && body.contains("three months."), "{body}");
    }
    let missing = folder.path().join("missing.txt");
    let error = client.files().upload([&path, &missing]).await.unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if *path == missing), "{error}");
    assert!(matches!(client.files().upload([folder.path()]).await, Err(Error::File { .. })));
    assert!(matches!(client.files().upload([Document::stored(7)]).await, Err(Error::Invalid(_))));
    assert_eq!(upstream.count(), 2);
}

#[tokio::test]
async fn a_dropped_request_is_closed() {
    let upstream = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let client = client(&upstream);
    let ended = tokio::time::timeout(Duration::from_millis(300), client.read(Request::get("/a"))).await;
    assert!(ended.is_err());
    tokio::time::timeout(Duration::from_secs(20), upstream.wait_for_closed(1)).await.unwrap();
}
