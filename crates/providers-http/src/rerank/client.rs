//! The client of a reranker behind the port.

use async_trait::async_trait;
use gen_core::{ProviderError, RerankModel, RerankRequest, RerankScores, Usage};

use super::form::RerankForm;
use super::scores::{RerankAnswer, RerankList};
use crate::transport::{Call, Endpoint, ModelUse};

/// A server that reranks texts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Reranker {
    endpoint: Endpoint,
    form: RerankForm,
}

impl Reranker {
    /// A server whose address ends before `/rerank`, such as `https://api.cohere.com/v2`.
    #[must_use]
    pub fn new(endpoint: Endpoint, form: RerankForm) -> Self {
        Self { endpoint, form }
    }

    async fn answer(
        &self,
        call: &Call<'_>,
        request: &RerankRequest,
        texts: &[String],
    ) -> Result<RerankAnswer, ProviderError> {
        let body = self.form.body(&request.model, &request.query, texts);
        match self.form {
            RerankForm::Tei => Ok(call.post_json::<RerankList>(&body).await?.into()),
            RerankForm::Jina | RerankForm::Cohere | RerankForm::Voyage => call.post_json(&body).await,
        }
    }
}

#[async_trait]
impl RerankModel for Reranker {
    async fn rerank(&self, request: RerankRequest) -> Result<RerankScores, ProviderError> {
        let mut whole = RerankScores::default();
        for texts in request.texts.chunks(self.form.texts()) {
            let wanted =
                ModelUse { interface: self.form.interface(), operation: "rerank", model: &request.model };
            let call = self.endpoint.model_call(&["rerank"], wanted);
            let answer = self.answer(&call, &request, texts).await;
            let scores = answer.and_then(|answer| {
                let usage =
                    Usage { input_tokens: answer.input_tokens().unwrap_or_default(), ..Usage::default() };
                call.record_usage(&usage);
                whole.usage += usage;
                answer.scores(texts.len())
            });
            // The usage of the earlier calls must be reported, too.
            whole.scores.extend(scores.map_err(|error| ProviderError { usage: whole.usage, ..error })?);
        }
        Ok(whole)
    }
}
