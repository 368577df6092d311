//! A model that follows a script.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use parking_lot::{Mutex, MutexGuard};

use crate::{
    Backend, ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, EmbedModel, EmbedRequest, Embeddings,
    ImageAnswer, ImageModel, ImageRequest, ListedModel, Media, ModelList, ProviderError, RerankModel,
    RerankRequest, RerankScores, SpeechAnswer, SpeechModel, SpeechRequest, StreamingChatModel, Timer, Usage,
};

/// An answer of ten input tokens and one output token.
pub fn text_answer(text: impl Into<String>) -> ChatAnswer {
    let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
    ChatAnswer { text: text.into(), usage, ..ChatAnswer::default() }
}

/// Yields once to the other futures of the task.
pub async fn turn() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

/// A wait, then an event of a streamed answer, if any.
type Piece = (Duration, Option<Result<ChatEvent, ProviderError>>);

#[derive(Debug, Default)]
struct Script {
    chat: VecDeque<Result<ChatAnswer, ProviderError>>,
    streams: VecDeque<Vec<Piece>>,
    lists: VecDeque<Result<Vec<ListedModel>, ProviderError>>,
    asked: Vec<ChatRequest>,
    listed: usize,
}

/// Returns the scripted answers in order and records the requests. Without a scripted answer it fails with a
/// timeout. Images, speech, vectors and scores are not scripted; the bytes of images and speech are the model's
/// name, and the score of a text is its length in bytes.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    script: Mutex<Script>,
    timer: Option<Arc<dyn Timer>>,
    delay: Duration,
}

impl ScriptedModel {
    /// Scripts these answers to chat requests.
    pub fn new(answers: impl IntoIterator<Item = Result<ChatAnswer, ProviderError>>) -> Self {
        let script = Script { chat: answers.into_iter().collect(), ..Script::default() };
        Self { script: Mutex::new(script), ..Self::default() }
    }

    /// Sets the delay of every answer and list.
    #[must_use]
    pub fn with_delay(self, timer: Arc<dyn Timer>, delay: Duration) -> Self {
        Self { timer: Some(timer), delay, ..self }
    }

    /// Scripts further answers to chat requests.
    #[must_use]
    pub fn then_answers(self, answers: impl IntoIterator<Item = Result<ChatAnswer, ProviderError>>) -> Self {
        self.script().chat.extend(answers);
        self
    }

    /// Scripts a stream of these events that breaks off after the last.
    #[must_use]
    pub fn then_streams(self, pieces: impl IntoIterator<Item = Result<ChatEvent, ProviderError>>) -> Self {
        let pieces = pieces.into_iter().map(|piece| (Duration::ZERO, Some(piece))).collect();
        self.script().streams.push_back(pieces);
        self
    }

    /// Scripts a stream of these events that then stalls for `time`, which needs
    /// [`ScriptedModel::with_delay`].
    #[must_use]
    pub fn then_stalls(
        self,
        pieces: impl IntoIterator<Item = Result<ChatEvent, ProviderError>>,
        time: Duration,
    ) -> Self {
        let pieces = pieces.into_iter().map(|piece| (Duration::ZERO, Some(piece)));
        let pieces = pieces.chain([(time, None)]).collect();
        self.script().streams.push_back(pieces);
        self
    }

    /// Scripts a stream that repeats a text after each of these waits, which needs
    /// [`ScriptedModel::with_delay`].
    #[must_use]
    pub fn then_trickles(self, waits: impl IntoIterator<Item = Duration>, text: &str) -> Self {
        let piece = |wait| (wait, Some(Ok(ChatEvent::Text(text.to_owned()))));
        let pieces = waits.into_iter().map(piece).collect();
        self.script().streams.push_back(pieces);
        self
    }

    /// Scripts the next list of models.
    #[must_use]
    pub fn then_lists(self, list: Result<Vec<ListedModel>, ProviderError>) -> Self {
        self.script().lists.push_back(list);
        self
    }

    /// The chat requests received, oldest first.
    pub fn asked(&self) -> Vec<ChatRequest> {
        self.script().asked.clone()
    }

    /// Number of times that its models were listed.
    pub fn listed(&self) -> usize {
        self.script().listed
    }

    /// A backend with all capabilities and default limits.
    #[must_use]
    pub fn backend(self: &Arc<Self>) -> Backend {
        Backend {
            chat: Some(self.clone()),
            stream: Some(self.clone()),
            embed: Some(self.clone()),
            rerank: Some(self.clone()),
            image: Some(self.clone()),
            speech: Some(self.clone()),
            list: Some(self.clone()),
            ..Backend::default()
        }
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock()
    }

    async fn wait(&self) {
        match &self.timer {
            Some(timer) => timer.sleep(self.delay).await,
            None => turn().await,
        }
    }
}

/// The usage of an unscripted answer.
const USED: Usage = Usage { input_tokens: 3, output_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 };

#[async_trait]
impl ChatModel for ScriptedModel {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        self.script().asked.push(request);
        self.wait().await;
        let next = self.script().chat.pop_front();
        next.unwrap_or_else(|| Err(ProviderError::timeout()))
    }
}

#[async_trait]
impl StreamingChatModel for ScriptedModel {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        self.script().asked.push(request);
        self.wait().await;
        let pieces = self.script().streams.pop_front().ok_or_else(ProviderError::timeout)?;
        let timer = self.timer.clone();
        let pieces = stream::iter(pieces).filter_map(move |(time, piece)| {
            let timer = timer.clone();
            async move {
                match timer {
                    Some(timer) if !time.is_zero() => timer.sleep(time).await,
                    _ => turn().await,
                }
                piece
            }
        });
        Ok(pieces.boxed())
    }
}

#[async_trait]
impl EmbedModel for ScriptedModel {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        self.wait().await;
        let vectors = request.texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect();
        Ok(Embeddings { vectors, usage: Usage { output_tokens: 0, ..USED } })
    }
}

#[async_trait]
impl RerankModel for ScriptedModel {
    async fn rerank(&self, request: RerankRequest) -> Result<RerankScores, ProviderError> {
        self.wait().await;
        let scores = request.texts.iter().map(|text| text.len() as f32).collect();
        Ok(RerankScores { scores, usage: Usage { output_tokens: 0, ..USED } })
    }
}

#[async_trait]
impl ImageModel for ScriptedModel {
    async fn image(&self, request: ImageRequest) -> Result<ImageAnswer, ProviderError> {
        self.wait().await;
        let image = Media { bytes: Bytes::from(request.model), content_type: "image/png".to_owned() };
        Ok(ImageAnswer { images: vec![image], text: String::new(), usage: USED })
    }
}

#[async_trait]
impl SpeechModel for ScriptedModel {
    async fn speech(&self, request: SpeechRequest) -> Result<SpeechAnswer, ProviderError> {
        self.wait().await;
        let audio = Media { bytes: Bytes::from(request.model), content_type: "audio/wav".to_owned() };
        Ok(SpeechAnswer { audio, usage: Usage::default() })
    }
}

#[async_trait]
impl ModelList for ScriptedModel {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        self.script().listed += 1;
        self.wait().await;
        let next = self.script().lists.pop_front();
        next.unwrap_or_else(|| Err(ProviderError::timeout()))
    }
}
