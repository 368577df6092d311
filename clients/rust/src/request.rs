//! Requests as values, so that they can be sent again.

use bytes::Bytes;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use serde_json::Value;

use crate::document::{Document, Upload};
use crate::error::Result;

/// A request for any operation of the interface.
///
/// ```
/// use formwork_client::{Request, segment};
///
/// let request = Request::get(format!("/v1/agent/{}/sessions", segment("front desk"))).query("limit", 5);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) method: Method,
    /// Begins with `/`; may have a query.
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
}

/// What a request sends.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Empty,
    Json(Bytes),
    /// The parts `files` of a multipart body.
    Files(Vec<Upload>),
}

impl Request {
    /// A request with this method and path. The path begins with `/` and is sent as it is; see [`segment`].
    #[must_use]
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), headers: Vec::new(), body: Body::Empty }
    }

    /// Reads a path.
    #[must_use]
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    /// Posts to a path. Unless it has an `Idempotency-Key`, it gets one when it is sent.
    #[must_use]
    pub fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    /// Deletes, or cancels, what a path names.
    #[must_use]
    pub fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    /// Adds a parameter to the query.
    #[must_use]
    pub fn query(mut self, name: &str, value: impl ToString) -> Self {
        self.path.push(if self.path.contains('?') { '&' } else { '?' });
        self.path = format!("{}{}={}", self.path, segment(name), segment(value));
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends JSON.
    #[must_use]
    pub fn json(mut self, body: &Value) -> Self {
        self.body = Body::Json(body.to_string().into());
        self
    }

    /// Sends documents as the parts `files` of a multipart body.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) for a stored file or a URL.
    pub fn files<D: Into<Document>>(self, files: impl IntoIterator<Item = D>) -> Result<Self> {
        Ok(self.uploads(files.into_iter().map(|file| file.into().into_upload()).collect::<Result<_>>()?))
    }

    pub(crate) fn uploads(mut self, files: Vec<Upload>) -> Self {
        self.body = Body::Files(files);
        self
    }

    pub(crate) fn query_if(self, name: &str, condition: bool) -> Self {
        if condition { self.query(name, true) } else { self }
    }

    pub(crate) fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name))
    }
}

/// A value as one segment of a path, or as a name or value of a query: percent-encoded.
#[must_use]
pub fn segment(value: impl ToString) -> String {
    utf8_percent_encode(&value.to_string(), NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Request, segment};

    #[test]
    fn names_stay_one_segment_and_queries_are_joined() {
        assert_eq!(segment("a/b?c"), "a%2Fb%3Fc");
        let request = Request::get("/v1/form").query("title", "a&b").query("limit", 5);
        assert_eq!(request.path, "/v1/form?title=a%26b&limit=5");
    }
}
