//! The gateway service: calls models by their ids.

mod batch;
mod builder;
mod choice;
mod models;
mod names;

use std::sync::Arc;

pub use batch::BatchCall;
pub use builder::GenServiceBuilder;
pub use choice::ModelChoice;
pub use models::Model;

use crate::routing::{
    ChatOperation, EmbedOperation, Gateway, ImageOperation, RerankOperation, SpeechOperation,
    StreamOperation, picture_usage, relay_stream, run, speech_usage, usage_or_estimate,
};
use crate::{
    CallerContext, ChatAnswer, ChatRequest, EXTRACTIVE, EmbedRequest, Embeddings, GenError, GenEvents,
    ImageAnswer, ImageRequest, ModelId, ModelKind, ModelOutput, Provider, ProviderError, QueueFigures,
    RerankRequest, RerankScores, SpeechAnswer, SpeechRequest, Upstream, Usage,
};

/// The gateway to models. A call waits for a permit of its backend, is reserved and settled with the meter,
/// is retried where that may help, and else falls back to the next model. Dropping a call's future or stream
/// cancels the call and releases everything that it holds.
#[derive(Clone, Debug)]
pub struct GenService {
    gateway: Arc<Gateway>,
}

impl GenService {
    /// A builder without any backend.
    #[must_use]
    pub fn builder() -> GenServiceBuilder {
        GenServiceBuilder::default()
    }

    /// Calls one model, on the account of `payer`. The answer's usage is that of all attempts.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn chat(
        &self,
        payer: &CallerContext,
        id: &ModelId,
        request: ChatRequest,
    ) -> Result<ChatAnswer, GenError> {
        let ModelOutput { answer, usage, warnings, .. } =
            self.answer(payer, &id.clone().into(), request).await?;
        Ok(ChatAnswer { usage, warnings, ..answer })
    }

    /// Calls the built-in model outside of any account. It costs only CPU time, so it is neither metered nor
    /// limited nor recorded. `None` where there is no built-in model.
    ///
    /// # Errors
    /// As [`ChatModel::chat`](crate::ChatModel::chat).
    pub async fn answer_built_in(&self, request: ChatRequest) -> Option<Result<ChatAnswer, ProviderError>> {
        let route = self.gateway.routes.get(&Upstream::Provider(Provider::Formwork))?;
        let model = route.backend.chat.as_ref()?;
        let request = ChatRequest { model: EXTRACTIVE.to_owned(), ..request };
        Some(model.chat(request).await)
    }

    /// The probability that the built-in model's answer to a request is correct, as
    /// [`ChatModel::probability`](crate::ChatModel::probability).
    pub(crate) fn built_in_probability(&self, request: &ChatRequest) -> Option<f64> {
        let route = self.gateway.routes.get(&Upstream::Provider(Provider::Formwork))?;
        route.backend.chat.as_ref()?.probability(request)
    }

    /// Calls the models of a choice in order, on the account of `payer`, until one answers. All models are
    /// checked before the first call.
    ///
    /// # Errors
    /// As [`GenService::check_ready`]; [`GenError::UnsupportedKind`], [`GenError::Limit`], or the last failure.
    pub async fn answer(
        &self,
        payer: &CallerContext,
        choice: &ModelChoice,
        request: ChatRequest,
    ) -> Result<ModelOutput<ChatAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToText)?;
        let completed = run(&self.gateway, payer, &targets, &ChatOperation::new(request)).await?;
        let usage =
            usage_or_estimate(completed.output.usage, completed.guard.input_tokens, &completed.output.text);
        let warnings = completed.output.warnings.clone();
        let mut generated = completed.close(usage, warnings).await;
        generated.answer.usage = generated.usage;
        generated.answer.warnings.clone_from(&generated.warnings);
        Ok(generated)
    }

    /// As [`GenService::answer`], streamed. The future completes with the first event: failures before it are
    /// retried and fall back; later ones are the stream's last item. A stalled stream fails.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn stream(
        &self,
        payer: &CallerContext,
        choice: &ModelChoice,
        request: ChatRequest,
    ) -> Result<GenEvents, GenError> {
        let targets = self.targets(choice, ModelKind::TextToText)?;
        let pace = self.gateway.pace.clone();
        let open = StreamOperation { ask: ChatOperation::new(request), pace: pace.clone() };
        let completed = run(&self.gateway, payer, &targets, &open).await?;
        Ok(relay_stream(completed, pace))
    }

    /// Generates images.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn image(
        &self,
        payer: &CallerContext,
        choice: &ModelChoice,
        request: ImageRequest,
    ) -> Result<ModelOutput<ImageAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToImage)?;
        let completed = run(&self.gateway, payer, &targets, &ImageOperation(request)).await?;
        let pictures = completed.output.images.len() as u64;
        let usage = picture_usage(completed.output.usage, completed.guard.input_tokens, pictures);
        let warnings = estimate_warning(completed.output.usage);
        Ok(completed.settle_with_pictures(usage, pictures, warnings).await)
    }

    /// Generates speech.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn speech(
        &self,
        payer: &CallerContext,
        choice: &ModelChoice,
        request: SpeechRequest,
    ) -> Result<ModelOutput<SpeechAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToSpeech)?;
        let speak = SpeechOperation(request);
        let completed = run(&self.gateway, payer, &targets, &speak).await?;
        let usage = speech_usage(completed.output.usage, completed.guard.input_tokens, &speak.0.text);
        let warnings = estimate_warning(completed.output.usage);
        Ok(completed.close(usage, warnings).await)
    }

    /// The calls in flight and in the queue of each backend.
    #[must_use]
    pub fn queues(&self) -> Vec<(Upstream, QueueFigures)> {
        let routes = self.gateway.routes.iter();
        routes.map(|route| (route.upstream.clone(), route.limiter.figures())).collect()
    }

    /// Computes embeddings. There are no fallbacks, as vectors of different models cannot be compared.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn embed(
        &self,
        payer: &CallerContext,
        id: &ModelId,
        request: EmbedRequest,
    ) -> Result<ModelOutput<Embeddings>, GenError> {
        let targets = self.targets(&id.clone().into(), ModelKind::TextToEmbedding)?;
        let completed = run(&self.gateway, payer, &targets, &EmbedOperation(request)).await?;
        let usage = input_usage(completed.output.usage, completed.guard.input_tokens);
        Ok(completed.close(usage, Vec::new()).await)
    }

    /// Scores texts by their relevance to a query. There are no fallbacks, as scores of different models
    /// cannot be compared.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn rerank(
        &self,
        payer: &CallerContext,
        id: &ModelId,
        request: RerankRequest,
    ) -> Result<ModelOutput<RerankScores>, GenError> {
        let targets = self.targets(&id.clone().into(), ModelKind::TextToScore)?;
        let completed = run(&self.gateway, payer, &targets, &RerankOperation(request)).await?;
        let usage = input_usage(completed.output.usage, completed.guard.input_tokens);
        Ok(completed.close(usage, Vec::new()).await)
    }
}

impl GenServiceBuilder {
    /// Builds the service.
    #[must_use]
    pub fn build(self) -> GenService {
        GenService { gateway: Arc::new(self.into_gateway()) }
    }
}

/// The reported usage, or the estimated input where the provider reported none.
fn input_usage(said: Usage, input_tokens: u64) -> Usage {
    if said.total() > 0 { said } else { Usage { input_tokens, ..said } }
}

/// A warning that the usage is an estimate, where the provider reported none.
fn estimate_warning(told: Usage) -> Vec<String> {
    let none = (told.total() == 0)
        .then(|| "the provider reported no token usage: the usage is an estimate".to_owned());
    none.into_iter().collect()
}
