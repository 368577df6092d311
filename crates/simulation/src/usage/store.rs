//! The store of usage as one process sees it, and a tally of what was granted and opened.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounts_core::KeyLimits;
use accounts_core::usage::{
    CallUsage, Day, Estimate, Grouping, MemoryUsage, Report, ReportQuery, ReservationOutcome,
    ReservedWindows, Totals, UsageEntry, UsageKey, UsageRepository,
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
    opened: u64,
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

    /// Reservations that were opened.
    pub(super) fn opened(&self) -> u64 {
        self.tally.lock().opened
    }

    fn count_grant(&self, room: ReservedWindows, estimate: &Estimate) {
        let mut tally = self.tally.lock();
        let (requests, tokens) = tally.minutes.entry(room.minute).or_default();
        *requests += 1;
        *tokens += estimate.tokens;
        if *requests > u64::from(REQUESTS) || *tokens > TOKENS {
            self.world.violate(format!("{requests} calls and {tokens} tokens are granted in a minute"));
        }
    }

    fn count_settlement(&self, room: ReservedWindows, estimate: &Estimate, spend: &CallUsage) {
        if let Some((_, tokens)) = self.tally.lock().minutes.get_mut(&room.minute) {
            *tokens = tokens.saturating_sub(estimate.tokens) + spend.tokens.total();
        }
    }

    /// No more calls are recorded than were opened.
    async fn check(&self) {
        let (recorded, opened) = (self.recorded().await.requests, self.opened());
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

    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<ReservationOutcome, StoreError> {
        let call = async {
            let limits = match self.bug {
                Some(PlantedBug::ReservationBeyondLimits) => KeyLimits::default(),
                _ => *limits,
            };
            let outcome = self.database.usage.reserve(scope, key, &limits, estimate, now).await?;
            if let ReservationOutcome::Granted(room) = &outcome {
                self.database.count_grant(*room, estimate);
            }
            Ok(outcome)
        };
        self.connection.write("reservation", call).await
    }

    async fn open_reservation(
        &self,
        account: &UsageKey,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError> {
        let call = async {
            let id = self.database.usage.open_reservation(account, estimate, until).await?;
            self.database.tally.lock().opened += 1;
            self.connection.world().log(|| format!("{} opens {id}", self.connection.process().0));
            Ok(id)
        };
        self.connection.write("opening", call).await
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        if self.bug == Some(PlantedBug::UsageLostByDeath) {
            return Ok(0);
        }
        let call = async {
            let count = self.database.usage.settle_expired(now).await?;
            self.connection.world().log(|| format!("{count} reservations expire"));
            self.database.check().await;
            Ok(count)
        };
        self.connection.write("expiry", call).await
    }

    async fn settle(
        &self,
        entry: &UsageEntry,
        room: ReservedWindows,
        estimate: &Estimate,
        spend: &CallUsage,
    ) -> Result<(), StoreError> {
        let call = async {
            self.database.usage.settle(&self.entry(entry), room, estimate, spend).await?;
            self.connection.world().log(|| format!("settled: {:?}", entry.reservations));
            self.database.count_settlement(room, estimate, spend);
            self.database.check().await;
            Ok(())
        };
        self.connection.write("settlement", call).await
    }

    async fn record(&self, entries: &[UsageEntry]) -> Result<(), StoreError> {
        let call = async {
            let entries: Vec<UsageEntry> = entries.iter().map(|entry| self.entry(entry)).collect();
            self.database.usage.record(&entries).await?;
            self.connection.world().log(|| format!("recorded: {:?}", entries.len()));
            self.database.check().await;
            Ok(())
        };
        self.connection.write("record", call).await
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        self.connection.read("report", self.database.usage.report(scope, query)).await
    }
}
