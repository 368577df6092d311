//! The port of usage.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{OpeningOutcome, Report, ReportQuery, UsageBatch};
use crate::KeyLimits;

/// Stores the usage of model calls. Implementations must pass `usage_repository_contract!`.
#[async_trait]
pub trait UsageRepository: fmt::Debug + Send + Sync + 'static {
    /// The limits of a key of the scope's workspace; `None` when it has no such key.
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError>;
    /// In one transaction, first records the entries, then opens the calls in order. Returns the outcomes of the
    /// openings.
    ///
    /// - The totals of an entry are added to its account. Those of a reservation are added, and its windows settled as
    ///   [`UsageWindows::settle`](super::UsageWindows::settle) defines, only if the reservation is still open: a batch
    ///   can be stored again when it is not known whether it was stored.
    /// - An opening with limits is reserved in the windows of its key as
    ///   [`UsageWindows::reserve`](super::UsageWindows::reserve) defines. Concurrent openings, on any number of servers,
    ///   never exceed a limit. What is opened stays open until an entry settles it, or
    ///   [`UsageRepository::settle_expired`] finds it expired.
    async fn commit(&self, batch: Arc<UsageBatch>) -> Result<Vec<OpeningOutcome>, StoreError>;
    /// Settles open reservations at their estimates: those that expired before `now`, or all when it is
    /// `None`. In several transactions. Returns how many there were.
    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError>;
    /// Sums the usage of the scope's workspace.
    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError>;
}
