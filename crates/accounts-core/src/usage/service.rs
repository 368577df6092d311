//! The use cases of usage: leave for a call, booking it, storing what is booked, reports.

use std::sync::Arc;

use shared_core::{Clock, Scope, StoreError, Timestamp};

use super::known::KnownLimits;
use super::windows::never;
use super::{
    Account, Day, Estimate, Grouping, Ledger, MAX_MODEL, Report, ReportQuery, Reserved, Room, Spend, Totals,
    UsageError, UsageRepository,
};
use crate::KeyLimits;

/// Accounts whose sums wait for the store at the most; each is some hundred bytes.
const LEDGER: usize = 20_000;
/// Sums stored in one transaction at the most.
const STORED_AT_ONCE: usize = 1_000;

/// Books calls of models.
#[derive(Clone, Debug)]
pub struct UsageService {
    repository: Arc<dyn UsageRepository>,
    clock: Arc<dyn Clock>,
    ledger: Arc<Ledger>,
    known: Arc<KnownLimits>,
}

/// Leave for one call. It must be settled or abandoned; what is forgotten is booked nowhere, and its
/// room stays taken until the windows end.
#[derive(Clone, Debug)]
pub struct Held {
    account: Account,
    estimate: Estimate,
    /// There for a key with limits.
    room: Option<Room>,
}

impl UsageService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn UsageRepository>, clock: Arc<dyn Clock>) -> Self {
        Self { repository, clock, ledger: Arc::new(Ledger::new(LEDGER)), known: Arc::default() }
    }

    /// Gives leave for a call by a key, or by the service itself without one. For a key with limits, room
    /// is kept in the store; for others nothing is written.
    ///
    /// # Errors
    /// When a limit of the key leaves no room, now or ever, or the store fails.
    pub async fn reserve(
        &self,
        scope: &Scope,
        key: Option<&str>,
        model: &str,
        estimate: Estimate,
    ) -> Result<Held, UsageError> {
        let now = self.clock.now();
        let account = Account {
            workspace: scope.workspace.clone(),
            key: key.map(str::to_owned),
            model: shortened(model),
            day: Day::of(now),
        };
        let mut held = Held { account, estimate: estimate.bounded(), room: None };
        let Some(key) = key else { return Ok(held) };
        let limits = self.limits(scope, key, now).await?;
        if limits.is_empty() {
            return Ok(held);
        }
        if let Some(never) = never(&limits, &held.estimate) {
            return Err(UsageError::Never(never));
        }
        match self.repository.reserve(scope, key, &limits, &held.estimate, now).await? {
            Reserved::Kept(room) => held.room = Some(room),
            Reserved::Full(reached) => return Err(UsageError::Reached(reached)),
        }
        Ok(held)
    }

    /// Books what a call used: in the store for a key with limits, and otherwise in memory until the next
    /// [`UsageService::flush`]. The future may be dropped once it was polled.
    ///
    /// # Errors
    /// When the store fails; the spend is then in memory, and the room stays taken.
    pub async fn settle(&self, held: Held, spend: Spend) -> Result<(), StoreError> {
        let spend = spend.bounded();
        let Held { account, estimate, room } = held;
        let Some(room) = room else {
            self.ledger.add(account, Totals::of(&spend));
            return Ok(());
        };
        let settled = self.repository.settle(&account, room, &estimate, &spend).await;
        if settled.is_err() {
            self.ledger.add(account, Totals::of(&spend));
        }
        settled
    }

    /// Books a call of which nobody will tell what it used, at its estimate. Its room stays taken. In
    /// memory until the next [`UsageService::flush`].
    pub fn abandon(&self, held: Held) {
        self.ledger.add(held.account, Totals::of(&held.estimate.spent()));
    }

    /// Stores what is booked in memory. To be called soon after each booking.
    ///
    /// # Errors
    /// When the store fails; what was not stored stays in memory.
    pub async fn flush(&self) -> Result<(), StoreError> {
        loop {
            let entries = self.ledger.take(STORED_AT_ONCE);
            if entries.is_empty() {
                return Ok(());
            }
            if let Err(error) = self.repository.record(&entries).await {
                self.ledger.give_back(entries);
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

    /// What a report is to be over; see [`ReportQuery::over`].
    ///
    /// # Errors
    /// When the days are not in order or too many.
    pub fn query(&self, from: Option<Day>, to: Option<Day>, by: Grouping) -> Result<ReportQuery, UsageError> {
        ReportQuery::over(from, to, Day::of(self.clock.now()), by)
    }

    /// Sums what the scope's workspace used. What is booked in memory is not in it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, UsageError> {
        Ok(self.repository.report(scope, query).await?)
    }

    async fn limits(&self, scope: &Scope, key: &str, now: Timestamp) -> Result<KeyLimits, StoreError> {
        if let Some(known) = self.known.get(&scope.workspace, key, now) {
            return Ok(known);
        }
        let limits = self.repository.limits(scope, key).await?.ok_or(StoreError::Missing("key"))?;
        self.known.put(&scope.workspace, key, limits, now);
        Ok(limits)
    }
}

/// At most [`MAX_MODEL`] characters: anybody can call a model by any name.
fn shortened(model: &str) -> String {
    match model.char_indices().nth(MAX_MODEL) {
        Some((end, _)) => model.get(..end).unwrap_or_default().to_owned(),
        None => model.to_owned(),
    }
}
