//! The store of usage as one process sees it, and a tally of what was granted and opened.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounts_core::KeyLimits;
use accounts_core::usage::{
    CallOpening, Day, Grouping, MemoryUsage, OpenedCall, OpeningOutcome, Report, ReportQuery,
    SettledReservation, Totals, UsageBatch, UsageEntry, UsageRepository,
};
use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, Timestamp, UserId, WorkspaceId};

use crate::bug::PlantedBug;
use crate::faults::Connection;
use crate::world::World;

/// Calls of the key in a minute.
pub(super) const REQUESTS: u32 = 8;
/// Tokens of the key in a minute.
pub(super) const TOKENS: u64 = 600;

pub(super) fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

/// What was granted in the minutes, and how many reservations were opened.
#[derive(Debug, Default)]
struct UsageTally {
    /// Calls and tokens by the number of the minute; a settled call counts with what it used.
    minutes: BTreeMap<i64, (u64, u64)>,
    /// When open reservations expire.
    open: BTreeMap<i64, Timestamp>,
    opened: u64,
    /// Reservations that were closed because their calls were not made.
    unused: u64,
}

impl UsageTally {
    fn count_settlement(&mut self, settled: &SettledReservation) {
        if self.open.remove(&settled.id).is_none() {
            return;
        }
        self.unused += u64::from(settled.totals == Totals::default());
        if let Some(settled) = &settled.windows
            && let Some((_, tokens)) = self.minutes.get_mut(&settled.windows.minute)
        {
            *tokens = tokens.saturating_sub(settled.estimate.tokens) + settled.usage.tokens.total();
        }
    }

    /// Counts a call. Returns how many calls and tokens its minute has then.
    fn count_opening(&mut self, opening: &CallOpening, call: OpenedCall) -> (u64, u64) {
        self.opened += 1;
        self.open.insert(call.id, opening.until);
        let Some(windows) = call.windows else { return (0, 0) };
        let (requests, tokens) = self.minutes.entry(windows.minute).or_default();
        *requests += 1;
        *tokens += opening.estimate.tokens;
        (*requests, *tokens)
    }
}

/// The database that all processes share.
#[derive(Debug)]
pub(super) struct UsageDatabase {
    pub(super) world: World,
    pub(super) usage: MemoryUsage,
    tally: Mutex<UsageTally>,
}

impl UsageDatabase {
    pub(super) fn new(world: &World) -> Self {
        Self { world: world.clone(), usage: MemoryUsage::default(), tally: Mutex::default() }
    }

    /// Calls that are recorded.
    pub(super) async fn recorded(&self) -> Totals {
        let today = Day::of(self.world.database_time());
        let query = ReportQuery::for_days(None, None, today, Grouping::Model);
        let Ok(query) = query else { return Totals::default() };
        self.usage.report(&scope(), &query).await.map(|report| report.total).unwrap_or_default()
    }

    /// Calls that were opened, but for those that were not made.
    pub(super) fn made(&self) -> u64 {
        let tally = self.tally.lock();
        tally.opened - tally.unused
    }

    fn count(&self, batch: &UsageBatch, outcomes: &[OpeningOutcome]) {
        let mut tally = self.tally.lock();
        batch
            .entries
            .iter()
            .flat_map(|entry| &entry.reservations)
            .for_each(|one| tally.count_settlement(one));
        for (opening, outcome) in batch.openings.iter().zip(outcomes) {
            let OpeningOutcome::Opened(call) = outcome else { continue };
            let (requests, tokens) = tally.count_opening(opening, *call);
            if requests > u64::from(REQUESTS) || tokens > TOKENS {
                self.world.violate(format!("{requests} calls and {tokens} tokens are granted in a minute"));
            }
        }
    }

    /// No more calls are recorded than were opened.
    async fn check(&self) {
        let (recorded, opened) = (self.recorded().await.requests, self.tally.lock().opened);
        if recorded > opened {
            self.world.violate(format!("{recorded} calls are recorded, and {opened} were opened"));
        }
    }
}

/// The store as one process sees it.
#[derive(Clone, Debug)]
pub(super) struct UsageStore {
    pub(super) database: Arc<UsageDatabase>,
    pub(super) connection: Connection,
    pub(super) bug: Option<PlantedBug>,
}

impl UsageStore {
    /// With the planted bug, nearly everything is within the limits.
    fn opening(&self, opening: &CallOpening) -> CallOpening {
        let mut opening = opening.clone();
        if self.bug == Some(PlantedBug::ReservationBeyondLimits) && !opening.limits.is_empty() {
            opening.limits = KeyLimits { requests_per_minute: Some(u32::MAX), ..KeyLimits::default() };
        }
        opening
    }

    /// With the planted bug, totals count whether or not the reservation is open.
    fn entry(&self, entry: &UsageEntry) -> UsageEntry {
        let mut entry = entry.clone();
        if self.bug == Some(PlantedBug::UsageTwice) {
            let known = entry.totals;
            entry.totals = entry.reservations.iter().fold(known, |mut sum, settled| {
                sum += settled.totals;
                sum
            });
            entry.reservations.iter_mut().for_each(|settled| settled.totals = Totals::default());
        }
        entry
    }
}

#[async_trait]
impl UsageRepository for UsageStore {
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError> {
        self.connection.read("limits", self.database.usage.limits(scope, key)).await
    }

    async fn commit(&self, batch: Arc<UsageBatch>) -> Result<Vec<OpeningOutcome>, StoreError> {
        let call = async {
            let seen = UsageBatch {
                openings: batch.openings.iter().map(|opening| self.opening(opening)).collect(),
                entries: batch.entries.iter().map(|entry| self.entry(entry)).collect(),
            };
            let outcomes = self.database.usage.commit(Arc::new(seen)).await?;
            self.connection.world().log(|| {
                let (process, entries) = (self.connection.process().0, batch.entries.len());
                format!("{process} commits {entries} entries and opens {outcomes:?}")
            });
            self.database.count(&batch, &outcomes);
            self.database.check().await;
            Ok(outcomes)
        };
        self.connection.write("commit", call).await
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        if self.bug == Some(PlantedBug::UsageLostByDeath) {
            return Ok(0);
        }
        let call = async {
            let count = self.database.usage.settle_expired(now).await?;
            let is_open = |until: &Timestamp| now.is_some_and(|now| *until >= now);
            self.database.tally.lock().open.retain(|_, until| is_open(until));
            self.connection.world().log(|| format!("{count} reservations expire"));
            self.database.check().await;
            Ok(count)
        };
        self.connection.write("expiry", call).await
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        self.connection.read("report", self.database.usage.report(scope, query)).await
    }
}
