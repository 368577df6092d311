//! Answers in JSON: handed to [`crate::structured`], which asks until the answer fits its schema.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use crate::structured::{Asker, Dialect, Schema, StructuredAnswer, StructuredError, ask};
use crate::{ChatAnswer, ChatRequest, Cost, GenError, GenService, Generated, ModelChoice, ModelId, Payer};

/// The models of a choice, and what all asks came to.
struct Tallied<'a> {
    models: &'a GenService,
    payer: &'a Payer,
    choice: &'a ModelChoice,
    tally: Mutex<Tally>,
}

struct Tally {
    model: ModelId,
    /// `None` when a price is not known.
    cost: Option<Cost>,
}

#[async_trait]
impl Asker for Tallied<'_> {
    fn dialects(&self) -> Vec<Dialect> {
        self.choice.iter().map(Dialect::of).collect()
    }

    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError> {
        let generated = self.models.answer(self.payer, self.choice, request).await?;
        let Generated { answer, model, cost, usage, warnings } = generated;
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.model = model;
        tally.cost = tally.cost.zip(cost).map(|(mut all, more)| {
            all += more;
            all
        });
        Ok(ChatAnswer { usage, warnings, ..answer })
    }
}

/// A value of `schema` over all asks that it took.
pub(super) async fn json(
    models: &GenService,
    payer: &Payer,
    choice: &ModelChoice,
    request: ChatRequest,
    schema: &Schema,
) -> Result<Generated<Value>, StructuredError> {
    let tally = Mutex::new(Tally { model: choice.first().clone(), cost: Some(Cost::default()) });
    let asker = Tallied { models, payer, choice, tally };
    let StructuredAnswer { value, usage, warnings, .. } = ask(&asker, request, schema).await?;
    let Tally { model, cost } = asker.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Generated { answer: value, model, usage, cost, warnings })
}
