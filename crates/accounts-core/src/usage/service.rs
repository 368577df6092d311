//! The use cases of usage: leave for a call, booking it, storing what is booked, reports.

use std::sync::Arc;
use std::time::Duration;

use shared_core::{Clock, Scope, StoreError, Timestamp};

use super::known::KnownLimits;
use super::windows::never;
use super::{
    Account, Day, Entry, Estimate, Grouping, Ledger, MAX_MODEL, Report, ReportQuery, Reserved, Room, Spend,
    Totals, UsageError, UsageRepository,
};
use crate::KeyLimits;

/// Accounts whose sums wait for the store at the most; each is some hundred bytes.
const LEDGER: usize = 20_000;
/// Sums stored in one transaction at the most.
const STORED_AT_ONCE: usize = 1_000;

/// How long a call takes at most, where nobody says.
const LONGEST_CALL: Duration = Duration::from_secs(3_600);

/// Books calls of models.
#[derive(Clone, Debug)]
pub struct UsageService {
    repository: Arc<dyn UsageRepository>,
    clock: Arc<dyn Clock>,
    ledger: Arc<Ledger>,
    known: Arc<KnownLimits>,
    longest_call: Duration,
}

/// Leave for one call. It must be settled or abandoned; what is forgotten is booked nowhere, and its
/// room stays taken until the windows end.
#[derive(Clone, Debug)]
pub struct Held {
    account: Account,
    estimate: Estimate,
    /// There for a key with limits.
    room: Option<Room>,
    /// Its note in the store; none for a call that costs nothing.
    opened: Option<i64>,
}

/// Where a call is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Booked {
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
            ledger: Arc::new(Ledger::new(LEDGER)),
            known: Arc::default(),
            longest_call: LONGEST_CALL,
        }
    }

    /// Takes a call for lost that is not settled after so long.
    #[must_use]
    pub fn with_longest_call(self, longest_call: Duration) -> Self {
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
    ) -> Result<Held, UsageError> {
        let now = self.clock.now();
        let account = Account {
            workspace: scope.workspace.clone(),
            key: key.map(str::to_owned),
            model: shortened(model),
            day: Day::of(now),
        };
        let mut held = Held { account, estimate: estimate.bounded(), room: None, opened: None };
        if let Some(key) = key {
            self.keep_room(scope, key, &mut held, now).await?;
        }
        if !held.estimate.is_free() {
            let until = now.plus_seconds(i64::try_from(self.longest_call.as_secs()).unwrap_or(i64::MAX));
            held.opened = Some(self.repository.open(&held.account, &held.estimate, until).await?);
        }
        Ok(held)
    }

    async fn keep_room(
        &self,
        scope: &Scope,
        key: &str,
        held: &mut Held,
        now: Timestamp,
    ) -> Result<(), UsageError> {
        let limits = self.limits(scope, key, now).await?;
        if limits.is_empty() {
            return Ok(());
        }
        if let Some(never) = never(&limits, &held.estimate) {
            return Err(UsageError::Never(never));
        }
        match self.repository.reserve(scope, key, &limits, &held.estimate, now).await? {
            Reserved::Kept(room) => held.room = Some(room),
            Reserved::Full(reached) => return Err(UsageError::Reached(reached)),
        }
        Ok(())
    }

    /// Books what a call used: in the store for a key with limits, and otherwise in memory until the next
    /// [`UsageService::flush`]. The future may be dropped once it was polled.
    ///
    /// # Errors
    /// When the store fails; the spend is then in memory, and the room stays taken.
    pub async fn settle(&self, held: Held, spend: Spend) -> Result<Booked, StoreError> {
        let spend = spend.bounded();
        let Held { account, estimate, room, opened } = held;
        let entry = Entry { account, totals: Totals::of(&spend), closes: opened.into_iter().collect() };
        let Some(room) = room else {
            self.ledger.add(entry);
            return Ok(Booked::InMemory);
        };
        match self.repository.settle(&entry, room, &estimate, &spend).await {
            Ok(()) => Ok(Booked::Stored),
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
    pub async fn book_lost(&self, alone: bool) -> Result<u64, StoreError> {
        self.repository.book_lost((!alone).then(|| self.clock.now())).await
    }

    /// Books a call of which nobody will tell what it used, at its estimate. Its room stays taken. In
    /// memory until the next [`UsageService::flush`].
    pub fn abandon(&self, held: Held) {
        let Held { account, estimate, opened, .. } = held;
        let closes = opened.into_iter().collect();
        self.ledger.add(Entry { account, totals: Totals::of(&estimate.spent()), closes });
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
