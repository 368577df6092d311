//! The port of usage.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{Account, Entry, Estimate, LimitReached, Report, ReportQuery, Room, Spend};
use crate::KeyLimits;

/// What came of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// Room is kept in these windows.
    Kept(Room),
    /// There is none.
    Full(LimitReached),
}

/// Stores what calls of models used. Implementations must pass `usage_repository_contract!`.
#[async_trait]
pub trait UsageRepository: fmt::Debug + Send + Sync + 'static {
    /// The limits of a key of the scope's workspace; `None` when it has no such key.
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError>;
    /// In one unit: looks into the windows of a key of the scope's workspace at `now`, and keeps room
    /// there, as [`Windows::reserve`](super::Windows::reserve) says. Of many at the same time, on however
    /// many servers, no more get room than there is. `Missing("key")`.
    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<Reserved, StoreError>;
    /// In one unit: books what a call used, and puts it in the place of the room that was kept for it, as
    /// [`Windows::settle`](super::Windows::settle) says. The account's workspace is the scope. What is to
    /// be done has begun when the future is first polled; it is done though the future be dropped then.
    async fn settle(
        &self,
        account: &Account,
        room: Room,
        estimate: &Estimate,
        spend: &Spend,
    ) -> Result<(), StoreError>;
    /// Adds to what is booked, all entries of any workspaces in one unit.
    async fn record(&self, entries: &[Entry]) -> Result<(), StoreError>;
    /// Sums what the scope's workspace used.
    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError>;
}
