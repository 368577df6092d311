//! A request over its models and their retries, to the first attempt that succeeds.

use std::sync::Arc;

use super::Generated;
use super::Incident;
use super::attempt::{Failure, Held, attempt};
use super::backend::Target;
use super::decide::{self, Next, Standing};
use super::gateway::Gateway;
use super::nearest::with_nearest;
use super::operations::Operation;
use super::pace::Deadline;
use crate::{GenError, MeterError, Payer, ProviderError, Spend, Usage};

/// What came of a request, with the call still held.
pub(crate) struct Won<T> {
    pub(crate) output: T,
    pub(crate) held: Held,
    /// What failed attempts cost.
    pub(crate) bill: Spend,
    /// One sentence for each model that was given up.
    pub(crate) warnings: Vec<String>,
}

/// One request on its way.
struct Run<'a, O> {
    gateway: &'a Arc<Gateway>,
    payer: &'a Payer,
    operation: &'a O,
    deadline: Deadline,
    bill: Spend,
}

/// How it ended with one model.
enum Outcome<T> {
    Won(T, Held),
    GivenUp { error: GenError, next: bool },
}

/// Asks the models in order. Failures of a provider go before those of this side in what is reported,
/// as they tell more.
pub(crate) async fn run<O: Operation>(
    gateway: &Arc<Gateway>,
    payer: &Payer,
    targets: &[Target],
    operation: &O,
) -> Result<Won<O::Output>, GenError> {
    let deadline = gateway.pace.deadline(gateway.retry.total);
    let mut run = Run { gateway, payer, operation, deadline, bill: Spend::default() };
    let mut warnings = Vec::new();
    let mut last: Option<GenError> = None;
    for (index, target) in targets.iter().enumerate() {
        let fallback = index + 1 < targets.len();
        match run.model(target, fallback).await {
            Outcome::Won(output, held) => {
                return Ok(Won { output, held, bill: run.bill, warnings });
            }
            Outcome::GivenUp { error, next } => {
                if !next {
                    return Err(error.having_spent(run.bill));
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
    Err(error.having_spent(run.bill))
}

impl<O: Operation> Run<'_, O> {
    /// Asks one model, as often as it is worth it.
    async fn model(&mut self, target: &Target, fallback: bool) -> Outcome<O::Output> {
        let upstream = || target.route.upstream.clone();
        let mut retries = 0;
        let mut failed: Option<GenError> = None;
        loop {
            let tried = attempt(self.gateway, self.payer, target, self.operation, &self.deadline).await;
            let failure = match tried {
                Ok((output, held)) => return Outcome::Won(output, held),
                Err(failure) => failure,
            };
            let error = match failure {
                Failure::Meter(MeterError::Limit(limit)) => {
                    return Outcome::GivenUp { error: GenError::Limit(limit), next: false };
                }
                // A cheaper model may fit.
                Failure::Meter(MeterError::Never(why)) => {
                    return Outcome::GivenUp { error: GenError::Never(why), next: true };
                }
                Failure::Meter(MeterError::Store(error)) => {
                    return Outcome::GivenUp { error: GenError::Store(error), next: false };
                }
                // What the provider said before tells more.
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
            let next = self.after(target, &error, retries, fallback);
            let stop = next == Next::Stop && fallback;
            let error = with_nearest(self.gateway, target, error).await;
            let error = GenError::provider(upstream(), error);
            let Next::Retry(delay) = next else { return Outcome::GivenUp { error, next: !stop } };
            self.gateway.pace.sleep(delay).await;
            retries += 1;
            failed = Some(error);
        }
    }

    /// Decides, and tells the observer.
    fn after(&self, target: &Target, error: &ProviderError, retries: u32, fallback: bool) -> Next {
        let random = self.gateway.random();
        let remaining = self.deadline.remaining();
        let at = Standing { retries, fallback, remaining, random };
        let mut next = decide::after(&self.gateway.retry, error, at);
        let waits = self.gateway.pace.runs() && target.route.may_recover();
        if matches!(next, Next::Retry(_)) && !waits {
            next = if fallback { Next::Fallback } else { Next::Stop };
        }
        let retry_in = match next {
            Next::Retry(delay) => Some(delay),
            Next::Fallback | Next::Stop => None,
        };
        self.gateway.note(&Incident::AttemptFailed { model: &target.id, error, retry_in });
        next
    }

    /// A failed attempt that used nothing cost nothing.
    fn count(&mut self, spend: Spend) {
        if spend.usage.total() > 0 {
            self.bill += spend;
        }
    }
}

impl<T> Won<T> {
    /// Books a call that is done, and says who answered and what it all cost.
    pub(crate) async fn close(self, usage: Usage, warnings: Vec<String>) -> Generated<T> {
        self.close_with(usage, 0, warnings).await
    }

    /// As [`Won::close`], of a call that made so many pictures.
    pub(crate) async fn close_with(self, usage: Usage, pictures: u64, warnings: Vec<String>) -> Generated<T> {
        let Self { output, held, mut bill, warnings: mut all } = self;
        let model = held.target.id.clone();
        bill += held.succeed(usage, pictures).await;
        all.extend(warnings);
        Generated { answer: output, model, usage: bill.usage, cost: bill.cost, warnings: all }
    }
}
