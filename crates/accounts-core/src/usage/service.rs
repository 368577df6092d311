//! The use cases of usage: reserving and settling calls, flushing the ledger, reports.

use std::sync::Arc;
use std::time::Duration;

use shared_core::{Capacity, Clock, Scope, StoreError, Timestamp, TtlCache, WorkspaceId};

use super::windows::find_permanent_refusal;
use super::{
    CallUsage, Day, Estimate, Grouping, Ledger, MAX_MODEL, Report, ReportQuery, ReservationOutcome,
    ReservedWindows, UsageEntry, UsageError, UsageKey, UsageRepository,
};
use crate::KeyLimits;

/// Accounts in the ledger at most; each takes some hundred bytes.
const LEDGER_CAPACITY: usize = 20_000;
/// Entries stored in one transaction at most.
const FLUSH_BATCH: usize = 1_000;

/// How long the limits of a key are cached, so that not every call reads the store.
const LIMITS_TTL_SECONDS: u32 = 10;
/// All entries of that cache weigh the same: it is bounded by their number.
const LIMITS_WEIGHT: usize = 0;
const LIMIT_CACHE: Capacity = Capacity { entries: 10_000, bytes: 0 };

/// The longest duration of a call, unless configured otherwise.
const MAX_CALL_DURATION: Duration = Duration::from_secs(3_600);

/// Records the usage of model calls.
#[derive(Clone, Debug)]
pub struct UsageService {
    repository: Arc<dyn UsageRepository>,
    clock: Arc<dyn Clock>,
    ledger: Arc<Ledger>,
    limit_cache: Arc<TtlCache<(WorkspaceId, String), KeyLimits>>,
    longest_call: Duration,
}

/// A reservation for one call. Settle it with the call's usage or at its estimate. One that is dropped counts
/// against the windows until they end, and is recorded only by [`UsageService::settle_expired`]; a free call
/// never is.
#[derive(Clone, Debug)]
pub struct UsageReservation {
    account: UsageKey,
    estimate: Estimate,
    /// Present for a key with limits.
    windows: Option<ReservedWindows>,
    /// The reservation in the store; `None` for a call without cost.
    reservation_id: Option<i64>,
}

/// Where the usage of a call was recorded.
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
        let limit_cache = Arc::new(TtlCache::new(Arc::clone(&clock), LIMIT_CACHE));
        Self {
            repository,
            clock,
            ledger: Arc::new(Ledger::new(LEDGER_CAPACITY)),
            limit_cache,
            longest_call: MAX_CALL_DURATION,
        }
    }

    /// Sets the duration after which an unsettled reservation expires.
    #[must_use]
    pub fn with_max_call_duration(self, longest_call: Duration) -> Self {
        Self { longest_call, ..self }
    }

    /// Reserves a call by a key, or by the service itself without one. For a key with limits, the estimate is
    /// reserved in the store. A call that may cost something is opened there too, so that its usage is
    /// recorded even if the process dies.
    ///
    /// # Errors
    /// When a limit of the key refuses the call, now or ever, or the store fails.
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
        let mut reservation =
            UsageReservation { account, estimate: estimate.bounded(), windows: None, reservation_id: None };
        if let Some(key) = key {
            self.reserve_limits(scope, key, &mut reservation, now).await?;
        }
        if !reservation.estimate.is_free() {
            let until = now.plus_seconds(i64::try_from(self.longest_call.as_secs()).unwrap_or(i64::MAX));
            reservation.reservation_id = Some(
                self.repository.open_reservation(&reservation.account, &reservation.estimate, until).await?,
            );
        }
        Ok(reservation)
    }

    async fn reserve_limits(
        &self,
        scope: &Scope,
        key: &str,
        reservation: &mut UsageReservation,
        now: Timestamp,
    ) -> Result<(), UsageError> {
        let limits = self.limits(scope, key).await?;
        if limits.is_empty() {
            return Ok(());
        }
        if let Some(never) = find_permanent_refusal(&limits, &reservation.estimate) {
            return Err(UsageError::NeverAdmitted(never));
        }
        match self.repository.reserve(scope, key, &limits, &reservation.estimate, now).await? {
            ReservationOutcome::Granted(room) => reservation.windows = Some(room),
            ReservationOutcome::Refused(reached) => return Err(UsageError::LimitReached(reached)),
        }
        Ok(())
    }

    /// Settles a call with its usage: in the store for a key with limits, otherwise in memory until the next
    /// [`UsageService::flush`]. Once it was polled, the future may be dropped.
    ///
    /// # Errors
    /// When the store fails. The usage is then in memory, and the windows still count the estimate.
    pub async fn settle(
        &self,
        reservation: UsageReservation,
        spend: CallUsage,
    ) -> Result<SettlementTarget, StoreError> {
        let spend = spend.bounded();
        let UsageReservation { account, estimate, windows: room, reservation_id: opened } = reservation;
        let entry = UsageEntry::of(account, &spend, opened);
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

    /// Settles reservations of servers that died, at their estimates: expired ones, or all if no other server
    /// uses the store (`alone`; then before the first call). Returns how many there were.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn settle_expired(&self, alone: bool) -> Result<u64, StoreError> {
        self.repository.settle_expired((!alone).then(|| self.clock.now())).await
    }

    /// Settles a call of unknown usage at its estimate, in memory until the next [`UsageService::flush`]. The
    /// windows still count the estimate.
    pub fn settle_at_estimate(&self, reservation: UsageReservation) {
        let UsageReservation { account, estimate, reservation_id: opened, .. } = reservation;
        self.ledger.add(UsageEntry::of(account, &estimate.to_usage(), opened));
    }

    /// Stores the entries of the ledger. Call it soon after each settlement.
    ///
    /// # Errors
    /// When the store fails; entries that were not stored stay in memory.
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

    /// The number of calls that were not recorded since the last call of this method, because the ledger was
    /// full.
    #[must_use]
    pub fn take_dropped(&self) -> u64 {
        self.ledger.take_dropped()
    }

    /// The parameters of a report; see [`ReportQuery::for_days`].
    ///
    /// # Errors
    /// When the days are not in order or too many.
    pub fn query(&self, from: Option<Day>, to: Option<Day>, by: Grouping) -> Result<ReportQuery, UsageError> {
        ReportQuery::for_days(from, to, Day::of(self.clock.now()), by)
    }

    /// Sums the usage of the scope's workspace, without what is still in memory.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, UsageError> {
        Ok(self.repository.report(scope, query).await?)
    }

    async fn limits(&self, scope: &Scope, key: &str) -> Result<KeyLimits, StoreError> {
        let cached = (scope.workspace.clone(), key.to_owned());
        if let Some(known) = self.limit_cache.get(&cached) {
            return Ok(known);
        }
        let limits = self.repository.limits(scope, key).await?.ok_or(StoreError::Missing("key"))?;
        self.limit_cache.insert(cached, limits, LIMITS_WEIGHT, LIMITS_TTL_SECONDS);
        Ok(limits)
    }
}

/// Cuts to [`MAX_MODEL`] characters, because callers choose the model's name.
fn truncate_model_name(model: &str) -> String {
    match model.char_indices().nth(MAX_MODEL) {
        Some((end, _)) => model.get(..end).unwrap_or_default().to_owned(),
        None => model.to_owned(),
    }
}
