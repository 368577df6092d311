//! The port of usage.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{CallUsage, Estimate, LimitReached, Report, ReportQuery, ReservedWindows, UsageEntry, UsageKey};
use crate::KeyLimits;

/// What came of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReservationOutcome {
    /// Room is kept in these windows.
    Granted(ReservedWindows),
    /// There is none.
    Refused(LimitReached),
}

/// Stores what calls of models used. Implementations must pass `usage_repository_contract!`.
#[async_trait]
pub trait UsageRepository: fmt::Debug + Send + Sync + 'static {
    /// The limits of a key of the scope's workspace; `None` when it has no such key.
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError>;
    /// In one unit: looks into the windows of a key of the scope's workspace at `now`, and keeps room
    /// there, as [`UsageWindows::reserve`](super::Windows::reserve) says. Of many at the same time, on however
    /// many servers, no more get room than there is. `Missing("key")`.
    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<ReservationOutcome, StoreError>;
    /// Notes a call that is about to be made, and gives the note's number. It stands until an [`UsageEntry`] closes
    /// it, or [`UsageRepository::settle_expired`] finds it. The account's workspace is the scope.
    async fn open_reservation(
        &self,
        account: &UsageKey,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError>;
    /// Books calls that were opened and not closed, at their estimates: those whose time was over before
    /// `now`, or all. In units; how many they were.
    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError>;
    /// In one unit: books what a call used, and puts it in the place of the room that was kept for it, as
    /// [`UsageWindows::settle`](super::Windows::settle) says. The account's workspace is the scope. What is to
    /// be done has begun when the future is first polled; it is done though the future be dropped then.
    async fn settle(
        &self,
        entry: &UsageEntry,
        room: ReservedWindows,
        estimate: &Estimate,
        spend: &CallUsage,
    ) -> Result<(), StoreError>;
    /// Adds to what is booked and closes what it comes in the place of, all entries of any workspaces in one
    /// unit.
    async fn record(&self, entries: &[UsageEntry]) -> Result<(), StoreError>;
    /// Sums what the scope's workspace used.
    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError>;
}
