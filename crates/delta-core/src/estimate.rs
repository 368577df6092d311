//! What a run is going to take, before it is started.

use std::sync::Arc;

use forms_core::{ExtractionEstimate, NoopAnswerStore};
use futures_util::{StreamExt as _, stream};
use gen_core::{CallerContext, Cost, Usage};
use intake_core::MAX_MODEL_CALLS;

use crate::group::{ReadFailure, RunContext};
use crate::{CallMode, Classification, DeltaError, DocumentRef, Expansion, RunOptions, RunService};

/// Groups whose documents are read; more are extrapolated from them. Bounds the time of a request.
const MAX_READ: usize = 200;
/// Characters of a token, as forms-core estimates them.
const CHARS_PER_TOKEN: u64 = 4;
/// Groups that are read at the same time. Chosen by hand; no measurement is recorded.
const CONCURRENCY: usize = 4;

/// What a run is going to take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunEstimate {
    /// How many records the run would have at most.
    pub groups: u64,
    /// Groups whose documents were read for the estimate.
    pub estimated_groups: u64,
    /// Of these, the groups with documents that cannot be read now.
    pub unreadable_groups: u64,
    /// Planned model calls.
    pub calls: u64,
    /// Tokens of the planned calls.
    pub usage: Usage,
    /// Pictures of pages in the planned calls.
    pub pictures: u64,
    /// Their part of the input tokens.
    pub picture_tokens: u64,
    /// Their cost; `None` when the price of the model is unknown.
    pub cost: Option<Cost>,
    /// The model, `model@provider`.
    pub model: String,
    /// The version that the run would use.
    pub form_version: u32,
    /// Documents and pages that no group has; `None` without classification.
    pub left_out: Option<u32>,
}

impl RunService {
    /// Estimates a run without starting it: the documents are read, and no model is called. Stored responses to
    /// identical work, which cost nothing, are not considered, nor are further calls for failed values and missing rows.
    ///
    /// # Errors
    /// As [`RunService::start`].
    pub async fn estimate(
        &self,
        payer: &CallerContext,
        namespace: &str,
        expansion: &Expansion,
        options: RunOptions,
    ) -> Result<RunEstimate, DeltaError> {
        let groups = expansion.groups.as_slice();
        let options = RunOptions { classification: expansion.classification.clone(), ..options };
        let plan = self.plan(payer, namespace, groups, options).await?;
        let left_out = plan.classification.as_ref().map(Classification::left_out_count);
        let context = Arc::new(RunContext::load(&self.ports, &payer.scope, plan).await?);
        let read = groups.iter().take(MAX_READ).map(|group| estimate_group(&context, group));
        // Collected, since a closure over references that lives across an await is not `Send`.
        let read: Vec<_> = read.collect();
        let found: Vec<_> = stream::iter(read).buffered(CONCURRENCY).collect().await;
        let mut estimate = RunEstimate {
            groups: groups.len() as u64,
            estimated_groups: found.len() as u64,
            model: context.plan.model_id.clone(),
            form_version: context.plan.form_version,
            left_out,
            ..RunEstimate::default()
        };
        for group in found {
            match group? {
                Some(found) => {
                    estimate.calls += found.calls;
                    estimate.usage += usage_of(&found);
                    estimate.pictures += found.pictures;
                    estimate.picture_tokens += found.picture_tokens;
                }
                None => estimate.unreadable_groups += 1,
            }
        }
        let scale = |count: u64| count * estimate.groups / estimate.estimated_groups.max(1);
        estimate.calls = scale(estimate.calls);
        estimate.pictures = scale(estimate.pictures);
        estimate.picture_tokens = scale(estimate.picture_tokens);
        estimate.usage.input_tokens = scale(estimate.usage.input_tokens);
        estimate.usage.output_tokens = scale(estimate.usage.output_tokens);
        let (questions, characters) = expansion.questions;
        let asked = questions.min(MAX_MODEL_CALLS as u64);
        estimate.calls += asked;
        // Of more documents, the first are asked about.
        let asked_characters = characters.saturating_mul(asked) / questions.max(1);
        let question_usage = Usage { input_tokens: asked_characters / CHARS_PER_TOKEN, ..Usage::default() };
        estimate.cost = self.estimated_cost(&context, &estimate.usage, &question_usage);
        estimate.usage += question_usage;
        Ok(estimate)
    }

    /// The cost of the calls of groups, at the price of batches where they are in one, and of the questions, which are
    /// asked before.
    fn estimated_cost(&self, context: &RunContext, calls: &Usage, questions: &Usage) -> Option<Cost> {
        if context.model.is_extractive() {
            return Some(Cost(0));
        }
        let generation = &self.ports.generation;
        let price = generation.describe(&context.model).price?;
        let calls = match context.plan.settings.mode {
            CallMode::Direct => price.cost(calls)?,
            CallMode::Batch => generation.batch_cost(&context.model, calls)?,
        };
        Some(Cost(calls.0.saturating_add(price.cost(questions)?.0)))
    }
}

/// The calls and tokens of a group; `None` when its documents cannot be read.
async fn estimate_group(
    context: &Arc<RunContext>,
    documents: &[DocumentRef],
) -> Result<Option<ExtractionEstimate>, DeltaError> {
    let context = context.of_group(documents);
    let read = match context.read(documents).await {
        Ok(read) => read,
        Err(ReadFailure::Store(error)) => return Err(DeltaError::Store(error)),
        Err(ReadFailure::Failed(_) | ReadFailure::Retryable { .. }) => return Ok(None),
    };
    let request = context.request(&read.documents, &NoopAnswerStore);
    let Ok(found) = context.engine.estimate(&request) else { return Ok(None) };
    // The built-in model has no tokens to pay for.
    let is_free = context.model.is_extractive();
    Ok(Some(match is_free {
        true => ExtractionEstimate { calls: found.calls, ..ExtractionEstimate::default() },
        false => found,
    }))
}

fn usage_of(found: &ExtractionEstimate) -> Usage {
    Usage { input_tokens: found.input_tokens, output_tokens: found.output_tokens, ..Usage::default() }
}
