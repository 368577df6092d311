//! Calls models by their ids.

mod builder;
mod choice;
mod models;
mod names;

use std::sync::Arc;

pub use builder::GenServiceBuilder;
pub use choice::ModelChoice;

use crate::routing::{
    ChatOperation, EmbedOperation, Gateway, ImageOperation, SpeechOperation, StreamOperation, picture_usage,
    relay_stream, run, speech_usage, usage_or_estimate,
};
use crate::{
    CallerContext, ChatAnswer, ChatRequest, EXTRACTIVE, EmbedRequest, Embeddings, GenError, GenEvents,
    ImageAnswer, ImageRequest, ModelId, ModelKind, ModelOutput, Provider, ProviderError, SpeechAnswer,
    SpeechRequest, Upstream, Usage,
};

/// The gateway to models. Every call waits for a place with its backend, is booked, is made again where
/// that may help, and goes to the next model of the choice where it does not. Dropping a call's future,
/// or its stream, abandons the call and gives everything back that it held.
#[derive(Clone, Debug)]
pub struct GenService {
    gateway: Arc<Gateway>,
}

impl GenService {
    /// Starts without any backend.
    #[must_use]
    pub fn builder() -> GenServiceBuilder {
        GenServiceBuilder::default()
    }

    /// Asks one model, on the account of `payer`. The answer's usage is that of all attempts.
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

    /// Asks the built-in model on nobody's account: its work costs the processor's time and nothing else,
    /// so no meter is asked, no limit counts it and no books show it. `None` where there is none.
    ///
    /// # Errors
    /// As [`ChatModel::chat`](crate::ChatModel::chat).
    pub async fn answer_built_in(&self, request: ChatRequest) -> Option<Result<ChatAnswer, ProviderError>> {
        let route = self.gateway.routes.get(&Upstream::Provider(Provider::Formwork))?;
        let model = route.backend.chat.as_ref()?;
        let request = ChatRequest { model: EXTRACTIVE.to_owned(), ..request };
        Some(model.chat(request).await)
    }

    /// Asks the models of a choice, on the account of `payer`, until one answers. All are checked before
    /// the first is asked.
    ///
    /// # Errors
    /// As [`GenService::check_ready`], [`GenError::UnsupportedKind`], [`GenError::Limit`], or the last failure.
    pub async fn answer(
        &self,
        payer: &CallerContext,
        choice: &ModelChoice,
        request: ChatRequest,
    ) -> Result<ModelOutput<ChatAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToText)?;
        let won = run(&self.gateway, payer, &targets, &ChatOperation::new(request)).await?;
        let usage = usage_or_estimate(won.output.usage, won.guard.input_tokens, &won.output.text);
        let warnings = won.output.warnings.clone();
        let mut generated = won.close(usage, warnings).await;
        generated.answer.usage = generated.usage;
        generated.answer.warnings.clone_from(&generated.warnings);
        Ok(generated)
    }

    /// As [`GenService::answer`], piece by piece. It ends with the first piece: failures before that
    /// are retried and fall back; after it they are the stream's last item. A stream that stalls fails.
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
        let won = run(&self.gateway, payer, &targets, &open).await?;
        Ok(relay_stream(won, pace))
    }

    /// Makes pictures.
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
        let won = run(&self.gateway, payer, &targets, &ImageOperation(request)).await?;
        let pictures = won.output.images.len() as u64;
        let usage = picture_usage(won.output.usage, won.guard.input_tokens, pictures);
        let warnings = estimate_warning(won.output.usage);
        Ok(won.settle_with_pictures(usage, pictures, warnings).await)
    }

    /// Speaks.
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
        let won = run(&self.gateway, payer, &targets, &speak).await?;
        let usage = speech_usage(won.output.usage, won.guard.input_tokens, &speak.0.text);
        let warnings = estimate_warning(won.output.usage);
        Ok(won.close(usage, warnings).await)
    }

    /// Makes vectors. There are no fallbacks: vectors of different models cannot be compared.
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
        let won = run(&self.gateway, payer, &targets, &EmbedOperation(request)).await?;
        let input_tokens = won.guard.input_tokens;
        let said = won.output.usage;
        let usage = if said.total() > 0 { said } else { Usage { input_tokens, ..said } };
        Ok(won.close(usage, Vec::new()).await)
    }
}

/// Says that tokens are an estimate, where the provider told none.
fn estimate_warning(told: Usage) -> Vec<String> {
    let none =
        (told.total() == 0).then(|| "the provider told no tokens: the usage is an estimate".to_owned());
    none.into_iter().collect()
}
