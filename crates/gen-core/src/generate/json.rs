//! JSON answers: [`crate::structured`] repeats the request until the answer matches the schema.

use parking_lot::Mutex;

use async_trait::async_trait;
use serde_json::Value;

use crate::structured::{Asker, Dialect, Schema, StructuredAnswer, StructuredError, ask};
use crate::{
    CallerContext, ChatAnswer, ChatRequest, Cost, GenError, GenService, ModelChoice, ModelId, ModelOutput,
    ToolCall,
};

/// Calls the models of a choice, and adds up the cost.
struct TallyingAsker<'a> {
    models: &'a GenService,
    payer: &'a CallerContext,
    choice: &'a ModelChoice,
    tally: Mutex<CostTally>,
}

struct CostTally {
    model: ModelId,
    /// `None` when a price is unknown.
    cost: Option<Cost>,
}

#[async_trait]
impl Asker for TallyingAsker<'_> {
    fn dialects(&self) -> Vec<Dialect> {
        self.choice.iter().map(Dialect::of).collect()
    }

    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError> {
        let generated = self.models.answer(self.payer, self.choice, request).await?;
        let ModelOutput { answer, model, cost, usage, warnings } = generated;
        let mut tally = self.tally.lock();
        tally.model = model;
        tally.cost = tally.cost.zip(cost).map(|(mut all, more)| {
            all += more;
            all
        });
        Ok(ChatAnswer { usage, warnings, ..answer })
    }
}

/// A value that matches `schema`, or the calls of tools that the model asks for before it, with the usage of all calls.
pub(super) async fn json(
    models: &GenService,
    payer: &CallerContext,
    choice: &ModelChoice,
    request: ChatRequest,
    schema: &Schema,
) -> Result<ModelOutput<(Value, Vec<ToolCall>)>, StructuredError> {
    let tally = Mutex::new(CostTally { model: choice.first().clone(), cost: Some(Cost::default()) });
    let asker = TallyingAsker { models, payer, choice, tally };
    let StructuredAnswer { value, tool_calls, usage, warnings, .. } = ask(&asker, request, schema).await?;
    let CostTally { model, cost } = asker.tally.into_inner();
    Ok(ModelOutput { answer: (value, tool_calls), model, usage, cost, warnings })
}
