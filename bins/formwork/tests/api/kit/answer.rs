//! Answers, and what must hold for every one of them.

use bytes::Bytes;
use reqwest::header::HeaderMap;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::description::check_answer;

/// An answer with its whole body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) async fn read(method: &Method, path: &str, response: Response) -> reqwest::Result<Self> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await?;
        let answer = Self { status, headers, body };
        answer.check(method, path);
        Ok(answer)
    }

    fn check(&self, method: &Method, path: &str) {
        let place = format!("{method} {path:.120}");
        assert_eq!(self.headers.get_all("x-request-id").iter().count(), 1, "{place}");
        if self.status >= 400 && method != Method::HEAD {
            let body = self.failure();
            assert_eq!(body["status"], "failure", "{place}: {body}");
            let message = body["message"].as_str().unwrap();
            assert!((1..2_000).contains(&message.len()), "{place}: {message}");
            for inside in ["panicked", "src/", "SELECT", "INSERT", "diesel", "sqlite", "thread '"] {
                assert!(!message.contains(inside), "{place}: {message}");
            }
        }
        check_answer(method, path, self);
    }

    /// The value of a header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    /// The body of a failure. One in the form of OpenAI's or Anthropic's interface is read as one of this server's own.
    fn failure(&self) -> Value {
        let body = self.value();
        match body.get("error") {
            Some(error) => {
                let errors: Vec<Value> =
                    error["param"].as_str().into_iter().map(|param| json!({"path": param})).collect();
                json!({"status": "failure", "code": error["code"], "message": error["message"], "errors": errors})
            }
            None => body,
        }
    }

    /// The body of a success.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{:?}", self.body);
        self.value()
    }

    /// The body of work that was accepted.
    pub(crate) fn accepted(&self) -> Value {
        assert_eq!(self.status, 202, "{:?}", self.body);
        self.value()
    }

    /// The body of a failure.
    pub(crate) fn fails(&self, status: u16, code: &str) -> Value {
        let body = self.failure();
        assert_eq!((self.status, &body["code"]), (status, &json!(code)), "{body}");
        body
    }

    /// The body of a failure that names this place among its errors.
    pub(crate) fn fails_at(&self, status: u16, code: &str, place: &str) -> Value {
        let body = self.fails(status, code);
        let places: Vec<&Value> = body["errors"].as_array().unwrap().iter().map(|e| &e["path"]).collect();
        assert!(places.contains(&&json!(place)), "{place} is not in {body}");
        body
    }
}
