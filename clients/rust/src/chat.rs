//! Conversations with agents.

use futures_util::stream::{BoxStream, StreamExt as _};

use crate::client::Client;
use crate::error::Result;
use crate::events::Event;
use crate::prompt::Prompt;
use crate::records::ChatAnswer;
use crate::request::{Request, segment};

/// A conversation with an agent.
#[derive(Clone, Debug)]
pub struct Conversation {
    client: Client,
    path: String,
    session_id: Option<String>,
}

impl Client {
    /// A new conversation with an agent. The session begins with the first message.
    #[must_use]
    pub fn chat(&self, agent: &str) -> Conversation {
        let path = format!("/v1/agent/{}/chat", segment(agent));
        Conversation { client: self.clone(), path, session_id: None }
    }
}

impl Conversation {
    /// Continues a stored session.
    #[must_use]
    pub fn with_session(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = Some(session_id.into());
        self
    }

    /// The session; `None` before the first answer.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    /// Sends a message and waits for the whole answer. A message that fails leaves nothing in the session.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn send(&mut self, message: impl Into<Prompt>) -> Result<ChatAnswer> {
        let request = self.request(message.into(), false).await?;
        let answer: ChatAnswer = self.client.send(request).await?;
        self.session_id = Some(answer.session_id.clone());
        Ok(answer)
    }

    /// Sends a message and follows the answer: events `delta` with pieces of the text, then `done` with the whole
    /// answer as JSON. The conversation knows a new session after `done`.
    ///
    /// # Errors
    /// As [`Client::events`].
    pub async fn stream(&mut self, message: impl Into<Prompt>) -> Result<BoxStream<'_, Result<Event>>> {
        let request = self.request(message.into(), true).await?;
        let events = self.client.events(request).await?;
        let session_id = &mut self.session_id;
        let noted = events.inspect(move |event| {
            let done = event.as_ref().ok().filter(|event| event.name == "done");
            if let Some(id) = done.and_then(|event| event.data["session_id"].as_str()) {
                *session_id = Some(id.to_owned());
            }
        });
        Ok(noted.boxed())
    }

    async fn request(&self, message: Prompt, streams: bool) -> Result<Request> {
        let mut body = message.body(&self.client, "message").await?;
        if let Some(session_id) = &self.session_id {
            body.insert("session_id".to_owned(), session_id.as_str().into());
        }
        body.insert("stream".to_owned(), streams.into());
        Ok(Request::post(&self.path).json(&body.into()))
    }
}
