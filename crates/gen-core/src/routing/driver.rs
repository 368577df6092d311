//! Runs a request over its models and their retries, until an attempt succeeds.

use std::sync::Arc;

use super::Incident;
use super::ModelOutput;
use super::attempt::{AttemptGuard, Failure, attempt};
use super::backend::Target;
use super::gateway::Gateway;
use super::name_suggestions::add_suggestions;
use super::operations::Operation;
use super::optional_timer::Deadline;
use super::retry_decision::{self, RetryDecision, RetryState};
use crate::{CallerContext, GenError, MeterError, ProviderError, Spend, Usage};

/// A call that succeeded, before it is settled.
pub(crate) struct CompletedCall<T> {
    pub(crate) output: T,
    pub(crate) guard: AttemptGuard,
    /// What failed attempts cost.
    pub(crate) spent: Spend,
    /// One sentence for each model that failed.
    pub(crate) warnings: Vec<String>,
}

/// The state of one request.
struct RequestRun<'a, O> {
    gateway: &'a Arc<Gateway>,
    payer: &'a CallerContext,
    operation: &'a O,
    deadline: Deadline,
    spent: Spend,
}

/// The result with one model.
enum Outcome<T> {
    Answered(T, AttemptGuard),
    GivenUp { error: GenError, next: bool },
}

/// Calls the models in order. If all fail, the error is that of the last provider that failed, as it says
/// more than a full queue or an open circuit; else the first error.
pub(crate) async fn run<O: Operation>(
    gateway: &Arc<Gateway>,
    payer: &CallerContext,
    targets: &[Target],
    operation: &O,
) -> Result<CompletedCall<O::Output>, GenError> {
    let deadline = gateway.pace.deadline(gateway.retry.total);
    let mut run = RequestRun { gateway, payer, operation, deadline, spent: Spend::default() };
    let mut warnings = Vec::new();
    let mut last: Option<GenError> = None;
    for (index, target) in targets.iter().enumerate() {
        let fallback = index + 1 < targets.len();
        match run.model(target, fallback).await {
            Outcome::Answered(output, guard) => {
                return Ok(CompletedCall { output, guard, spent: run.spent, warnings });
            }
            Outcome::GivenUp { error, next } => {
                if !next {
                    return Err(error.with_spend(run.spent));
                }
                warnings.push(format!("{} did not answer: {error}", target.id));
                if last.is_none() || matches!(error, GenError::Provider { .. }) {
                    last = Some(error);
                }
            }
        }
    }
    let error = last.unwrap_or_else(|| GenError::UnknownModel {
        model: String::new(),
        servers: Vec::new(),
        nearest: Vec::new(),
    });
    Err(error.with_spend(run.spent))
}

impl<O: Operation> RequestRun<'_, O> {
    /// Calls one model, with retries.
    async fn model(&mut self, target: &Target, fallback: bool) -> Outcome<O::Output> {
        let upstream = || target.route.upstream.clone();
        let mut retries = 0;
        let mut failed: Option<GenError> = None;
        loop {
            let tried = attempt(self.gateway, self.payer, target, self.operation, &self.deadline).await;
            let failure = match tried {
                Ok((output, guard)) => return Outcome::Answered(output, guard),
                Err(failure) => failure,
            };
            let error = match failure {
                Failure::Meter(MeterError::Limit(limit)) => {
                    return Outcome::GivenUp { error: GenError::Limit(limit), next: false };
                }
                // A cheaper model may stay within the limit.
                Failure::Meter(MeterError::ExceedsLimit(why)) => {
                    return Outcome::GivenUp { error: GenError::ExceedsLimit(why), next: true };
                }
                Failure::Meter(MeterError::Store(error)) => {
                    return Outcome::GivenUp { error: GenError::Store(error), next: false };
                }
                // The provider's earlier error says more.
                Failure::Busy => {
                    let error = failed.unwrap_or_else(|| GenError::Saturated { upstream: upstream() });
                    return Outcome::GivenUp { error, next: true };
                }
                Failure::Paused(wait) => {
                    let error = failed.unwrap_or_else(|| GenError::Paused { upstream: upstream(), wait });
                    return Outcome::GivenUp { error, next: true };
                }
                Failure::Provider(error, spend) => {
                    self.count(spend);
                    error
                }
            };
            let next = self.decide_next(target, &error, retries, fallback);
            let stop = next == RetryDecision::Stop && fallback;
            let error = add_suggestions(self.gateway, target, error).await;
            let error = GenError::provider(upstream(), error);
            let RetryDecision::Retry(delay) = next else { return Outcome::GivenUp { error, next: !stop } };
            self.gateway.pace.sleep(delay).await;
            retries += 1;
            failed = Some(error);
        }
    }

    /// Decides what follows a failure, and notifies the observer.
    fn decide_next(
        &self,
        target: &Target,
        error: &ProviderError,
        retries: u32,
        fallback: bool,
    ) -> RetryDecision {
        let random = self.gateway.random();
        let remaining = self.deadline.remaining();
        let at = RetryState { retries, fallback, remaining, random };
        let mut next = retry_decision::decide_retry(&self.gateway.retry, error, at);
        let waits = self.gateway.pace.has_timer() && target.route.may_recover();
        if matches!(next, RetryDecision::Retry(_)) && !waits {
            next = if fallback { RetryDecision::Fallback } else { RetryDecision::Stop };
        }
        let retry_in = match next {
            RetryDecision::Retry(delay) => Some(delay),
            RetryDecision::Fallback | RetryDecision::Stop => None,
        };
        self.gateway.note(&Incident::AttemptFailed { model: &target.id, error, retry_in });
        next
    }

    /// Adds the spend of a failed attempt. An attempt without usage cost nothing.
    fn count(&mut self, spend: Spend) {
        if spend.usage.total() > 0 {
            self.spent += spend;
        }
    }
}

impl<T> CompletedCall<T> {
    /// Settles the call, and returns the answer with the usage of all attempts.
    pub(crate) async fn close(self, usage: Usage, warnings: Vec<String>) -> ModelOutput<T> {
        self.settle_with_pictures(usage, 0, warnings).await
    }

    /// As [`CompletedCall::close`], for a call that generated `pictures` images.
    pub(crate) async fn settle_with_pictures(
        self,
        usage: Usage,
        pictures: u64,
        warnings: Vec<String>,
    ) -> ModelOutput<T> {
        let Self { output, guard, spent: mut total, warnings: mut all } = self;
        let model = guard.target.id.clone();
        total += guard.succeed(usage, pictures).await;
        all.extend(warnings);
        ModelOutput { answer: output, model, usage: total.usage, cost: total.cost, warnings: all }
    }
}
