//! Clients of a scripted upstream, and every operation of both vendors behind one name.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use gen_core::{
    ChatEvent, ChatModel as _, ChatRequest, ChatStream, EmbedModel as _, EmbedRequest, ImageModel as _,
    ImageRequest, Message, ModelList as _, Part, ProviderError, Role, SpeechModel as _, SpeechRequest,
};
use providers_http::{Anthropic, AnthropicSettings, Endpoint, Google, GoogleSettings, Limits, Transport};
use secrecy::SecretString;
use shared_core::FixedClock;

/// The key of every test; it must stand in nothing that is shown.
pub(crate) const KEY: &str = "Zq8vN3kTw5LpXy7RbMdHc2";

/// Limits that a test reaches soon, apart from the times.
pub(crate) fn small() -> Limits {
    Limits {
        total: Duration::from_secs(60),
        idle: Duration::from_secs(60),
        json_bytes: 256 << 10,
        media_bytes: 256 << 10,
        event_bytes: 64 << 10,
        stream_bytes: 256 << 10,
        error_bytes: 4 << 10,
    }
}

/// Limits with little patience, for tests in which it runs out.
pub(crate) fn hasty() -> Limits {
    Limits { total: Duration::from_millis(300), idle: Duration::from_millis(100), ..small() }
}

pub(crate) fn endpoint(url: &str, limits: Limits) -> Endpoint {
    let transport = Transport::new(Duration::from_secs(5), Arc::new(FixedClock::default())).unwrap();
    Endpoint::new(&transport, url).unwrap().with_limits(limits)
}

pub(crate) fn anthropic(url: &str, limits: Limits) -> Anthropic {
    Anthropic::new(endpoint(url, limits), SecretString::from(KEY), AnthropicSettings::default()).unwrap()
}

pub(crate) fn google(url: &str, limits: Limits) -> Google {
    let endpoint = endpoint(&format!("{url}/v1"), limits);
    Google::new(endpoint, SecretString::from(KEY), GoogleSettings::default()).unwrap()
}

pub(crate) fn user(text: &str) -> Message {
    Message { role: Role::User, parts: vec![Part::Text(text.to_owned())] }
}

pub(crate) fn question() -> ChatRequest {
    let messages = vec![user("What is the total?")];
    ChatRequest { model: "m".into(), messages, ..ChatRequest::default() }
}

/// What the two vendors can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    AnthropicChat,
    AnthropicStream,
    AnthropicList,
    GoogleChat,
    GoogleStream,
    GoogleEmbed,
    GoogleImage,
    GoogleSpeech,
    GoogleList,
}

impl Operation {
    pub(crate) const ALL: [Self; 9] = [
        Self::AnthropicChat,
        Self::AnthropicStream,
        Self::AnthropicList,
        Self::GoogleChat,
        Self::GoogleStream,
        Self::GoogleEmbed,
        Self::GoogleImage,
        Self::GoogleSpeech,
        Self::GoogleList,
    ];

    /// Asks for it, and reads the answer to its end.
    pub(crate) async fn call(self, url: &str, limits: Limits) -> Result<(), ProviderError> {
        let (anthropic, google) = (anthropic(url, limits), google(url, limits));
        match self {
            Self::AnthropicChat => anthropic.chat(question()).await.map(drop),
            Self::AnthropicStream => streamed(&anthropic, question()).await.1,
            Self::AnthropicList => anthropic.list().await.map(drop),
            Self::GoogleChat => google.chat(question()).await.map(drop),
            Self::GoogleStream => streamed(&google, question()).await.1,
            Self::GoogleEmbed => {
                let texts = vec!["a".to_owned()];
                let request = EmbedRequest { model: "m".into(), texts, ..EmbedRequest::default() };
                google.embed(request).await.map(drop)
            }
            Self::GoogleImage => {
                google.image(ImageRequest { model: "m".into(), prompt: "a cat".into() }).await.map(drop)
            }
            Self::GoogleSpeech => {
                let request = SpeechRequest { model: "m".into(), text: "hello".into(), voice: None };
                google.speech(request).await.map(drop)
            }
            Self::GoogleList => google.list().await.map(drop),
        }
    }

    pub(crate) fn is_stream(self) -> bool {
        matches!(self, Self::AnthropicStream | Self::GoogleStream)
    }

    /// The content type of a good answer.
    pub(crate) fn content_type(self) -> &'static str {
        if self.is_stream() { "text/event-stream" } else { "application/json" }
    }
}

/// The events of a streamed answer before its failure, and how it went.
pub(crate) async fn streamed(
    client: &dyn ChatStream,
    request: ChatRequest,
) -> (Vec<ChatEvent>, Result<(), ProviderError>) {
    let mut events = match client.stream(request).await {
        Ok(events) => events,
        Err(error) => return (Vec::new(), Err(error)),
    };
    let mut all = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => all.push(event),
            Err(error) => {
                assert!(events.next().await.is_none(), "an error is the last item");
                return (all, Err(error));
            }
        }
    }
    (all, Ok(()))
}

/// The text of a streamed answer.
pub(crate) fn text(events: &[ChatEvent]) -> String {
    let texts = events.iter().map(|event| match event {
        ChatEvent::Text(text) => {
            assert!(!text.is_empty(), "no empty pieces");
            text.as_str()
        }
        ChatEvent::End { .. } => "",
    });
    texts.collect()
}
