//! The use cases of usage: leave for a call, booking it, storing what is booked, reports.

use std::sync::Arc;
use std::time::Duration;

use shared_core::{Clock, Scope, StoreError, Timestamp};

use super::limit_cache::LimitCache;
use super::windows::find_permanent_refusal;
use super::{
    CallUsage, Day, Estimate, Grouping, Ledger, MAX_MODEL, Report, ReportQuery, ReservationOutcome,
    ReservedWindows, Totals, UsageEntry, UsageError, UsageKey, UsageRepository,
};
use crate::KeyLimits;

/// Accounts whose sums wait for the store at the most; each is some hundred bytes.
const LEDGER_CAPACITY: usize = 20_000;
/// Sums stored in one transaction at the most.
const FLUSH_BATCH: usize = 1_000;

/// How long a call takes at most, where nobody says.
const MAX_CALL_DURATION: Duration = Duration::from_secs(3_600);

/// Books calls of models.
#[derive(Clone, Debug)]
pub struct UsageService {
    repository: Arc<dyn UsageRepository>,
    clock: Arc<dyn Clock>,
    ledger: Arc<Ledger>,
    limit_cache: Arc<LimitCache>,
    longest_call: Duration,
}

/// Leave for one call. It must be settled or abandoned; what is forgotten is booked nowhere, and its
/// room stays taken until the windows end.
#[derive(Clone, Debug)]
pub struct UsageReservation {
    account: UsageKey,
    estimate: Estimate,
    /// There for a key with limits.
    windows: Option<ReservedWindows>,
    /// Its note in the store; none for a call that costs nothing.
    reservation_id: Option<i64>,
}

/// Where a call is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettlementTarget {
    /// In the store.
    Stored,
    /// In memory, until the next [`UsageService::flush`].
    InMemory,
}

impl UsageService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn UsageRepository>, clock: Arc<dyn Clock>) -> Self {
        Self {
            repository,
            clock,
            ledger: Arc::new(Ledger::new(LEDGER_CAPACITY)),
            limit_cache: Arc::default(),
            longest_call: MAX_CALL_DURATION,
        }
    }

    /// Takes a call for lost that is not settled after so long.
    #[must_use]
    pub fn with_max_call_duration(self, longest_call: Duration) -> Self {
        Self { longest_call, ..self }
    }

    /// Gives leave for a call by a key, or by the service itself without one. For a key with limits, room
    /// is kept in the store. A call that may cost something is noted there, so that it is booked though the
    /// process die.
    ///
    /// # Errors
    /// When a limit of the key leaves no room, now or ever, or the store fails.
    pub async fn reserve(
        &self,
        scope: &Scope,
        key: Option<&str>,
        model: &str,
        estimate: Estimate,
    ) -> Result<UsageReservation, UsageError> {
        let now = self.clock.now();
        let account = UsageKey {
            workspace: scope.workspace.clone(),
            key: key.map(str::to_owned),
            model: truncate_model_name(model),
            day: Day::of(now),
        };
        let mut held =
            UsageReservation { account, estimate: estimate.bounded(), windows: None, reservation_id: None };
        if let Some(key) = key {
            self.reserve_limits(scope, key, &mut held, now).await?;
        }
        if !held.estimate.is_free() {
            let until = now.plus_seconds(i64::try_from(self.longest_call.as_secs()).unwrap_or(i64::MAX));
            held.reservation_id =
                Some(self.repository.open_reservation(&held.account, &held.estimate, until).await?);
        }
        Ok(held)
    }

    async fn reserve_limits(
        &self,
        scope: &Scope,
        key: &str,
        held: &mut UsageReservation,
        now: Timestamp,
    ) -> Result<(), UsageError> {
        let limits = self.limits(scope, key, now).await?;
        if limits.is_empty() {
            return Ok(());
        }
        if let Some(never) = find_permanent_refusal(&limits, &held.estimate) {
            return Err(UsageError::NeverAdmitted(never));
        }
        match self.repository.reserve(scope, key, &limits, &held.estimate, now).await? {
            ReservationOutcome::Granted(room) => held.windows = Some(room),
            ReservationOutcome::Refused(reached) => return Err(UsageError::LimitReached(reached)),
        }
        Ok(())
    }

    /// Books what a call used: in the store for a key with limits, and otherwise in memory until the next
    /// [`UsageService::flush`]. The future may be dropped once it was polled.
    ///
    /// # Errors
    /// When the store fails; the spend is then in memory, and the room stays taken.
    pub async fn settle(
        &self,
        held: UsageReservation,
        spend: CallUsage,
    ) -> Result<SettlementTarget, StoreError> {
        let spend = spend.bounded();
        let UsageReservation { account, estimate, windows: room, reservation_id: opened } = held;
        let entry =
            UsageEntry { account, totals: Totals::of(&spend), reservations: opened.into_iter().collect() };
        let Some(room) = room else {
            self.ledger.add(entry);
            return Ok(SettlementTarget::InMemory);
        };
        match self.repository.settle(&entry, room, &estimate, &spend).await {
            Ok(()) => Ok(SettlementTarget::Stored),
            Err(error) => {
                self.ledger.add(entry);
                Err(error)
            }
        }
    }

    /// Books calls of servers that died at their estimates: those whose time is over, or all when no other
    /// server uses the store, which must be before the first call. How many they were.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn settle_expired(&self, alone: bool) -> Result<u64, StoreError> {
        self.repository.settle_expired((!alone).then(|| self.clock.now())).await
    }

    /// Books a call of which nobody will tell what it used, at its estimate. Its room stays taken. In
    /// memory until the next [`UsageService::flush`].
    pub fn settle_at_estimate(&self, held: UsageReservation) {
        let UsageReservation { account, estimate, reservation_id: opened, .. } = held;
        let closes = opened.into_iter().collect();
        self.ledger.add(UsageEntry {
            account,
            totals: Totals::of(&estimate.to_usage()),
            reservations: closes,
        });
    }

    /// Stores what is booked in memory. To be called soon after each booking.
    ///
    /// # Errors
    /// When the store fails; what was not stored stays in memory.
    pub async fn flush(&self) -> Result<(), StoreError> {
        loop {
            let entries = self.ledger.take(FLUSH_BATCH);
            if entries.is_empty() {
                return Ok(());
            }
            if let Err(error) = self.repository.record(&entries).await {
                self.ledger.restore(entries);
                return Err(error);
            }
        }
    }

    /// How many calls could not be booked since it was last asked, because too many accounts wait for
    /// the store.
    #[must_use]
    pub fn take_dropped(&self) -> u64 {
        self.ledger.take_dropped()
    }

    /// What a report is to be over; see [`ReportQuery::for_days`].
    ///
    /// # Errors
    /// When the days are not in order or too many.
    pub fn query(&self, from: Option<Day>, to: Option<Day>, by: Grouping) -> Result<ReportQuery, UsageError> {
        ReportQuery::for_days(from, to, Day::of(self.clock.now()), by)
    }

    /// Sums what the scope's workspace used. What is booked in memory is not in it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, UsageError> {
        Ok(self.repository.report(scope, query).await?)
    }

    async fn limits(&self, scope: &Scope, key: &str, now: Timestamp) -> Result<KeyLimits, StoreError> {
        if let Some(known) = self.limit_cache.get(&scope.workspace, key, now) {
            return Ok(known);
        }
        let limits = self.repository.limits(scope, key).await?.ok_or(StoreError::Missing("key"))?;
        self.limit_cache.put(&scope.workspace, key, limits, now);
        Ok(limits)
    }
}

/// At most [`MAX_MODEL`] characters: anybody can call a model by any name.
fn truncate_model_name(model: &str) -> String {
    match model.char_indices().nth(MAX_MODEL) {
        Some((end, _)) => model.get(..end).unwrap_or_default().to_owned(),
        None => model.to_owned(),
    }
}
