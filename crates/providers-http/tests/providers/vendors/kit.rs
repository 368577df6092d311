//! Clients of a scripted upstream, and every operation of both vendors behind one name.

use gen_core::{
    ChatModel as _, ChatRequest, EmbedModel as _, EmbedRequest, ImageModel as _, ImageRequest,
    ModelList as _, ProviderError, SpeechModel as _, SpeechRequest,
};
use providers_http::{Anthropic, AnthropicSettings, Endpoint, Google, GoogleSettings, Limits};
use secrecy::SecretString;

use crate::common::transport;
pub(crate) use crate::common::{KEY, hasty, same_wherever_it_is_cut, small, stream, streamed, text, user};

pub(crate) fn endpoint(url: &str, limits: Limits) -> Endpoint {
    Endpoint::new(&transport(), url).unwrap().with_limits(limits)
}

pub(crate) fn anthropic(url: &str, limits: Limits) -> Anthropic {
    Anthropic::new(endpoint(url, limits), SecretString::from(KEY), AnthropicSettings::default()).unwrap()
}

pub(crate) fn google(url: &str, limits: Limits) -> Google {
    let endpoint = endpoint(&format!("{url}/v1"), limits);
    Google::new(endpoint, SecretString::from(KEY), GoogleSettings::default()).unwrap()
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
