//! Runs a scenario under a seed.

use std::fmt;
use std::time::Duration;

use crate::bug::PlantedBug;
use crate::scenario::Scenario;
use crate::world::World;
use crate::{batch, queue, requests, sessions, usage, webhooks};

/// The longest time until a system without faults comes to rest: the longest back-off of a delivery, and some more.
const MAX_REST: Duration = Duration::from_secs(30 * 3_600);
/// Steps of a run at most; a run without end is a defect.
const MAX_STEPS: u64 = 3_000_000;

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The durable queue with its leases and limits.
    Queue,
    /// Requests with idempotency keys.
    Requests,
    /// Limits and usage of keys.
    Usage,
    /// Batch extraction.
    Batch,
    /// Deliveries to webhooks.
    Webhooks,
    /// Conversations.
    Sessions,
}

impl Subject {
    /// Every subject.
    pub const ALL: [Self; 6] =
        [Self::Queue, Self::Requests, Self::Usage, Self::Batch, Self::Webhooks, Self::Sessions];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Requests => "requests",
            Self::Usage => "usage",
            Self::Batch => "batch",
            Self::Webhooks => "webhooks",
            Self::Sessions => "sessions",
        }
    }

    fn begin(self, world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
        match self {
            Self::Queue => queue::begin(world, bug),
            Self::Requests => requests::begin(world, bug),
            Self::Usage => usage::begin(world, bug),
            Self::Batch => batch::begin(world, bug),
            Self::Webhooks => webhooks::begin(world, bug),
            Self::Sessions => sessions::begin(world, bug),
        }
    }
}

/// A run without a broken invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Steps of tasks.
    pub steps: u64,
    /// Simulated time.
    pub time: Duration,
    /// The hash over the run.
    pub trace_hash: u64,
}

/// A run that broke an invariant.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was simulated.
    pub subject: Subject,
    /// The seed, which gives the same run again.
    pub seed: u64,
    /// The invariant that was broken, with what broke it.
    pub invariant: String,
    /// The last events, oldest first.
    pub trace: Vec<String>,
    /// The hash over the run.
    pub trace_hash: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {} of '{}': {}", self.seed, self.subject.name(), self.invariant)?;
        for event in &self.trace {
            writeln!(f, "  {event}")?;
        }
        write!(f, "again: cargo xtask simulate --subject {} --seed {}", self.subject.name(), self.seed)
    }
}

impl std::error::Error for Failure {}

/// Runs a subject under a seed, with a planted bug if one is given.
///
/// # Errors
/// The first broken invariant.
pub fn simulate(subject: Subject, seed: u64, bug: Option<PlantedBug>) -> Result<Summary, Box<Failure>> {
    let world = World::new(seed);
    let scenario = subject.begin(&world, bug);
    while world.violation().is_none() && !scenario.is_done() {
        if !world.step() {
            world.violate(format!("nothing can happen any more; {}", scenario.describe()));
        }
        scenario.check();
        let has_rested = world.calm_since().is_some_and(|calm| world.now() > calm + MAX_REST);
        if has_rested || world.steps() > MAX_STEPS {
            world.violate(format!("it does not come to rest; {}", scenario.describe()));
        }
    }
    if world.violation().is_none() {
        scenario.check_end();
    }
    let trace_hash = world.trace_hash();
    match world.violation() {
        None => Ok(Summary { steps: world.steps(), time: world.now(), trace_hash }),
        Some(invariant) => {
            let failure = Failure { subject, seed, invariant, trace: world.trace(), trace_hash };
            Err(Box::new(failure))
        }
    }
}
