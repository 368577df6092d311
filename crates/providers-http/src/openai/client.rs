//! Client of OpenAI's API behind the ports.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::structured::CompiledSchema;
use gen_core::{
    ChatAnswer, ChatEvents, ChatModel, ChatRequest, EmbedModel, EmbedRequest, Embeddings, Fault, ImageAnswer,
    ImageModel, ImageRequest, ListedModel, Media, ModelList, ProviderError, SpeechAnswer, SpeechModel,
    SpeechRequest, StreamingChatModel,
};

use super::embeddings;
use super::map::{
    SPEECH, characters, chat_answer, chat_body, cut_off, image_answer, image_body, input_characters,
    speech_body, unusable, usage_or_estimate,
};
use super::model_page::{MOST, ModelListPage};
use super::models::callable;
use super::profile::{MISTRAL, OPENAI, OWN, Profile};
use super::stream::{StreamContext, chat_events};
use super::wire::{EmbedAnswer, Images, SpeechJson};
use crate::schema::{compiled, decoded};
use crate::transport::{Endpoint, Limits, ModelUse};

/// Path of chat completions.
const CHAT: &[&str] = &["chat", "completions"];

/// Maximum number of pages of a list of models. Bounds the time.
const MOST_PAGES: usize = 100;

/// All capabilities of a provider with an OpenAI-compatible API. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenAiCompatible {
    endpoint: Endpoint,
    profile: Profile,
    /// Media settings by model name; the empty name has the default.
    media: BTreeMap<String, MediaSettings>,
}

/// Settings of generated media.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaSettings {
    /// Default voice; the API's default when absent.
    pub voice: Option<String>,
    /// Size of pictures, such as `1024x1024`; the model's default when absent.
    pub size: Option<String>,
}

impl OpenAiCompatible {
    /// OpenAI, at [`super::OPENAI_BASE_URL`] or a gateway to it.
    #[must_use]
    pub fn openai(endpoint: Endpoint) -> Self {
        Self { endpoint, profile: OPENAI, media: BTreeMap::new() }
    }

    /// Mistral, at [`super::MISTRAL_BASE_URL`] or a gateway to it.
    #[must_use]
    pub fn mistral(endpoint: Endpoint) -> Self {
        Self { endpoint, profile: MISTRAL, media: BTreeMap::new() }
    }

    /// An own server: llama.cpp, vLLM, Ollama, LM Studio and similar. Missing fields in its answers are
    /// tolerated, and tokens that it does not count are estimated.
    #[must_use]
    pub fn self_hosted(endpoint: Endpoint) -> Self {
        Self { endpoint, profile: OWN, media: BTreeMap::new() }
    }

    /// Sets the default voice.
    #[must_use]
    pub fn with_voice(self, voice: impl Into<String>) -> Self {
        self.with_media(MediaSettings { voice: Some(voice.into()), size: None })
    }

    /// Sets the default media settings.
    #[must_use]
    pub fn with_media(self, settings: MediaSettings) -> Self {
        self.with_media_of("", settings)
    }

    /// Sets the media settings of one model.
    #[must_use]
    pub fn with_media_of(mut self, model: &str, settings: MediaSettings) -> Self {
        self.media.insert(model.to_owned(), settings);
        self
    }

    /// A setting of the model, else the default.
    fn media(&self, model: &str, setting: impl Fn(&MediaSettings) -> Option<&str>) -> Option<&str> {
        let found = |name: &str| self.media.get(name).and_then(&setting);
        found(model).or_else(|| found(""))
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), self.profile.dialect)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let (body, warnings) = chat_body(&self.profile, &request, schema, false);
        let call = self.endpoint.model_call(CHAT, self.using("chat", &request.model));
        let completion = match call.post_json(&body).await {
            Ok(completion) => completion,
            Err(error) => return cut_off(error, &body, warnings),
        };
        let has_tools = request.tools.is_offered();
        let answer = chat_answer(completion, input_characters(&body), has_tools, warnings)?;
        call.record_usage(&answer.usage);
        Ok(decoded(answer, compiled.as_ref()))
    }
}

#[async_trait]
impl StreamingChatModel for OpenAiCompatible {
    /// The pieces of a structured answer are in the vendor's dialect.
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), self.profile.dialect)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let (body, warnings) = chat_body(&self.profile, &request, schema, true);
        let call = self.endpoint.model_call(CHAT, self.using("chat", &request.model));
        let events = call.post_for_events(&[], &body).await.map_err(|error| unusable(error, &body))?;
        let (input, has_tools) = (input_characters(&body), request.tools.is_offered());
        let opening = StreamContext { input, has_tools, warnings, lenient: self.profile.lenient };
        Ok(call.recording_end(chat_events(self.endpoint.clone(), events, opening)))
    }
}

#[async_trait]
impl EmbedModel for OpenAiCompatible {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let mut whole = Embeddings::default();
        let dimensions = request.dimensions.and_then(|dimensions| dimensions.try_into().ok());
        for portion in embeddings::portions(&self.profile, &request.texts) {
            let body = embeddings::body(&self.profile, &request, portion);
            let wanted = self.using("embeddings", &request.model);
            let call = self.endpoint.model_call(&["embeddings"], wanted);
            let answer = call.post_json::<EmbedAnswer>(&body).await;
            let length = dimensions.or(whole.vectors.first().map(Vec::len));
            let vectors = answer.and_then(|answer| {
                let input = body.input.iter().map(|text| characters(text)).sum();
                let usage = usage_or_estimate(answer.usage, input, 0);
                call.record_usage(&usage);
                whole.usage += usage;
                embeddings::vectors(answer, body.input.len(), length)
            });
            // The usage of the earlier portions must be reported, too.
            whole.vectors.extend(vectors.map_err(|error| ProviderError { usage: whole.usage, ..error })?);
        }
        Ok(whole)
    }
}

#[async_trait]
impl ImageModel for OpenAiCompatible {
    async fn image(&self, request: ImageRequest) -> Result<ImageAnswer, ProviderError> {
        let body =
            image_body(&self.profile, &request, self.media(&request.model, |set| set.size.as_deref()))?;
        let endpoint = self.with_media_in_json();
        let path = ["images", "generations"];
        let call = endpoint.model_call(&path, self.using("image", &request.model));
        let answer = image_answer(call.post_json::<Images>(&body).await?, &request.prompt)?;
        call.record_usage(&answer.usage);
        Ok(answer)
    }
}

#[async_trait]
impl SpeechModel for OpenAiCompatible {
    async fn speech(&self, request: SpeechRequest) -> Result<SpeechAnswer, ProviderError> {
        let body =
            speech_body(&self.profile, &request, self.media(&request.model, |set| set.voice.as_deref()))?;
        let endpoint = self.with_media_in_json();
        let path = ["audio", "speech"];
        let call = endpoint.model_call(&path, self.using("speech", &request.model));
        let media = call.post_for_bytes(&body).await?;
        let audio = match media.content_type.as_str() {
            kind if kind.ends_with("json") => self.sound_in_json(&media.bytes)?,
            "application/octet-stream" => Media { content_type: SPEECH.1.to_owned(), ..media },
            _ => media,
        };
        Ok(SpeechAnswer { audio, usage: gen_core::Usage::default() })
    }
}

#[async_trait]
impl ModelList for OpenAiCompatible {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        let mut models = Vec::new();
        let mut seen = HashSet::new();
        let mut after: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let query: Vec<_> = after.iter().map(|id| ("after", id.as_str())).collect();
            let ModelListPage(page) = self.endpoint.call(&["models"]).get_json(&query).await?;
            let next = page.last_id.clone().text().filter(|_| page.has_more.0);
            let page = callable(&self.profile, page, self.endpoint.now())?;
            models.extend(page.into_iter().filter(|model| seen.insert(model.model.clone())));
            models.truncate(MOST);
            if next.is_none() || next == after || models.len() == MOST {
                break;
            }
            after = next;
        }
        Ok(models)
    }
}

impl OpenAiCompatible {
    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    fn using<'a>(&self, operation: &'static str, model: &'a str) -> ModelUse<'a> {
        ModelUse { interface: self.profile.interface, operation, model }
    }

    /// An endpoint with a limit for files in base64, which encodes three bytes as four.
    fn with_media_in_json(&self) -> Endpoint {
        let limits = self.endpoint.limits();
        let json_bytes = (limits.media_bytes / 3).saturating_mul(4).saturating_add(limits.error_bytes);
        self.endpoint.clone().with_limits(Limits { json_bytes, ..limits })
    }

    /// Speech in a JSON answer, as Mistral sends it.
    fn sound_in_json(&self, body: &[u8]) -> Result<Media, ProviderError> {
        let answer: SpeechJson = self.endpoint.parse(body)?;
        let bytes = answer.audio_data.text().and_then(|text| STANDARD.decode(text).ok());
        let bytes = bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| {
            ProviderError::new(Fault::Protocol, "the provider answered with JSON, not a file")
        })?;
        Ok(Media { bytes: bytes.into(), content_type: SPEECH.1.to_owned() })
    }
}
