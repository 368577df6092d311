//! The use cases of usage: reserving and settling calls, committing them, reports.

use std::sync::Arc;
use std::time::Duration;

use shared_core::{Capacity, Clock, Scope, StoreError, Timestamp, TtlCache, WorkspaceId};

use super::commit_queue::CommitQueue;
use super::windows::find_permanent_refusal;
use super::{
    CallOpening, CallUsage, Day, Estimate, Grouping, MAX_MODEL, OpenedCall, OpeningOutcome, Report,
    ReportQuery, UsageEntry, UsageError, UsageKey, UsageRepository, WindowSettlement,
};
use crate::{KeyLimits, Money};

/// How long the limits of a key are cached, so that not every call reads the store.
const LIMITS_TTL_SECONDS: u32 = 10;
/// All entries of that cache weigh the same: it is bounded by their number.
const LIMITS_WEIGHT: usize = 0;
const LIMIT_CACHE: Capacity = Capacity { entries: 10_000, bytes: 0 };

/// The longest duration of a call, unless configured otherwise.
const MAX_CALL_DURATION: Duration = Duration::from_secs(3_600);

/// Records the usage of model calls. What waits to be stored is stored by [`UsageService::commit`], which one task calls
/// whenever [`UsageService::pending`] returns; reservations and settlements wait for it.
#[derive(Clone, Debug)]
pub struct UsageService {
    repository: Arc<dyn UsageRepository>,
    clock: Arc<dyn Clock>,
    queue: Arc<CommitQueue>,
    limit_cache: Arc<TtlCache<(WorkspaceId, String), KeyLimits>>,
    longest_call: Duration,
}

/// A reservation for one call. Settle it with the call's usage or at its estimate. One that is dropped counts
/// against the windows until they end, and is recorded only by [`UsageService::settle_expired`]; a free call of a key
/// without limits never is.
#[derive(Clone, Debug)]
pub struct UsageReservation {
    account: UsageKey,
    estimate: Estimate,
    /// The reservation in the store; `None` for a free call of a key without limits.
    opened: Option<OpenedCall>,
}

impl UsageService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn UsageRepository>, clock: Arc<dyn Clock>) -> Self {
        let limit_cache = Arc::new(TtlCache::new(Arc::clone(&clock), LIMIT_CACHE));
        Self {
            repository,
            clock,
            queue: Arc::new(CommitQueue::new()),
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
    /// recorded even if the process dies. Both are one commit, which is shared with other calls. If the future is
    /// dropped, the call is closed as one that was not made.
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
        let estimate = estimate.bounded();
        let limits = match key {
            Some(key) => self.limits(scope, key).await?,
            None => KeyLimits::default(),
        };
        if let Some(never) = find_permanent_refusal(&limits, &estimate) {
            return Err(UsageError::NeverAdmitted(never));
        }
        if limits.is_empty() && estimate.is_free() {
            return Ok(UsageReservation { account, estimate, opened: None });
        }
        let opened = self.open(account.clone(), estimate, limits, now).await?;
        Ok(UsageReservation { account, estimate, opened: Some(opened) })
    }

    async fn open(
        &self,
        account: UsageKey,
        estimate: Estimate,
        limits: KeyLimits,
        now: Timestamp,
    ) -> Result<OpenedCall, UsageError> {
        let until = now.plus_seconds(i64::try_from(self.longest_call.as_secs()).unwrap_or(i64::MAX));
        let opening = CallOpening { account, estimate, limits, now, until };
        let result = self.queue.open(opening)?.await.map_err(|lost| StoreError::Unavailable(lost.into()))?;
        match result?.take() {
            OpeningOutcome::Opened(call) => Ok(call),
            OpeningOutcome::Refused(reached) => Err(UsageError::LimitReached(reached)),
            OpeningOutcome::UnknownKey => Err(StoreError::Missing("key").into()),
        }
    }

    /// Settles a call with its usage, and waits until it is stored. Once it was polled, the future may be dropped.
    ///
    /// # Errors
    /// When the store fails. The usage is then in memory until the next [`UsageService::flush`].
    pub async fn settle(&self, reservation: UsageReservation, usage: CallUsage) -> Result<(), StoreError> {
        let usage = usage.bounded();
        let UsageReservation { account, estimate, opened } = reservation;
        let entry = match opened {
            None => UsageEntry::unreserved(account, &usage),
            Some(OpenedCall { id, windows }) => {
                let windows = windows.map(|windows| WindowSettlement { windows, estimate, usage });
                UsageEntry::reserved(account, &usage, id, windows)
            }
        };
        self.queue.settle(entry).await.map_err(|lost| StoreError::Unavailable(lost.into()))?
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
        let UsageReservation { account, estimate, opened } = reservation;
        let usage = estimate.to_usage();
        self.queue.record(match opened {
            None => UsageEntry::unreserved(account, &usage),
            Some(opened) => UsageEntry::reserved(account, &usage, opened.id, None),
        });
    }

    /// Releases the reservation of a call that was not made, in memory until the next [`UsageService::flush`].
    pub fn release(&self, reservation: UsageReservation) {
        let UsageReservation { account, estimate, opened } = reservation;
        if let Some(OpenedCall { id, windows }) = opened {
            let usage = CallUsage { cost: Some(Money(0)), ..CallUsage::default() };
            let windows = windows.map(|windows| WindowSettlement { windows, estimate, usage });
            self.queue.record(UsageEntry::unused(account, id, windows));
        }
    }

    /// Waits until calls wait to be opened or usage waits to be stored.
    pub async fn pending(&self) {
        self.queue.arrival(false).await;
    }

    /// Waits until calls wait to be opened.
    pub async fn opening_pending(&self) {
        self.queue.arrival(true).await;
    }

    /// Commits what waits, at most one batch, and tells the callers. Returns whether there was any. The future must not
    /// be dropped while it runs: callers would be told that it failed.
    ///
    /// # Errors
    /// When the store fails; usage that was not stored stays in memory.
    pub async fn commit(&self) -> Result<bool, StoreError> {
        let Some(pending) = self.queue.take() else { return Ok(false) };
        match self.repository.commit(Arc::clone(&pending.batch)).await {
            Ok(outcomes) => pending.complete(outcomes),
            Err(error) => {
                pending.fail(&error);
                return Err(error);
            }
        }
        Ok(true)
    }

    /// As [`UsageService::commit`], until nothing waits.
    ///
    /// # Errors
    /// As [`UsageService::commit`].
    pub async fn flush(&self) -> Result<(), StoreError> {
        while self.commit().await? {}
        Ok(())
    }

    /// The number of calls that were not recorded since the last call of this method, because the ledger was
    /// full.
    #[must_use]
    pub fn take_dropped(&self) -> u64 {
        self.queue.take_dropped()
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
