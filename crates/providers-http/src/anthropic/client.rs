//! Client of the Messages API.

use async_trait::async_trait;
use gen_core::structured::{CompiledSchema, Dialect};
use gen_core::{
    ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, ListedModel, ModelList, ProviderError,
    StreamingChatModel, Usage,
};
use reqwest::header::HeaderValue;
use secrecy::SecretString;

use super::answer::MessageState;
use super::map::{self, RequestDefaults};
use super::wire::{Message, MessageDelta, MessageStart, ModelPage, StreamRecord};
use crate::chat_stream::{EventReader, chat_events_of};
use crate::model_listing::Listing;
use crate::schema::{compiled, decoded};
use crate::transport::{Auth, Endpoint, EndpointError, ModelUse, ServerEvent};

const VERSION: &str = "anthropic-version";

/// Models per page of the list: the maximum of the API.
const PAGE: &str = "1000";

/// Settings of Anthropic besides its base URL and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnthropicSettings {
    /// The API version.
    pub version: String,
    /// Default `max_tokens` of an answer; the API requires one.
    pub max_tokens: u32,
    /// Whether the vendor caches the prompt up to its last document. A cache write costs a quarter more than
    /// uncached input, a cache read a tenth of it.
    pub cache_documents: bool,
}

impl AnthropicSettings {
    /// The vendor's base URL. It may end in `v1`, which is in every path whatever the API version: the
    /// vendor's own client leaves it out, others include it.
    pub const BASE_URL: &str = "https://api.anthropic.com";
}

impl Default for AnthropicSettings {
    /// Version 2026-10-21 and 8,192 tokens. Every listed model can write that much, and such an answer ends
    /// well within the time limit of a call. A higher bound would reserve more of a key's limits for each
    /// call.
    fn default() -> Self {
        Self { version: "2026-10-21".to_owned(), max_tokens: 8_192, cache_documents: true }
    }
}

/// Anthropic's models.
#[derive(Clone, Debug)]
pub struct Anthropic {
    endpoint: Endpoint,
    /// Path segments before the resource.
    prefix: &'static [&'static str],
    defaults: RequestDefaults,
}

impl Anthropic {
    /// Models at `endpoint`, which has no key yet.
    ///
    /// # Errors
    /// [`EndpointError`] for a key or a version that cannot be sent in a header.
    pub fn new(
        endpoint: Endpoint,
        key: SecretString,
        settings: AnthropicSettings,
    ) -> Result<Self, EndpointError> {
        let version = HeaderValue::try_from(settings.version);
        let version = version.ok().ok_or_else(|| EndpointError::Header(VERSION.to_owned()))?;
        let endpoint = endpoint.with_key(key, Auth::Bearer)?.with_public_header(VERSION, version);
        let habits =
            RequestDefaults { max_tokens: settings.max_tokens, cache_documents: settings.cache_documents };
        let prefix: &[&str] = if endpoint.path_ends_in("v1") { &[] } else { &["v1"] };
        Ok(Self { endpoint, prefix, defaults: habits })
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(super) fn defaults(&self) -> RequestDefaults {
        self.defaults
    }

    pub(super) fn path(&self, resource: &'static str) -> Vec<&'static str> {
        self.prefix.iter().copied().chain([resource]).collect()
    }
}

#[async_trait]
impl ChatModel for Anthropic {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Anthropic)?;
        let body =
            map::request(&request, compiled.as_ref().map(CompiledSchema::schema), self.defaults, false)?;
        let path = self.path("messages");
        let call = self.endpoint.model_call(&path, chat_use(&request));
        let message: Message = call.post_json(&body).await?;
        let answer = map::answer(message, request.tools.is_offered(), map::warnings(&request))?;
        call.record_usage(&answer.usage);
        Ok(decoded(answer, compiled.as_ref()))
    }
}

#[async_trait]
impl StreamingChatModel for Anthropic {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        let compiled = compiled(request.response_schema.as_ref(), Dialect::Anthropic)?;
        let body =
            map::request(&request, compiled.as_ref().map(CompiledSchema::schema), self.defaults, true)?;
        let path = self.path("messages");
        let call = self.endpoint.model_call(&path, chat_use(&request));
        let events = call.post_for_events(&[], &body).await?;
        let answering = MessageState::new(request.tools.is_offered(), map::warnings(&request));
        Ok(call.recording_end(chat_events_of(self.endpoint.clone(), &request, events, answering)))
    }
}

fn chat_use(request: &ChatRequest) -> ModelUse<'_> {
    ModelUse { interface: "anthropic", operation: "chat", model: &request.model }
}

impl EventReader for MessageState {
    fn read(&mut self, endpoint: &Endpoint, event: &ServerEvent) -> Result<Option<ChatEvent>, ProviderError> {
        if event.event == "error" {
            return Err(endpoint.refusal_in_stream(event.data.as_bytes()));
        }
        if !is_known_event(&event.event) {
            return Ok(None);
        }
        let record: StreamRecord = endpoint.parse_event(event)?;
        let piece = match record.kind.as_str() {
            "message_start" => {
                let start: MessageStart = endpoint.parse_event(event)?;
                self.count(start.message.usage.unwrap_or_default());
                None
            }
            "content_block_start" => self.begin_block(endpoint.parse_event(event)?)?,
            "content_block_delta" => self.apply_delta(endpoint.parse_event(event)?)?,
            "message_delta" => {
                let record: MessageDelta = endpoint.parse_event(event)?;
                self.count(record.usage.unwrap_or_default());
                self.stop(record.delta.stop_reason, record.delta.stop_details);
                None
            }
            "message_stop" => return self.end().map(Some),
            "error" => return Err(endpoint.refusal_in_stream(event.data.as_bytes())),
            _ => None,
        };
        Ok(piece)
    }

    fn finish(&mut self) -> Option<Result<ChatEvent, ProviderError>> {
        // Only `message_stop` ends an answer.
        None
    }

    fn usage(&self) -> Usage {
        MessageState::usage(self)
    }
}

/// Whether an event of this name is parsed; others may have any content. An event without a name is called
/// `message`.
fn is_known_event(name: &str) -> bool {
    matches!(
        name,
        "" | "message"
            | "message_start"
            | "content_block_start"
            | "content_block_delta"
            | "message_delta"
            | "message_stop"
    )
}

#[async_trait]
impl ModelList for Anthropic {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        let mut listing = Listing::default();
        let mut after: Option<String> = None;
        loop {
            let mut query = vec![("limit", PAGE)];
            query.extend(after.as_deref().map(|id| ("after_id", id)));
            let page: ModelPage = self.endpoint.call(&self.path("models")).get_json(&query).await?;
            let last_id = page.last_id.filter(|_| page.has_more == Some(true) && !page.data.is_empty());
            after = match listing.page(page.data.into_iter().filter_map(map::model), after, last_id)? {
                None => return Ok(listing.models()),
                next => next,
            };
        }
    }
}
