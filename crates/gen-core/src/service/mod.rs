//! Calls models by their ids.

mod builder;
mod choice;
mod models;
mod names;

use std::sync::Arc;

pub use builder::GenServiceBuilder;
pub use choice::ModelChoice;

use crate::routing::{
    Ask, Draw, Embed, Gateway, Open, Speak, pass_on, run, used, used_by_pictures, used_by_speech,
};
use crate::{
    ChatAnswer, ChatRequest, EXTRACTIVE, EmbedRequest, Embeddings, GenError, GenEvents, Generated,
    ImageAnswer, ImageRequest, ModelId, ModelKind, Payer, Provider, ProviderError, SpeechAnswer,
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
        payer: &Payer,
        id: &ModelId,
        request: ChatRequest,
    ) -> Result<ChatAnswer, GenError> {
        let Generated { answer, usage, warnings, .. } =
            self.answer(payer, &id.clone().into(), request).await?;
        Ok(ChatAnswer { usage, warnings, ..answer })
    }

    /// Asks the built-in model on nobody's account: its work costs the processor's time and nothing else,
    /// so no meter is asked, no limit counts it and no books show it. `None` where there is none.
    ///
    /// # Errors
    /// As [`ChatModel::chat`](crate::ChatModel::chat).
    pub async fn built_in(&self, request: ChatRequest) -> Option<Result<ChatAnswer, ProviderError>> {
        let route = self.gateway.routes.get(&Upstream::Provider(Provider::Formwork))?;
        let model = route.backend.chat.as_ref()?;
        let request = ChatRequest { model: EXTRACTIVE.to_owned(), ..request };
        Some(model.chat(request).await)
    }

    /// Asks the models of a choice, on the account of `payer`, until one answers. All are checked before
    /// the first is asked.
    ///
    /// # Errors
    /// As [`GenService::ready`], [`GenError::Cannot`], [`GenError::Limit`], or the last failure.
    pub async fn answer(
        &self,
        payer: &Payer,
        choice: &ModelChoice,
        request: ChatRequest,
    ) -> Result<Generated<ChatAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToText)?;
        let won = run(&self.gateway, payer, &targets, &Ask::new(request)).await?;
        let usage = used(won.output.usage, won.held.input_tokens, &won.output.text);
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
        payer: &Payer,
        choice: &ModelChoice,
        request: ChatRequest,
    ) -> Result<GenEvents, GenError> {
        let targets = self.targets(choice, ModelKind::TextToText)?;
        let pace = self.gateway.pace.clone();
        let open = Open { ask: Ask::new(request), pace: pace.clone() };
        let won = run(&self.gateway, payer, &targets, &open).await?;
        Ok(pass_on(won, pace))
    }

    /// Makes pictures.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn image(
        &self,
        payer: &Payer,
        choice: &ModelChoice,
        request: ImageRequest,
    ) -> Result<Generated<ImageAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToImage)?;
        let won = run(&self.gateway, payer, &targets, &Draw(request)).await?;
        let pictures = won.output.images.len() as u64;
        let usage = used_by_pictures(won.output.usage, won.held.input_tokens, pictures);
        let warnings = estimated(won.output.usage);
        Ok(won.close_with(usage, pictures, warnings).await)
    }

    /// Speaks.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn speech(
        &self,
        payer: &Payer,
        choice: &ModelChoice,
        request: SpeechRequest,
    ) -> Result<Generated<SpeechAnswer>, GenError> {
        let targets = self.targets(choice, ModelKind::TextToSpeech)?;
        let speak = Speak(request);
        let won = run(&self.gateway, payer, &targets, &speak).await?;
        let usage = used_by_speech(won.output.usage, won.held.input_tokens, &speak.0.text);
        let warnings = estimated(won.output.usage);
        Ok(won.close(usage, warnings).await)
    }

    /// Makes vectors. There are no fallbacks: vectors of different models cannot be compared.
    ///
    /// # Errors
    /// As [`GenService::answer`].
    pub async fn embed(
        &self,
        payer: &Payer,
        id: &ModelId,
        request: EmbedRequest,
    ) -> Result<Generated<Embeddings>, GenError> {
        let targets = self.targets(&id.clone().into(), ModelKind::TextToEmbedding)?;
        let won = run(&self.gateway, payer, &targets, &Embed(request)).await?;
        let input_tokens = won.held.input_tokens;
        let said = won.output.usage;
        let usage = if said.total() > 0 { said } else { Usage { input_tokens, ..said } };
        Ok(won.close(usage, Vec::new()).await)
    }
}

/// Says that tokens are an estimate, where the provider told none.
fn estimated(told: Usage) -> Vec<String> {
    let none =
        (told.total() == 0).then(|| "the provider told no tokens: the usage is an estimate".to_owned());
    none.into_iter().collect()
}
