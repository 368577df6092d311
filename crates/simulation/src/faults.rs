//! Faults of the store as a process sees it: slow answers, failures before the effect, and failures after it.

use shared_core::StoreError;

use crate::world::{ProcessId, World};

/// Delays up to this are not faults.
const SHORT_DELAY_MILLIS: u64 = 50;
/// The longest delay of an answer: longer than a lease.
const LONG_DELAY_MILLIS: u64 = 45_000;

/// How often faults happen, in permille of the calls. Each seed has its own rates, and some are 0, so that seeds differ
/// in what they try (swarm testing: Groce et al., Swarm Testing, 2012).
#[derive(Clone, Copy, Debug)]
pub struct FaultRates {
    /// The call fails and has no effect.
    pub before: u64,
    /// The call has its effect, and the caller is told that the outcome is not known.
    pub after: u64,
    /// The call or its answer takes long.
    pub slow: u64,
    /// In permille of the operator's turns: a process is killed and started again.
    pub deaths: u64,
    /// As above: a process is stalled.
    pub stalls: u64,
    /// As above: the clock of the database jumps.
    pub jumps: u64,
}

impl FaultRates {
    /// The rates of a world.
    #[must_use]
    pub fn draw(world: &World) -> Self {
        let rate = |most| if world.random().happens(300) { 0 } else { world.random().below(most) };
        Self {
            before: rate(60),
            after: rate(60),
            slow: rate(70),
            deaths: rate(600),
            stalls: rate(300),
            jumps: rate(200),
        }
    }
}

/// The connection of a process to the store.
#[derive(Clone, Debug)]
pub struct Connection {
    world: World,
    process: ProcessId,
    rates: FaultRates,
}

impl Connection {
    /// The connection of a process.
    #[must_use]
    pub fn new(world: &World, process: ProcessId, rates: FaultRates) -> Self {
        Self { world: world.clone(), process, rates }
    }

    /// The world that the process is part of.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Whose connection it is.
    #[must_use]
    pub fn process(&self) -> ProcessId {
        self.process
    }

    /// Reads from the store.
    ///
    /// # Errors
    /// Those of `call`, or a simulated one.
    pub async fn read<T>(
        &self,
        name: &str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.run(name, false, call).await
    }

    /// Changes the store. `call` must not wait, so that it is one transaction.
    ///
    /// # Errors
    /// Those of `call`, or a simulated one.
    pub async fn write<T>(
        &self,
        name: &str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.run(name, true, call).await
    }

    async fn run<T>(
        &self,
        name: &str,
        is_write: bool,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.delay(name).await;
        if self.fails(self.rates.before) {
            self.world.log(|| format!("{} {name} fails", self.process.0));
            return Err(StoreError::Unavailable("a simulated failure".into()));
        }
        let result = call.await;
        self.delay(name).await;
        if is_write && result.is_ok() && self.fails(self.rates.after) {
            self.world.log(|| format!("{} {name} is done, and its outcome is lost", self.process.0));
            return Err(StoreError::OutcomeUnknown);
        }
        result
    }

    fn fails(&self, permille: u64) -> bool {
        let fails = !self.world.is_calm() && self.world.random().happens(permille);
        if fails {
            self.world.count_fault(self.process);
        }
        fails
    }

    async fn delay(&self, name: &str) {
        if self.fails(self.rates.slow) {
            let long = self.world.random().millis(SHORT_DELAY_MILLIS, LONG_DELAY_MILLIS);
            self.world.log(|| format!("{} {name} takes {long:?}", self.process.0));
            self.world.count_slow_answer(self.process, true);
            self.world.sleep(long).await;
            self.world.count_slow_answer(self.process, false);
        } else if self.world.random().happens(500) {
            self.world.sleep(self.world.random().millis(0, SHORT_DELAY_MILLIS)).await;
        } else {
            self.world.turn().await;
        }
    }
}
