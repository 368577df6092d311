//! Clients of a scripted upstream, and every operation behind one name.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use gen_core::{
    ChatEvent, ChatModel as _, ChatRequest, ChatStream as _, EmbedModel as _, EmbedRequest, ImageModel as _,
    ImageRequest, Message, ModelList as _, Part, ProviderError, Role, SpeechModel as _, SpeechRequest,
};
use providers_http::{Auth, Endpoint, Limits, OpenAiCompatible, Transport};
use secrecy::SecretString;
use serde_json::{Value, json};
use shared_core::FixedClock;
use testkit::upstream::Upstream;

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

pub(crate) fn transport() -> Transport {
    Transport::new(Duration::from_secs(5), Arc::new(FixedClock::default())).unwrap()
}

pub(crate) fn endpoint(url: &str, limits: Limits) -> Endpoint {
    let endpoint = Endpoint::new(&transport(), &format!("{url}/v1")).unwrap();
    endpoint.with_key(SecretString::from(KEY), Auth::Bearer).unwrap().with_limits(limits)
}

pub(crate) fn openai(upstream: &Upstream) -> OpenAiCompatible {
    OpenAiCompatible::openai(endpoint(&upstream.url(), small()))
}

pub(crate) fn question() -> ChatRequest {
    let parts = vec![Part::Text("What is the total?".into())];
    ChatRequest {
        model: "gpt-4.1".into(),
        messages: vec![Message { role: Role::User, parts }],
        ..ChatRequest::default()
    }
}

/// A whole chat answer.
pub(crate) fn completion(text: &str, finish: &str) -> Value {
    json!({
        "id": "c1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "finish_reason": finish,
            "message": {"role": "assistant", "content": text, "refusal": null}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    })
}

/// A piece of a streamed chat answer.
pub(crate) fn piece(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string()
}

/// The last piece with a choice.
pub(crate) fn last_piece(finish: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}).to_string()
}

/// What a vendor can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Chat,
    Stream,
    Embed,
    Image,
    Speech,
    List,
}

impl Operation {
    pub(crate) const ALL: [Self; 6] =
        [Self::Chat, Self::Stream, Self::Embed, Self::Image, Self::Speech, Self::List];

    /// Asks for it, and reads the answer to its end.
    pub(crate) async fn call(self, client: &OpenAiCompatible) -> Result<(), ProviderError> {
        match self {
            Self::Chat => client.chat(question()).await.map(drop),
            Self::Stream => streamed(client, question()).await.1,
            Self::Embed => {
                let texts = vec!["a".to_owned()];
                let request = EmbedRequest { model: "m".into(), texts, ..EmbedRequest::default() };
                client.embed(request).await.map(drop)
            }
            Self::Image => {
                client.image(ImageRequest { model: "m".into(), prompt: "a cat".into() }).await.map(drop)
            }
            Self::Speech => {
                let request = SpeechRequest { model: "m".into(), text: "hello".into(), voice: None };
                client.speech(request).await.map(drop)
            }
            Self::List => client.list().await.map(drop),
        }
    }

    /// The content type of a good answer.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Stream => "text/event-stream",
            Self::Speech => "audio/mpeg",
            Self::Chat | Self::Embed | Self::Image | Self::List => "application/json",
        }
    }
}

/// The events of a streamed answer before its end or failure, and how it went.
pub(crate) async fn streamed(
    client: &OpenAiCompatible,
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
