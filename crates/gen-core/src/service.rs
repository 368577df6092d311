//! Routing: from a model id to the provider that serves it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    ChatAnswer, ChatModel, ChatRequest, EXTRACTIVE, GenError, Model, ModelId, ModelKind, Payer, Provider,
};

/// Calls models by their id.
#[derive(Clone, Debug)]
pub struct GenService {
    chat: Arc<BTreeMap<Provider, Arc<dyn ChatModel>>>,
}

/// Collects the providers that are configured.
#[derive(Debug, Default)]
pub struct GenServiceBuilder {
    chat: BTreeMap<Provider, Arc<dyn ChatModel>>,
}

impl GenServiceBuilder {
    /// Lets `provider` be served by `model`.
    #[must_use]
    pub fn with_chat(mut self, provider: Provider, model: Arc<dyn ChatModel>) -> Self {
        self.chat.insert(provider, model);
        self
    }

    /// The service.
    #[must_use]
    pub fn build(self) -> GenService {
        GenService { chat: Arc::new(self.chat) }
    }
}

impl GenService {
    /// Starts without any provider.
    #[must_use]
    pub fn builder() -> GenServiceBuilder {
        GenServiceBuilder::default()
    }

    /// Whether an agent may name the model: its provider is known, and knows it as far as can be told
    /// without asking. It may still lack a key.
    ///
    /// # Errors
    /// [`GenError::UnknownModel`].
    pub fn check(&self, id: &ModelId) -> Result<(), GenError> {
        if id.provider == Provider::Formwork && id.model != EXTRACTIVE {
            return Err(GenError::UnknownModel(id.to_string()));
        }
        Ok(())
    }

    /// Whether the model can be called now.
    ///
    /// # Errors
    /// [`GenError::UnknownModel`], [`GenError::NotConfigured`].
    pub fn ready(&self, id: &ModelId) -> Result<(), GenError> {
        self.check(id)?;
        self.provider(id).map(|_| ())
    }

    /// Asks a model once, on the account of `payer`.
    ///
    /// # Errors
    /// As [`GenService::ready`], or the provider's failure.
    pub async fn chat(
        &self,
        _payer: &Payer,
        id: &ModelId,
        mut request: ChatRequest,
    ) -> Result<ChatAnswer, GenError> {
        self.check(id)?;
        let model = self.provider(id)?;
        request.model.clone_from(&id.model);
        model
            .chat(request)
            .await
            .map_err(|error| GenError::Provider { provider: id.provider, error: Box::new(error) })
    }

    /// The models that can be called now.
    #[must_use]
    pub fn models(&self) -> Vec<Model> {
        let own = self.chat.contains_key(&Provider::Formwork).then(|| Model {
            id: ModelId::extractive(),
            name: "Extractive".to_owned(),
            kind: ModelKind::TextToText,
            context_tokens: None,
        });
        own.into_iter().collect()
    }

    fn provider(&self, id: &ModelId) -> Result<&Arc<dyn ChatModel>, GenError> {
        self.chat.get(&id.provider).ok_or(GenError::NotConfigured(id.provider))
    }
}
