//! The key and other secrets stand in nothing that is shown or logged.

use std::error::Error;

use providers_http::{Auth, Endpoint, OpenAiCompatible};
use secrecy::SecretString;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, Operation, endpoint, last_piece, small, transport};

/// A header that the operator set; it may be a password of a gateway.
const HEADER: &str = "gateway-pass-91c7e2";

fn client(upstream: &Upstream) -> OpenAiCompatible {
    let endpoint = endpoint(&upstream.url(), small()).with_header("x-gateway", HEADER).unwrap();
    OpenAiCompatible::openai(endpoint)
}

fn assert_clean(shown: &str) {
    for secret in [KEY, &KEY[..10], &KEY[12..], HEADER, "sk-other-secret", "abc.def.ghi"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[tokio::test]
async fn an_echoed_key_is_in_no_error_whatever_its_form() {
    let echo = format!(
        "Wrong key {KEY} ({}…), x-gateway: {HEADER}, try sk-other-secret1234 or Bearer abc.def.ghi",
        &KEY[..10]
    );
    let replies = [
        Reply::json(401, &json!({"error": {"message": echo, "code": KEY, "type": echo}})),
        Reply::json(500, &json!({"message": echo})),
        Reply::json(422, &json!({"detail": [{"loc": ["body", KEY], "msg": echo}]})),
        Reply::whole(502, "text/plain", echo.clone()),
        Reply::whole(502, "text/html", echo.clone()),
        Reply::json(200, &json!({"error": {"message": echo}})),
        Reply::whole(200, "application/json", format!("{{\"choices\": \"{echo}\", \"data\": \"{echo}\"}}")),
        Reply::whole(200, &format!("application/{KEY}"), ""),
        Reply::events([json!({"error": {"message": echo}}).to_string()]),
        Reply::events([format!("{{\"choices\": \"{echo}\"}}")]),
        Reply::whole_with(302, &[("location", &format!("/{KEY}"))], ""),
        Reply::raw().write(format!("HTTP/1.1 {KEY}\r\n\r\n")).close(),
        Reply::raw().close(),
    ];
    for reply in replies {
        for operation in Operation::ALL {
            let upstream = Upstream::start_replies([reply.clone()]).unwrap();
            // Speech takes any file for a sound.
            let Err(error) = operation.call(&client(&upstream)).await else {
                assert_eq!(operation, Operation::Speech);
                continue;
            };
            assert_clean(&format!("{error} {error:?}"));
            let mut cause = error.source();
            while let Some(error) = cause {
                assert_clean(&format!("{error} {error:?}"));
                cause = error.source();
            }
        }
    }
}

#[tokio::test]
async fn debug_output_shows_no_secret() {
    let upstream = Upstream::start_replies([Reply::events([last_piece("stop")])]).unwrap();
    let client = client(&upstream).with_voice("echo");
    assert_clean(&format!("{client:?} {client:#?}"));
    let google = Endpoint::new(&transport(), &upstream.url()).unwrap();
    let google = google.with_key(SecretString::from(KEY), Auth::Header("x-goog-api-key")).unwrap();
    let shown = format!("{google:?}");
    assert_clean(&shown);
    assert!(shown.contains("x-goog-api-key") && shown.contains("127.0.0.1"), "{shown}");
}

#[test]
fn an_address_with_a_password_and_a_key_that_is_no_header_are_refused_without_showing_them() {
    for url in [
        "https://user:hidden@host/v1",
        "https://host/v1?key=hidden",
        "https://host/#hidden",
        "file:///hidden",
        "hidden",
        "",
    ] {
        let error = Endpoint::new(&transport(), url).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hidden"), "{url}");
    }
    let endpoint = Endpoint::new(&transport(), "https://host/v1/").unwrap();
    let error = endpoint.clone().with_key(SecretString::from("hidden\n"), Auth::Bearer).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hidden"));
    let error = endpoint.with_header("x-y", "hidden\n").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hidden"));
}
