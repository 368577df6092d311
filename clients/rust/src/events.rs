//! Server-sent events, bounded in bytes.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::BytesMut;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use reqwest::Response;
use serde_json::Value;

use crate::error::{Error, Result, reason};

/// The names of last events.
const LAST: [&str; 2] = ["done", "end"];

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Such as `delta`, `done`, `progress` or `group`.
    pub name: String,
    /// Its JSON.
    pub data: Value,
    /// Its number, where the stream can be continued after it.
    pub id: Option<String>,
}

impl Event {
    /// The piece of text of a `delta`; empty for other events.
    #[must_use]
    pub fn text(&self) -> &str {
        match self.name.as_str() {
            "delta" => self.data["text"].as_str().unwrap_or_default(),
            _ => "",
        }
    }
}

/// Events of one answer. It ends after the last event, `done` or `end`. A stream that breaks before, or ends with an
/// `error` event, has [`Error::Stream`] as its last item. Dropping it closes the connection.
pub struct EventStream(BoxStream<'static, Result<Event>>);

impl EventStream {
    /// The events of an answer whose body is still to be read; `most` bounds the bytes of one.
    pub(crate) fn new(response: Response, most: usize) -> Self {
        let reader = Reader { response, parser: Parser::new(most), ended: false };
        let events = stream::unfold(reader, |mut reader| async move {
            if reader.ended {
                return None;
            }
            let event = reader.next().await;
            reader.ended = event.as_ref().map_or(true, |event| LAST.contains(&event.name.as_str()));
            Some((event, reader))
        });
        Self(events.boxed())
    }
}

impl Stream for EventStream {
    type Item = Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}

struct Reader {
    response: Response,
    parser: Parser,
    ended: bool,
}

impl Reader {
    async fn next(&mut self) -> Result<Event> {
        loop {
            if let Some(event) = self.parser.next()? {
                return Ok(event);
            }
            match self.response.chunk().await {
                Ok(Some(piece)) => self.parser.received.extend_from_slice(&piece),
                Ok(None) => return Err(broken("there was no last event".to_owned())),
                Err(error) => return Err(broken(reason(error))),
            }
        }
    }
}

fn broken(message: String) -> Error {
    Error::Stream { code: "stream_broken".to_owned(), message }
}

/// Makes events of bytes. Lines end with LF or CR LF.
struct Parser {
    /// Maximum bytes of a line and of the data of an event.
    most: usize,
    received: BytesMut,
    /// Bytes of `received` without a line end.
    searched: usize,
    name: String,
    data: String,
    id: Option<String>,
}

impl Parser {
    fn new(most: usize) -> Self {
        Self {
            most,
            received: BytesMut::new(),
            searched: 0,
            name: String::new(),
            data: String::new(),
            id: None,
        }
    }

    /// The next complete event.
    fn next(&mut self) -> Result<Option<Event>> {
        while let Some(line) = self.line()? {
            if line.is_empty() {
                if let Some(event) = self.complete()? {
                    return Ok(Some(event));
                }
                continue;
            }
            let (key, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match key {
                "event" => self.name = value.to_owned(),
                "id" => self.id = Some(value.to_owned()),
                "data" => {
                    self.within(self.data.len() + value.len())?;
                    if !self.data.is_empty() {
                        self.data.push('\n');
                    }
                    self.data.push_str(value);
                }
                // A comment, which keeps the connection alive, or a key without a meaning here.
                _ => {}
            }
        }
        Ok(None)
    }

    fn line(&mut self) -> Result<Option<String>> {
        let Some(end) = self.received[self.searched..].iter().position(|byte| *byte == b'\n') else {
            self.searched = self.received.len();
            self.within(self.searched)?;
            return Ok(None);
        };
        let line = self.received.split_to(self.searched + end + 1);
        self.searched = 0;
        let line = line[..line.len() - 1].strip_suffix(b"\r").unwrap_or(&line[..line.len() - 1]);
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some(line.to_owned())),
            Err(error) => Err(Error::Decode(error.to_string())),
        }
    }

    /// What an empty line ends: an event, or nothing where there is no data.
    fn complete(&mut self) -> Result<Option<Event>> {
        let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        if data.is_empty() {
            return Ok(None);
        }
        let data: Value = serde_json::from_str(&data).map_err(|error| Error::Decode(error.to_string()))?;
        if name == "error" {
            let fields = if data["error"].is_object() { &data["error"] } else { &data };
            let text = |key: &str, default: &str| fields[key].as_str().unwrap_or(default).to_owned();
            let message = text("message", "the server sent an error");
            return Err(Error::Stream { code: text("code", "failed"), message });
        }
        let name = if name.is_empty() { "message".to_owned() } else { name };
        Ok(Some(Event { name, data, id: self.id.clone() }))
    }

    fn within(&self, bytes: usize) -> Result<()> {
        if bytes > self.most {
            return Err(Error::Decode(format!("an event has more than {} bytes", self.most)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Parser;
    use crate::error::Error;

    fn parser(text: &str) -> Parser {
        let mut parser = Parser::new(40);
        parser.received.extend_from_slice(text.as_bytes());
        parser
    }

    #[test]
    fn events_have_names_numbers_and_json_of_several_lines() {
        let mut parser =
            parser(": idle\n\nid: 7\r\nevent: group\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:2\n\nda");
        let event = parser.next().unwrap().unwrap();
        assert_eq!(
            (event.name.as_str(), event.data, event.id.as_deref()),
            ("group", json!({"a": 1}), Some("7"))
        );
        assert_eq!(parser.next().unwrap().unwrap().name, "message");
        assert!(parser.next().unwrap().is_none());
        parser.received.extend_from_slice(b"ta: 3\n\n");
        assert_eq!(parser.next().unwrap().unwrap().data, json!(3));
    }

    #[test]
    fn an_error_event_is_an_error() {
        let error = parser("event: error\ndata: {\"code\":\"c\",\"message\":\"m\"}\n\n").next().unwrap_err();
        assert!(matches!(error, Error::Stream { code, .. } if code == "c"));
    }

    #[test]
    fn lines_and_events_are_bounded() {
        assert!(matches!(parser(&"x".repeat(41)).next(), Err(Error::Decode(_))));
        let lines = "data: 0123456789\n".repeat(5);
        assert!(matches!(parser(&lines).next(), Err(Error::Decode(_))));
    }
}
