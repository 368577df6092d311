//! The use case.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use shared_core::{InlineOffload, Offload, offload};

use super::check::{ValidatedRequest, check};
use super::citation_filter::CitationFilter;
use super::conversation::PictureRef;
use super::json::json;
use super::notices::unused_parameters;
use super::prepared::PreparedRequest;
use super::stream::stream_answer;
use super::{
    GenerateAnswer, GenerateError, GenerateEvent, GenerateEvents, GenerateLimits, GenerateRequest, media,
};
use crate::context::{ContextMaterial, select_context};
use crate::text::{estimate, is_follow_up, summary_focus, wants_media};
use crate::{
    CallerContext, DocumentSource, Finish, GenError, GenService, ImageRequest, KnowledgeQuery,
    KnowledgeSource, Media, MediaStore, ModelKind, SpeechRequest, deltas,
};

/// Tokens reserved for an answer without a limit of its own. As `catalogue::USUAL_OUTPUT`. Chosen by hand; no
/// measurement is recorded.
const ANSWER: usize = 4_096;
/// Maximum bytes of the pictures of a request together: in base64 they stay below 20 MB, Google's limit of a request.
const PICTURE_BYTES: u64 = 14 << 20;
/// Characters per token, on average. The vendors' rule of thumb for English (`routing::token_estimate`).
const CHARS: usize = 4;

/// The sources of context and the store of generated media.
#[derive(Clone, Debug)]
pub struct GeneratePorts {
    /// Reads documents by id or URL.
    pub documents: Arc<dyn DocumentSource>,
    /// Searches knowledge bases.
    pub knowledge: Arc<dyn KnowledgeSource>,
    /// Stores generated images and speech.
    pub media: Arc<dyn MediaStore>,
}

/// Generates answers with context.
#[derive(Clone, Debug)]
pub struct GenerateService {
    models: GenService,
    sources: GeneratePorts,
    limits: GenerateLimits,
    workers: Arc<dyn Offload>,
}

impl GenerateService {
    /// A service that runs CPU-bound work on the calling thread.
    #[must_use]
    pub fn new(models: GenService, sources: GeneratePorts, limits: GenerateLimits) -> Self {
        Self { models, sources, limits, workers: Arc::new(InlineOffload) }
    }

    /// Sets the workers that split and rank documents.
    #[must_use]
    pub fn workers(self, workers: Arc<dyn Offload>) -> Self {
        Self { workers, ..self }
    }

    /// Generates an answer, on the account of `payer`.
    ///
    /// # Errors
    /// [`GenerateError`]. The request is validated before anything else.
    pub async fn generate(
        &self,
        payer: &CallerContext,
        request: GenerateRequest,
    ) -> Result<GenerateAnswer, GenerateError> {
        let prepared = self.prepare(payer, request).await?;
        match prepared.checked.kind {
            ModelKind::TextToImage => self.image(payer, prepared).await,
            ModelKind::TextToSpeech => self.speech(payer, prepared).await,
            ModelKind::TextToText | ModelKind::TextToEmbedding | ModelKind::TextToScore => {
                self.text(payer, prepared).await
            }
        }
    }

    /// As [`GenerateService::generate`], streamed. Images and speech arrive complete, at the end.
    ///
    /// # Errors
    /// As [`GenerateService::generate`]; failures after the first event are the stream's last item.
    pub async fn stream(
        &self,
        payer: &CallerContext,
        request: GenerateRequest,
    ) -> Result<GenerateEvents, GenerateError> {
        let prepared = self.prepare(payer, request).await?;
        if prepared.checked.kind == ModelKind::TextToText && prepared.checked.schema.is_none() {
            let events = self.models.stream(payer, &prepared.checked.choice, prepared.chat()).await?;
            return Ok(stream_answer(prepared, events));
        }
        let answer = match prepared.checked.kind {
            ModelKind::TextToImage => self.image(payer, prepared).await?,
            ModelKind::TextToSpeech => self.speech(payer, prepared).await?,
            ModelKind::TextToText | ModelKind::TextToEmbedding | ModelKind::TextToScore => {
                self.text(payer, prepared).await?
            }
        };
        let text = Some(answer.text.clone()).filter(|text| !text.is_empty()).map(GenerateEvent::Text);
        let calls = deltas(answer.tool_calls.clone()).map(GenerateEvent::ToolCall);
        let events = text.into_iter().chain(calls).chain([GenerateEvent::End(Box::new(answer))]).map(Ok);
        Ok(stream::iter(events.collect::<Vec<_>>()).boxed())
    }

    /// Whether [`generate`](Self::generate) would take the request: everything that needs no call and no read.
    ///
    /// # Errors
    /// As for [`generate`](Self::generate).
    pub fn validate(&self, request: &GenerateRequest) -> Result<(), GenerateError> {
        check(request, &self.models, &self.limits, self.sources.knowledge.as_ref()).map(|_checked| ())
    }

    /// Validates the request and collects its context.
    async fn prepare(
        &self,
        payer: &CallerContext,
        request: GenerateRequest,
    ) -> Result<PreparedRequest, GenerateError> {
        let checked = check(&request, &self.models, &self.limits, self.sources.knowledge.as_ref())?;
        let first = checked.choice.first();
        let draws = matches!(checked.kind, ModelKind::TextToImage | ModelKind::TextToSpeech);
        if draws && checked.schema.is_some() {
            return Err(self.models.unsupported_kind(first, ModelKind::TextToText).into());
        }
        let made = if first.is_extractive() { wants_media(&request.prompt) } else { None };
        if matches!(checked.kind, ModelKind::TextToEmbedding | ModelKind::TextToScore) {
            return Err(self.models.unsupported_kind(first, ModelKind::TextToText).into());
        }
        if let Some(kind) = made.filter(|_| checked.schema.is_none()) {
            return Err(self.models.unsupported_kind(first, kind).into());
        }
        for id in checked.choice.iter() {
            self.models.check_ready(id)?;
        }
        let mut prepared = PreparedRequest {
            models: self.models.clone(),
            checked,
            request,
            context: Vec::new(),
            pictures: Vec::new(),
            warnings: Vec::new(),
            has_sources: false,
            scope: payer.scope.clone(),
            knowledge: self.sources.knowledge.clone(),
            workers: self.workers.clone(),
        };
        prepared.has_sources = !prepared.request.documents.is_empty()
            || !prepared.request.urls.is_empty()
            || !prepared.checked.bases.is_empty();
        let named = prepared.has_sources;
        if named && prepared.checked.kind == ModelKind::TextToText {
            self.collect(payer, &mut prepared).await?;
        }
        if prepared.checked.kind == ModelKind::TextToText && !prepared.checked.choice.first().is_extractive()
        {
            prepared.pictures = self.read_pictures(payer, &prepared.checked).await?;
        }
        let unused = unused_parameters(&prepared.checked, &prepared.request);
        prepared.warnings.extend(unused);
        Ok(prepared)
    }

    /// The pictures of all messages.
    async fn read_pictures(
        &self,
        payer: &CallerContext,
        checked: &ValidatedRequest,
    ) -> Result<Vec<(usize, Media)>, GenerateError> {
        let mut pictures = Vec::new();
        let mut room = PICTURE_BYTES;
        for PictureRef { message, reference, path } in &checked.conversation.pictures {
            let picture = self.sources.documents.picture(&payer.scope, reference, room).await;
            let picture = picture.map_err(|error| GenerateError::source(error, path))?;
            room = room.saturating_sub(picture.bytes.len() as u64);
            pictures.push((*message, picture));
        }
        Ok(pictures)
    }

    async fn collect(
        &self,
        payer: &CallerContext,
        prepared: &mut PreparedRequest,
    ) -> Result<(), GenerateError> {
        let tokens = self.context_budget(prepared);
        let mut material = ContextMaterial {
            documents: std::mem::take(&mut prepared.request.documents),
            ..ContextMaterial::default()
        };
        for (at, reference) in prepared.request.urls.iter().enumerate() {
            let document = self.sources.documents.read(&payer.scope, reference).await;
            let document = document.map_err(|error| GenerateError::source(error, format!("/urls/{at}")))?;
            if let Some(unread) = &document.unread {
                prepared.warnings.push(format!("'{}': {unread}", document.title));
            }
            material.documents.push(document);
        }
        let query = retrieval_query(&prepared.request);
        let bases = &prepared.checked.bases;
        if !bases.is_empty() && prepared.request.prompt.trim().is_empty() {
            let told = "the knowledge bases were not searched: the question has no text";
            prepared.warnings.push(told.to_owned());
        } else if !bases.is_empty() {
            let path = if prepared.request.knowledge.is_empty() { "/knowledgeId" } else { "/knowledge" };
            let max_chars = tokens.saturating_mul(CHARS);
            let focus = summary_focus(&prepared.request.prompt);
            let asked = focus.as_deref().unwrap_or(&query);
            let (whole, wait) = (focus.is_some(), prepared.request.wait);
            let question = KnowledgeQuery { payer, bases, query: asked, whole, max_chars, wait };
            let found = self.sources.knowledge.passages(&payer.scope, question).await;
            let found = found.map_err(|error| GenerateError::source(error, path))?;
            material.passages = found.passages;
            prepared.warnings.extend(found.warnings);
        }
        let options = prepared.request.context;
        let selected =
            offload(self.workers.as_ref(), move || select_context(material, &query, tokens, options)).await;
        let (context, left_out) = selected.ok_or(GenerateError::Busy)?;
        if left_out {
            prepared
                .warnings
                .push("the context exceeds the token limit; the most relevant passages were used".to_owned());
        }
        prepared.context = context;
        Ok(())
    }

    /// Tokens of context that fit into the window of every model of the choice.
    fn context_budget(&self, prepared: &PreparedRequest) -> usize {
        let request = &prepared.request;
        let said: usize = request.messages.iter().map(|turn| estimate(&turn.content)).sum();
        // 300 for the instructions of `generate::prompt` (about 110) and what is around the messages. Chosen
        // by hand; no measurement is recorded.
        let asked = said + estimate(&request.prompt) + request.system.as_deref().map_or(0, estimate) + 300;
        let windows = prepared.checked.choice.iter().map(|id| {
            let model = self.models.describe(id);
            let window = model.context_tokens.map_or(self.limits.window_tokens, |tokens| tokens as usize);
            let answer = model.output_tokens.map_or(ANSWER, |tokens| (tokens as usize).min(ANSWER));
            // In a small window, the answer gets at most half.
            let answer = prepared.checked.max_tokens.map_or(answer, |tokens| tokens as usize).min(window / 2);
            window.saturating_sub(answer).saturating_sub(asked)
        });
        windows.min().unwrap_or(0).min(self.limits.context_tokens)
    }

    async fn text(
        &self,
        payer: &CallerContext,
        prepared: PreparedRequest,
    ) -> Result<GenerateAnswer, GenerateError> {
        if let Some(schema) = &prepared.checked.schema {
            let choice = &prepared.checked.choice;
            let made = json(&self.models, payer, choice, prepared.chat(), schema).await?;
            let (value, tool_calls) = &made.answer;
            if !tool_calls.is_empty() {
                let (mut citations, calls) = (CitationFilter::new(None), tool_calls.clone());
                let finish = Finish::ToolCalls;
                return Ok(prepared
                    .grounded_answer(String::new(), calls, &mut citations, finish, made)
                    .await);
            }
            let text = value.to_string();
            return Ok(prepared.answer(text, String::new(), Finish::Stop, made));
        }
        let mut generated = self.models.answer(payer, &prepared.checked.choice, prepared.chat()).await?;
        let mut citations = CitationFilter::new(prepared.citation_scope());
        let mut text = citations.push(&generated.answer.text);
        text.push_str(&citations.finish());
        let finish = generated.answer.finish;
        let calls = std::mem::take(&mut generated.answer.tool_calls);
        Ok(prepared.grounded_answer(text, calls, &mut citations, finish, generated).await)
    }

    async fn image(
        &self,
        payer: &CallerContext,
        prepared: PreparedRequest,
    ) -> Result<GenerateAnswer, GenerateError> {
        let request = ImageRequest { model: String::new(), prompt: prepared.request.prompt.clone() };
        let mut made = self.models.image(payer, &prepared.checked.choice, request).await?;
        let images = std::mem::take(&mut made.answer.images);
        let links =
            media::pictures(self.sources.media.as_ref(), &payer.scope, &prepared.request.prompt, images)
                .await?;
        let said = std::mem::take(&mut made.answer.text);
        let text =
            [links, said].into_iter().filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n\n");
        Ok(prepared.answer(text, String::new(), Finish::Stop, made))
    }

    async fn speech(
        &self,
        payer: &CallerContext,
        prepared: PreparedRequest,
    ) -> Result<GenerateAnswer, GenerateError> {
        let request =
            SpeechRequest { model: String::new(), text: prepared.request.prompt.clone(), voice: None };
        let made = self.models.speech(payer, &prepared.checked.choice, request).await?;
        let url = media::speech(self.sources.media.as_ref(), &payer.scope, made.answer.audio.clone()).await?;
        Ok(prepared.answer(String::new(), url, Finish::Stop, made))
    }
}

/// The query for retrieval: the prompt. A follow-up has the previous user message before it.
fn retrieval_query(request: &GenerateRequest) -> String {
    let earlier = request.messages.iter().rev().find(|turn| turn.role == "user");
    match earlier.filter(|_| is_follow_up(&request.prompt)) {
        Some(turn) => format!("{}\n{}", turn.content, request.prompt),
        None => request.prompt.clone(),
    }
}

impl GenService {
    /// The error of a model without the requested capability, with models that have it.
    pub(crate) fn unsupported_kind(&self, model: &crate::ModelId, kind: ModelKind) -> GenError {
        GenError::UnsupportedKind { model: model.clone(), kind, able: self.models_of_kind(kind) }
    }
}
