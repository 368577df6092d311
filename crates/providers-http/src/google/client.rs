//! Client of the Gemini API.

use async_trait::async_trait;
use gen_core::structured::{CompiledSchema, Dialect};
use gen_core::{
    ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, EmbedModel, EmbedRequest, Embeddings,
    ImageAnswer, ImageModel, ImageRequest, ListedModel, ModelList, ProviderError, SpeechAnswer, SpeechModel,
    SpeechRequest, StreamingChatModel, ToolCall, Usage,
};
use secrecy::SecretString;

use super::answer::AnswerState;
use super::map::{self, GoogleStructured};
use super::wire::{BATCH, BatchEmbedResponse, GenerateResponse, ModelPage};
use crate::chat_stream::{EventReader, chat_events_of};
use crate::model_listing::Listing;
use crate::schema::{compiled, decoded};
use crate::transport::{Auth, Endpoint, EndpointError, ModelUse, ServerEvent};

/// Models per page of the list: the maximum of the API.
const PAGE: &str = "1000";

/// Settings of Google besides its base URL and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoogleSettings {
    /// How structured answers are requested.
    pub structured: GoogleStructured,
    /// Default voice.
    pub voice: String,
}

impl GoogleSettings {
    /// The vendor's base URL with its API version: `v1`, the default of the vendor's own client since 3.0;
    /// the other is `v1beta`.
    pub const BASE_URL: &str = "https://generativelanguage.googleapis.com/v1";
}

impl Default for GoogleSettings {
    fn default() -> Self {
        Self { structured: GoogleStructured::default(), voice: "Kore".to_owned() }
    }
}

/// Google's models.
#[derive(Clone, Debug)]
pub struct Google {
    endpoint: Endpoint,
    settings: GoogleSettings,
}

impl Google {
    /// Models at `endpoint`, which has no key yet.
    ///
    /// # Errors
    /// [`EndpointError`] for a key that cannot be sent in a header.
    pub fn new(
        endpoint: Endpoint,
        key: SecretString,
        settings: GoogleSettings,
    ) -> Result<Self, EndpointError> {
        Ok(Self { endpoint: endpoint.with_key(key, Auth::Header("x-goog-api-key"))?, settings })
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(super) fn structured(&self) -> GoogleStructured {
        self.settings.structured
    }

    /// Calls a model, and maps its answer, which has the usage.
    async fn generate<T>(
        &self,
        wanted: ModelUse<'_>,
        body: &super::wire::GenerateRequest<'_>,
        map: impl FnOnce(GenerateResponse) -> Result<T, ProviderError>,
        usage: impl FnOnce(&T) -> Usage,
    ) -> Result<T, ProviderError> {
        let method = format!("{}:generateContent", wanted.model);
        let path = ["models", method.as_str()];
        let call = self.endpoint.model_call(&path, wanted);
        let answer = map(call.post_json(body).await?)?;
        call.record_usage(&usage(&answer));
        Ok(answer)
    }
}

fn using<'a>(operation: &'static str, model: &'a str) -> ModelUse<'a> {
    ModelUse { interface: "gcp.gemini", operation, model }
}

#[async_trait]
impl ChatModel for Google {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Gemini)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let body = map::request(&request, schema, self.settings.structured)?;
        let wanted = using("chat", &request.model);
        let has_tools = request.tools.is_offered();
        let map = |response| map::answer(response, has_tools);
        let answer = self.generate(wanted, &body, map, |answer| answer.usage).await?;
        Ok(decoded(answer, compiled.as_ref()))
    }
}

#[async_trait]
impl StreamingChatModel for Google {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Gemini)?;
        let schema = compiled.as_ref().map(CompiledSchema::schema);
        let body = map::request(&request, schema, self.settings.structured)?;
        let method = format!("{}:streamGenerateContent", request.model);
        let path = ["models", method.as_str()];
        let call = self.endpoint.model_call(&path, using("chat", &request.model));
        let events = call.post_for_events(&[("alt", "sse")], &body).await?;
        let reading = AnswerState::new(request.tools.is_offered());
        let events = chat_events_of(self.endpoint.clone(), &request, events, reading);
        Ok(call.recording_end(events))
    }
}

impl EventReader for AnswerState {
    fn read(&mut self, endpoint: &Endpoint, event: &ServerEvent) -> Result<Option<ChatEvent>, ProviderError> {
        let record: GenerateResponse = endpoint.parse_event(event)?;
        if record.error.is_some() {
            return Err(endpoint.refusal_in_stream(event.data.as_bytes()));
        }
        let text = AnswerState::read(self, record);
        Ok(Some(text).filter(|text| !text.is_empty()).map(ChatEvent::Text))
    }

    fn take_calls(&mut self) -> Vec<ToolCall> {
        AnswerState::take_calls(self)
    }

    fn finish(&mut self) -> Option<Result<ChatEvent, ProviderError>> {
        // The API has no final event, but every complete answer has a finish reason.
        self.has_finished().then(|| self.end())
    }

    fn usage(&self) -> Usage {
        AnswerState::usage(self)
    }
}

#[async_trait]
impl ImageModel for Google {
    async fn image(&self, request: ImageRequest) -> Result<ImageAnswer, ProviderError> {
        let (wanted, body) = (using("image", &request.model), map::image_request(&request));
        self.generate(wanted, &body, map::images, |answer| answer.usage).await
    }
}

#[async_trait]
impl SpeechModel for Google {
    async fn speech(&self, request: SpeechRequest) -> Result<SpeechAnswer, ProviderError> {
        let body = map::speech_request(&request, &self.settings.voice);
        let wanted = using("speech", &request.model);
        self.generate(wanted, &body, map::speech, |answer| answer.usage).await
    }
}

#[async_trait]
impl EmbedModel for Google {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let model = format!("models/{}", request.model);
        let method = format!("{}:batchEmbedContents", request.model);
        let mut all = Embeddings::default();
        for texts in request.texts.chunks(BATCH) {
            let body = map::embed_request(&model, texts, request.purpose, request.dimensions);
            let path = ["models", method.as_str()];
            let call = self.endpoint.model_call(&path, using("embeddings", &request.model));
            let answer = call.post_json::<BatchEmbedResponse>(&body).await;
            let answer = answer.map_err(|error| ProviderError { usage: all.usage, ..error })?;
            let usage = map::embed_usage(answer.usage_metadata, texts);
            call.record_usage(&usage);
            all.usage += usage;
            let vectors = map::vectors(answer, texts.len(), all.vectors.first().map(Vec::len));
            all.vectors.extend(vectors.map_err(|error| ProviderError { usage: all.usage, ..error })?);
        }
        Ok(all)
    }
}

#[async_trait]
impl ModelList for Google {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        let mut listing = Listing::default();
        let mut token: Option<String> = None;
        loop {
            let mut query = vec![("pageSize", PAGE)];
            query.extend(token.as_deref().map(|token| ("pageToken", token)));
            let page: ModelPage = self.endpoint.call(&["models"]).get_json(&query).await?;
            let next = page.next_page_token.filter(|token| !token.is_empty());
            token = match listing.page(page.models.into_iter().filter_map(map::model), token, next)? {
                None => return Ok(listing.models()),
                next => next,
            };
        }
    }
}
