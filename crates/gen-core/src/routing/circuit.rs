//! The circuit breaker: stops calls to a backend that keeps failing, and probes whether it has recovered.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::CircuitSettings;
use crate::Fault;

/// The wait that callers are given while a probe is in flight, as its end is unknown. Chosen by hand; no
/// measurement is recorded.
const PROBE_WAIT: Duration = Duration::from_secs(1);

/// The state machine. The caller passes the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CircuitState {
    /// Calls pass. `failures` is the number of failures in a row.
    Closed { failures: u32 },
    /// Nothing is sent before this time.
    Open { until: Duration },
    /// One probe call is in flight.
    Probing,
}

/// Whether an admitted call is the probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    Normal,
    Probe,
}

impl CircuitState {
    /// Time until a call may be made; `None` when it may be made now.
    fn wait(self, now: Duration) -> Option<Duration> {
        match self {
            Self::Closed { .. } => None,
            Self::Open { until } => until.checked_sub(now).filter(|wait| !wait.is_zero()),
            Self::Probing => Some(PROBE_WAIT),
        }
    }

    fn admit(&mut self, now: Duration) -> Result<CallKind, Duration> {
        if let Some(wait) = self.wait(now) {
            return Err(wait);
        }
        if matches!(self, Self::Closed { .. }) {
            return Ok(CallKind::Normal);
        }
        *self = Self::Probing;
        Ok(CallKind::Probe)
    }

    /// A call admitted before the circuit opened does not show that the backend has recovered.
    fn record_success(&mut self, entry: CallKind) {
        if entry == CallKind::Probe || matches!(self, Self::Closed { .. }) {
            *self = Self::Closed { failures: 0 };
        }
    }

    /// Returns whether this failure opened the circuit.
    fn record_failure(&mut self, entry: CallKind, settings: CircuitSettings, now: Duration) -> bool {
        let opens = match (entry, &mut *self) {
            (CallKind::Probe, _) => true,
            (CallKind::Normal, Self::Closed { failures }) => {
                *failures = failures.saturating_add(1);
                *failures >= settings.failures
            }
            (CallKind::Normal, _) => false,
        };
        if opens {
            *self = Self::Open { until: now.saturating_add(settings.pause) };
        }
        opens
    }

    /// After a probe without a result, the next call is the probe.
    fn record_abandoned(&mut self, entry: CallKind, now: Duration) {
        if entry == CallKind::Probe && matches!(self, Self::Probing) {
            *self = Self::Open { until: now };
        }
    }
}

#[derive(Debug)]
pub(crate) struct Circuit {
    settings: CircuitSettings,
    state: Mutex<CircuitState>,
}

impl Circuit {
    pub(crate) fn new(settings: CircuitSettings) -> Self {
        Self { settings, state: Mutex::new(CircuitState::Closed { failures: 0 }) }
    }

    fn with_state<T>(&self, act: impl FnOnce(&mut CircuitState) -> T) -> T {
        act(&mut self.state.lock())
    }

    /// Time until a call may be made; `None` when it may be made now.
    pub(crate) fn wait(&self, now: Duration) -> Option<Duration> {
        self.with_state(|state| state.wait(now))
    }

    /// Admits a call, or returns the time to wait.
    pub(crate) fn admit(self: &Arc<Self>, now: Duration) -> Result<CircuitPass, Duration> {
        let entry = self.with_state(|state| state.admit(now))?;
        Ok(CircuitPass { circuit: Arc::clone(self), entry: Some(entry), entered: now })
    }
}

/// An admitted call. Dropping it without a result counts neither as success nor as failure.
#[derive(Debug)]
pub(crate) struct CircuitPass {
    circuit: Arc<Circuit>,
    entry: Option<CallKind>,
    entered: Duration,
}

impl CircuitPass {
    /// Records the first part of an answer: a probe closes the circuit, and counts as a normal call from then
    /// on.
    pub(crate) fn record_alive(&mut self) {
        if self.entry == Some(CallKind::Probe) {
            self.circuit.with_state(|state| state.record_success(CallKind::Probe));
            self.entry = Some(CallKind::Normal);
        }
    }

    /// Records an answer, a refusal included.
    pub(crate) fn record_success(mut self) {
        if let Some(entry) = self.entry.take() {
            self.circuit.with_state(|state| state.record_success(entry));
        }
    }

    /// Records a failure, and returns whether it opened the circuit. A fault of the caller or of the account
    /// shows that the backend works, and counts as a success.
    pub(crate) fn record_failure(mut self, fault: Fault, now: Duration) -> bool {
        let Some(entry) = self.entry.take() else { return false };
        let settings = self.circuit.settings;
        self.circuit.with_state(|state| {
            if is_backend_fault(fault) {
                return state.record_failure(entry, settings, now);
            }
            state.record_success(entry);
            false
        })
    }
}

impl Drop for CircuitPass {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            self.circuit.with_state(|state| state.record_abandoned(entry, self.entered));
        }
    }
}

/// Whether a fault means that the backend does not work.
fn is_backend_fault(fault: Fault) -> bool {
    match fault {
        Fault::Overloaded | Fault::Failed | Fault::Unreachable | Fault::Timeout | Fault::Protocol => true,
        Fault::Unsupported
        | Fault::Auth
        | Fault::Billing
        | Fault::RateLimited
        | Fault::InvalidRequest
        | Fault::UnknownModel
        | Fault::ContextTooLong
        | Fault::Refused => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn circuit() -> Arc<Circuit> {
        Arc::new(Circuit::new(CircuitSettings { failures: 3, pause: seconds(10) }))
    }

    fn fail(circuit: &Arc<Circuit>, now: u64) -> bool {
        circuit.admit(seconds(now)).unwrap().record_failure(Fault::Failed, seconds(now))
    }

    #[test]
    fn it_opens_after_so_many_failures_in_a_row_and_says_how_long() {
        let circuit = circuit();
        assert!(!fail(&circuit, 0) && !fail(&circuit, 0));
        assert!(circuit.admit(seconds(0)).is_ok());
        assert!(fail(&circuit, 1));
        assert_eq!(circuit.admit(seconds(4)).unwrap_err(), seconds(7));
    }

    #[test]
    fn a_success_between_failures_starts_the_count_again() {
        let circuit = circuit();
        for _ in 0..5 {
            assert!(!fail(&circuit, 0) && !fail(&circuit, 0));
            circuit.admit(seconds(0)).unwrap().record_success();
        }
    }

    #[test]
    fn faults_of_the_caller_or_the_account_never_open_it() {
        let circuit = circuit();
        for fault in [
            Fault::InvalidRequest,
            Fault::UnknownModel,
            Fault::Auth,
            Fault::Billing,
            Fault::RateLimited,
            Fault::Refused,
            Fault::ContextTooLong,
        ] {
            for _ in 0..10 {
                assert!(!circuit.admit(seconds(0)).unwrap().record_failure(fault, seconds(0)));
            }
        }
    }

    #[test]
    fn after_the_pause_one_call_tries_and_the_others_wait() {
        let circuit = circuit();
        for _ in 0..3 {
            fail(&circuit, 0);
        }
        let probe = circuit.admit(seconds(10)).unwrap();
        assert!(circuit.admit(seconds(10)).is_err());
        assert!(probe.record_failure(Fault::Timeout, seconds(12)));
        assert_eq!(circuit.admit(seconds(13)).unwrap_err(), seconds(9));
        circuit.admit(seconds(22)).unwrap().record_success();
        assert!(!fail(&circuit, 22), "the count starts again");
        assert!(circuit.admit(seconds(22)).is_ok());
    }

    #[test]
    fn a_probe_that_is_given_up_leaves_its_place_to_the_next_call() {
        let circuit = circuit();
        for _ in 0..3 {
            fail(&circuit, 0);
        }
        drop(circuit.admit(seconds(10)).unwrap());
        let mut probe = circuit.admit(seconds(10)).unwrap();
        probe.record_alive();
        assert!(circuit.admit(seconds(10)).is_ok(), "a first token closes the circuit");
        drop(probe);
        assert!(circuit.admit(seconds(10)).is_ok());
    }

    #[test]
    fn calls_from_before_it_opened_neither_close_nor_prolong_it() {
        let circuit = circuit();
        let (early, late) = (circuit.admit(seconds(0)).unwrap(), circuit.admit(seconds(0)).unwrap());
        for _ in 0..3 {
            fail(&circuit, 0);
        }
        early.record_success();
        assert!(!late.record_failure(Fault::Failed, seconds(9)));
        assert_eq!(circuit.admit(seconds(9)).unwrap_err(), seconds(1));
    }
}
