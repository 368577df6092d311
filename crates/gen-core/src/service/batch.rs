//! Calls that a vendor answers in batches.

use std::sync::Arc;

use super::GenService;
use crate::routing::{
    ChatOperation, Operation as _, Target, estimate, settle_reservation, usage_or_estimate,
};
use crate::{
    BatchModel, CallerContext, ChatAnswer, ChatRequest, Cost, Estimate, GenError, MeterError, ModelId,
    ModelOutput, Provider, Reservation, Spend, Usage,
};

/// A call that is prepared for a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchCall {
    /// The body of its request.
    pub body: String,
    /// What it costs at most, by an estimate; `None` when the price is unknown.
    pub cost: Option<Cost>,
}

impl GenService {
    /// The batches of a model's provider; `None` when it has none.
    ///
    /// # Errors
    /// As [`GenService::check_ready`].
    pub fn batch_model(&self, id: &ModelId) -> Result<Option<Arc<dyn BatchModel>>, GenError> {
        Ok(self.target(id)?.route.backend.batch.clone())
    }

    /// The configured providers that have batches.
    #[must_use]
    pub fn providers_with_batches(&self) -> Vec<Provider> {
        let able = self.gateway.routes.iter().filter(|route| route.backend.batch.is_some());
        able.map(|route| route.upstream.provider()).collect()
    }

    /// The cost of this usage in batches of the model's provider; `None` when the price of the model is unknown.
    #[must_use]
    pub fn batch_cost(&self, id: &ModelId, usage: &Usage) -> Option<Cost> {
        self.describe(id).price.and_then(|price| price.cost(usage)).map(halve)
    }

    /// Prepares a call for a batch. The limits of the payer are checked, and nothing is reserved: the call counts when
    /// its answer is read.
    ///
    /// # Errors
    /// As [`GenService::check_ready`]; [`GenError::Limit`], or when the provider does not take the request or has no
    /// batches.
    pub async fn prepare_batch_call(
        &self,
        payer: &CallerContext,
        id: &ModelId,
        request: &ChatRequest,
    ) -> Result<BatchCall, GenError> {
        let (target, model) = self.batch_target(id)?;
        let request = ChatRequest { model: target.model.clone(), ..request.clone() };
        let upstream = target.route.upstream.clone();
        let body = model.body(&request).map_err(|error| GenError::provider(upstream, error))?;
        let operation = ChatOperation::new(request);
        let estimate = estimate(&self.gateway, &target, &operation, operation.input_tokens());
        let cost = estimate.cost.map(halve);
        let reservation = self.gateway.meter.reserve(payer, &Estimate { cost, ..estimate }).await;
        reservation.map_err(refusal)?.release().await.map_err(GenError::Store)?;
        Ok(BatchCall { body, cost })
    }

    /// Reads the answer of a call in a batch, and records its usage at the price of batches. A limit that is used up
    /// meanwhile does not refuse what is paid: it is then recorded for the workspace without the key.
    ///
    /// # Errors
    /// As [`GenService::check_ready`], or when the body is no answer.
    pub async fn read_batch_answer(
        &self,
        payer: &CallerContext,
        id: &ModelId,
        request: &ChatRequest,
        body: &str,
    ) -> Result<ModelOutput<ChatAnswer>, GenError> {
        let (target, model) = self.batch_target(id)?;
        let input_tokens = ChatOperation::new(request.clone()).input_tokens();
        let read = model.answer(request, body);
        let (usage, text) = match &read {
            Ok(answer) => (answer.usage, answer.text.as_str()),
            Err(error) => (error.usage, ""),
        };
        let full = self.gateway.spend(&target, usage_or_estimate(usage, input_tokens, text), 0);
        let spent = Spend { cost: full.cost.map(halve), ..full };
        let reservation = self.reserve_nothing(payer, id).await?;
        settle_reservation(&self.gateway, &target, reservation, spent).await;
        let upstream = target.route.upstream.clone();
        let mut answer = read.map_err(|error| GenError::provider(upstream, error).with_spend(spent))?;
        answer.usage = spent.usage;
        let warnings = answer.warnings.clone();
        Ok(ModelOutput { answer, model: id.clone(), usage: spent.usage, cost: spent.cost, warnings })
    }

    async fn reserve_nothing(
        &self,
        payer: &CallerContext,
        id: &ModelId,
    ) -> Result<Box<dyn Reservation>, GenError> {
        let nothing = Estimate { model: id.clone(), tokens: 0, cost: Some(Cost(0)) };
        let reserved = match self.gateway.meter.reserve(payer, &nothing).await {
            Err(MeterError::Limit(_) | MeterError::ExceedsLimit(_)) => {
                self.gateway.meter.reserve(&CallerContext::keyless(payer.scope.clone()), &nothing).await
            }
            reserved => reserved,
        };
        reserved.map_err(refusal)
    }

    fn batch_target(&self, id: &ModelId) -> Result<(Target, Arc<dyn BatchModel>), GenError> {
        let target = self.target(id)?;
        let model = target.route.backend.batch.clone().ok_or(GenError::NotConfigured(id.provider))?;
        Ok((target, model))
    }
}

fn refusal(error: MeterError) -> GenError {
    match error {
        MeterError::Limit(limit) => GenError::Limit(limit),
        MeterError::ExceedsLimit(why) => GenError::ExceedsLimit(why),
        MeterError::Store(error) => GenError::Store(error),
    }
}

/// The price of batches is half that of calls, with each vendor that has them; rounded up.
fn halve(cost: Cost) -> Cost {
    Cost(cost.0.div_ceil(2))
}
