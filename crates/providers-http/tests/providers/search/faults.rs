//! Every way in which an answer may be wrong.

use std::time::Duration;

use gen_core::Fault;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::{ALL, Asked, query, serving};
use crate::common::KEY;

async fn fault(asked: Asked, reply: Reply) -> (Fault, String, Option<Duration>) {
    let upstream = serving(reply);
    let error = asked.ask(&upstream.url(), &query("cod")).await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(KEY), "{asked:?}: {shown}");
    (error.fault, error.message, error.retry_after)
}

#[tokio::test]
async fn statuses_tell_what_is_wrong_and_how_long_to_wait() {
    for asked in ALL {
        for (status, expected) in [
            (401, Fault::Auth),
            (403, Fault::Auth),
            (402, Fault::Billing),
            (429, Fault::RateLimited),
            (400, Fault::InvalidRequest),
            (404, Fault::InvalidRequest),
            (500, Fault::Failed),
            (502, Fault::Failed),
            (503, Fault::Overloaded),
            (302, Fault::Protocol),
        ] {
            let headers =
                [("content-type", "text/html"), ("retry-after", "7"), ("location", "http://127.0.0.1/")];
            let reply = Reply::whole_with(status, &headers, "<html><body>no</body></html>");
            let (fault, _, wait) = fault(asked, reply).await;
            assert_eq!((fault, wait), (expected, Some(Duration::from_secs(7))), "{asked:?} {status}");
        }
    }
}

#[tokio::test]
async fn providers_own_codes_are_understood() {
    let brave = json!({"type": "ErrorResponse", "error": {"id": "1", "status": 422,
        "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": format!("The token {KEY} is invalid.")}});
    let (told, message, _) = fault(Asked::BraveWeb, Reply::json(422, &brave)).await;
    assert_eq!(told, Fault::Auth, "{message}");
    let tavily = json!({"detail": {"error": "This request exceeds the plan's set usage limit."}});
    let (told, message, _) = fault(Asked::TavilyNews, Reply::json(432, &tavily)).await;
    assert_eq!(
        (told, message.as_str()),
        (Fault::Billing, "This request exceeds the plan's set usage limit.")
    );
}

#[tokio::test]
async fn engines_that_do_not_answer_are_a_failure_and_not_no_results() {
    let down = json!({"query": "cod", "results": [], "unresponsive_engines":
        [["first", "timeout"], ["second", "<b>CAPTCHA</b>"], ["third"], [7], "x"]});
    for asked in [Asked::SearxngWeb, Asked::SearxngNews] {
        let (told, message, _) = fault(asked, Reply::json(200, &down)).await;
        let expected = "none of its engines answered: first (timeout), second (CAPTCHA), third";
        assert_eq!((told, message.as_str()), (Fault::Failed, expected));
    }
}

#[tokio::test]
async fn answers_that_are_not_what_the_interface_says_are_failures() {
    let golden = |asked: Asked| asked.golden().trim_end().to_owned();
    for asked in ALL {
        let whole = golden(asked);
        let cut = &whole[..whole.len() / 2];
        for (kind, body) in [
            ("text/html", "<html><body>Sign in</body></html>"),
            ("application/json", "<html><body>Sign in</body></html>"),
            ("image/png", "{}"),
            ("application/json", cut),
            ("application/json", ""),
            ("application/json", "{}"),
            ("application/json", "[]"),
            ("application/json", "null"),
            ("application/json", "7"),
            ("application/json", r#"{"results": 7, "query": 7, "web": 7}"#),
            ("application/json", r#"{"results": {"a": 1}, "query": [], "web": []}"#),
            ("application/json", r#"{"results": "none", "query": "x", "web": {"results": "none"}}"#),
        ] {
            let (told, message, _) = fault(asked, Reply::whole(200, kind, body.to_owned())).await;
            assert_eq!(told, Fault::Protocol, "{asked:?} {kind} {body:.60}: {message}");
        }
    }
}

#[tokio::test]
async fn huge_silent_and_broken_answers_end_in_their_bounds() {
    for asked in ALL {
        let endless = Reply::chunked(200, &[("content-type", "application/json")]);
        let (told, ..) =
            fault(asked, endless.endless("1000\r\n".to_owned() + &" ".repeat(4_096) + "\r\n")).await;
        assert_eq!(told, Fault::Protocol, "{asked:?}");
        let broken = Reply::raw().write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"resu").close();
        assert_eq!(fault(asked, broken).await.0, Fault::Unreachable, "{asked:?}");
        let closing = Upstream::start_closing().unwrap();
        let error = asked.ask(&closing.url(), &query("cod")).await.unwrap_err();
        assert_eq!(error.fault, Fault::Unreachable, "{asked:?}");
    }
}

#[tokio::test]
async fn of_many_hits_only_some_are_read_and_deep_ones_hurt_nothing() {
    let many = "{\"url\": \"https://example.com/\"},".repeat(2_000);
    let deep = "[".repeat(100_000);
    for asked in ALL {
        let list = format!("[{}7]", many);
        let body = format!(r#"{{"query": {{}}, "results": {list}, "web": {{"results": {list}}}}}"#);
        let upstream = serving(Reply::whole(200, "application/json", body));
        // Those with the same address are one.
        let found = asked.ask(&upstream.url(), &query("cod")).await.unwrap();
        assert!(found.hits.len() <= 200, "{asked:?}");
        let body = format!(r#"{{"query": {{}}, "results": [{deep}"#);
        assert_eq!(fault(asked, Reply::whole(200, "application/json", body)).await.0, Fault::Protocol);
    }
}
