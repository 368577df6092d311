//! Clients of a scripted upstream, and every operation behind one name.

use gen_core::{
    ChatModel as _, ChatRequest, EmbedModel as _, EmbedRequest, ImageModel as _, ImageRequest,
    ModelList as _, ProviderError, SpeechModel as _, SpeechRequest,
};
use providers_http::{Auth, Endpoint, Limits, OpenAiCompatible};
use secrecy::SecretString;
use serde_json::{Value, json};
use testkit::upstream::Upstream;

use crate::common::user;
pub(crate) use crate::common::{KEY, hasty, small, streamed, transport};

pub(crate) fn endpoint(url: &str, limits: Limits) -> Endpoint {
    let endpoint = Endpoint::new(&transport(), &format!("{url}/v1")).unwrap();
    endpoint.with_key(SecretString::from(KEY), Auth::Bearer).unwrap().with_limits(limits)
}

pub(crate) fn openai(upstream: &Upstream) -> OpenAiCompatible {
    OpenAiCompatible::openai(endpoint(&upstream.url(), small()))
}

pub(crate) fn question() -> ChatRequest {
    let messages = vec![user("What is the total?")];
    ChatRequest { model: "gpt-4.1".into(), messages, ..ChatRequest::default() }
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
