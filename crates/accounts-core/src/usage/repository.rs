//! The port of usage.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{CallUsage, Estimate, LimitReached, Report, ReportQuery, ReservedWindows, UsageEntry, UsageKey};
use crate::KeyLimits;

/// The outcome of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReservationOutcome {
    /// Granted in these windows.
    Granted(ReservedWindows),
    /// Refused by a limit.
    Refused(LimitReached),
}

/// Stores the usage of model calls. Implementations must pass `usage_repository_contract!`.
#[async_trait]
pub trait UsageRepository: fmt::Debug + Send + Sync + 'static {
    /// The limits of a key of the scope's workspace; `None` when it has no such key.
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError>;
    /// In one transaction: reads the current windows of a key of the scope's workspace and reserves the
    /// estimate in them, as [`UsageWindows::reserve`](super::UsageWindows::reserve) defines. Concurrent
    /// reservations, on any number of servers, never exceed a limit. `Missing("key")`.
    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<ReservationOutcome, StoreError>;
    /// Opens a reservation for a call that is about to start and returns its id. It stays open until an
    /// [`UsageEntry`] settles it, or [`UsageRepository::settle_expired`] finds it expired. The account's
    /// workspace is the scope.
    async fn open_reservation(
        &self,
        account: &UsageKey,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError>;
    /// Settles open reservations at their estimates: those that expired before `now`, or all when it is
    /// `None`. In several transactions. Returns how many there were.
    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError>;
    /// In one transaction: records the usage of a call and settles its reservation, as
    /// [`UsageWindows::settle`](super::UsageWindows::settle) defines. The account's workspace is the scope.
    /// The write starts at the first poll of the future and completes even if the future is dropped
    /// afterwards.
    async fn settle(
        &self,
        entry: &UsageEntry,
        room: ReservedWindows,
        estimate: &Estimate,
        spend: &CallUsage,
    ) -> Result<(), StoreError>;
    /// Adds totals to their accounts and settles their reservations: entries of any workspaces, in one
    /// transaction. The totals of a reservation that is not open any more were added before.
    async fn record(&self, entries: &[UsageEntry]) -> Result<(), StoreError>;
    /// Sums the usage of the scope's workspace.
    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError>;
}
