//! One attempt at one model: permit, circuit breaker, reservation, call, settlement.

use std::sync::Arc;
use std::time::Duration;

use super::Incident;
use super::backend::Target;
use super::circuit::CircuitPass;
use super::concurrency_limiter::Permit;
use super::gateway::Gateway;
use super::operations::{Operation, usage_or_estimate};
use super::optional_timer::{Deadline, poll_once};
use crate::{CallerContext, Cost, Estimate, Fault, MeterError, ProviderError, Reservation, Spend, Usage};

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The provider failed. The usage is already settled.
    Provider(ProviderError, Spend),
    /// The queue is full, or the deadline passed in the queue. Nothing was sent.
    Busy,
    /// The circuit is open for this long. Nothing was sent.
    Paused(Duration),
    /// The meter refused the reservation. Nothing was sent.
    Meter(MeterError),
}

/// What a call in flight holds. Dropping it releases the permit and the circuit, and the meter records its
/// estimate.
#[derive(Debug)]
pub(crate) struct AttemptGuard {
    gateway: Arc<Gateway>,
    pub(crate) target: Target,
    permit: Permit,
    pass: Option<CircuitPass>,
    reservation: Box<dyn Reservation>,
    /// Estimated input tokens.
    pub(crate) input_tokens: u64,
    /// When the attempt must end, for a streamed answer with its last event.
    pub(super) deadline: Deadline,
}

pub(super) async fn attempt<O: Operation>(
    gateway: &Arc<Gateway>,
    payer: &CallerContext,
    target: &Target,
    operation: &O,
    deadline: &Deadline,
) -> Result<(O::Output, AttemptGuard), Failure> {
    let guard = acquire_guard(gateway, payer, target, operation, deadline).await?;
    let done = gateway.pace.run_within(guard.deadline.remaining(), operation.call(target)).await;
    match done.unwrap_or_else(|| Err(ProviderError::timeout())) {
        Ok(output) => Ok((output, guard)),
        Err(error) => {
            let spend = guard.fail(&error, error.usage).await;
            Err(Failure::Provider(error, spend))
        }
    }
}

/// Waits for a permit, then checks the circuit and reserves. The reservation comes last, so that it counts
/// only for calls that are sent at once.
async fn acquire_guard<O: Operation>(
    gateway: &Arc<Gateway>,
    payer: &CallerContext,
    target: &Target,
    operation: &O,
    deadline: &Deadline,
) -> Result<AttemptGuard, Failure> {
    let (pace, route) = (&gateway.pace, &target.route);
    if let Some(wait) = route.circuit.as_ref().and_then(|circuit| circuit.wait(pace.now())) {
        return Err(Failure::Paused(wait));
    }
    let place = pace.run_within(deadline.remaining(), route.limiter.acquire()).await;
    let Some(Ok(permit)) = place else { return Err(Failure::Busy) };
    let pass = match &route.circuit {
        Some(circuit) => Some(circuit.admit(pace.now()).map_err(Failure::Paused)?),
        None => None,
    };
    let input_tokens = operation.input_tokens();
    let estimate = estimate(gateway, target, operation, input_tokens);
    let reservation = gateway.meter.reserve(payer, &estimate).await.map_err(Failure::Meter)?;
    let limit = route.backend.timeouts.attempt;
    let limit = operation.attempt_limit().map_or(limit, |asked| asked.min(limit));
    let until = deadline.clone().at_most(limit);
    let (gateway, target) = (Arc::clone(gateway), target.clone());
    Ok(AttemptGuard { gateway, target, permit, pass, reservation, input_tokens, deadline: until })
}

/// The usage of a call at most, with its cost.
pub(crate) fn estimate(
    gateway: &Gateway,
    target: &Target,
    operation: &impl Operation,
    input_tokens: u64,
) -> Estimate {
    let output = operation.output_tokens().unwrap_or_else(|| gateway.catalogue.usual_output(&target.id));
    let usage = Usage { input_tokens, output_tokens: output.into(), ..Usage::default() };
    let Spend { usage, cost } = gateway.spend(target, usage, operation.pictures());
    Estimate { model: target.id.clone(), tokens: usage.total(), cost }
}

impl AttemptGuard {
    /// Records that the backend has begun to answer.
    pub(super) fn mark_alive(&mut self) {
        if let Some(pass) = &mut self.pass {
            pass.record_alive();
        }
    }

    /// Settles a call that succeeded and generated `pictures` images.
    pub(super) async fn succeed(self, usage: Usage, pictures: u64) -> Spend {
        let Self { gateway, target, permit, pass, reservation, .. } = self;
        drop(permit);
        if let Some(pass) = pass {
            pass.record_success();
        }
        let mut spend = gateway.spend(&target, usage, pictures);
        if usage.total() == 0 && !gateway.catalogue.is_free(&target.id) {
            // The provider reported no usage; that does not mean that the call was free.
            spend.cost = None;
        }
        settle_reservation(&gateway, &target, reservation, spend).await;
        spend
    }

    /// Settles a call that failed after `usage`. A provider charges for an answer even if it cannot be
    /// parsed, so its input tokens are recorded as an estimate.
    pub(super) async fn fail(self, error: &ProviderError, usage: Usage) -> Spend {
        let Self { gateway, target, permit, pass, reservation, input_tokens, .. } = self;
        let usage =
            if error.fault == Fault::Protocol { usage_or_estimate(usage, input_tokens, "") } else { usage };
        drop(permit);
        let opened = pass.is_some_and(|pass| pass.record_failure(error.fault, gateway.pace.now()));
        if opened {
            gateway.note(&Incident::CircuitOpened { upstream: &target.route.upstream });
        }
        let mut spend = gateway.spend(&target, usage, 0);
        if usage.total() == 0 {
            spend.cost = Some(Cost(0));
        }
        settle_reservation(&gateway, &target, reservation, spend).await;
        spend
    }

    /// Settles a call whose client has disconnected. Nothing can wait any more; the meter takes the spend at
    /// the first poll of [`Reservation::settle`].
    pub(super) fn abandon(self, usage: Usage) {
        let Self { gateway, target, permit, pass, reservation, .. } = self;
        drop((permit, pass));
        let spend = gateway.spend(&target, usage, 0);
        poll_once(settle_reservation(&gateway, &target, reservation, spend));
    }

    pub(super) fn note_failure(&self, error: &ProviderError) {
        let model = &self.target.id;
        self.gateway.note(&Incident::AttemptFailed { model, error, retry_in: None });
    }
}

/// Settles a reservation. The answer is returned even if that fails.
pub(crate) async fn settle_reservation(
    gateway: &Gateway,
    target: &Target,
    reservation: Box<dyn Reservation>,
    spend: Spend,
) {
    if let Err(error) = reservation.settle(spend).await {
        gateway.note(&Incident::SettleFailed { model: &target.id, error: &error });
    }
}
