//! The usage of calls that ended, to be added to an account.

use super::{CallUsage, Estimate, ReservedWindows, Totals, UsageKey};

/// Totals to be added to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageEntry {
    /// The account.
    pub account: UsageKey,
    /// The totals of calls without a reservation.
    pub totals: Totals,
    /// The calls with a reservation. Each counts only if its reservation is still open, so that an entry can be stored
    /// again when it is not known whether it was stored.
    pub reservations: Vec<SettledReservation>,
}

impl UsageEntry {
    /// The entry of one call without a reservation.
    #[must_use]
    pub fn unreserved(account: UsageKey, usage: &CallUsage) -> Self {
        Self { account, totals: Totals::of(usage), reservations: Vec::new() }
    }

    /// The entry of one call with a reservation.
    #[must_use]
    pub fn reserved(
        account: UsageKey,
        usage: &CallUsage,
        id: i64,
        windows: Option<WindowSettlement>,
    ) -> Self {
        let reservation = SettledReservation { id, totals: Totals::of(usage), windows };
        Self { account, totals: Totals::default(), reservations: vec![reservation] }
    }

    /// The entry of a reservation for a call that was not made.
    #[must_use]
    pub fn unused(account: UsageKey, id: i64, windows: Option<WindowSettlement>) -> Self {
        let reservation = SettledReservation { id, totals: Totals::default(), windows };
        Self { account, totals: Totals::default(), reservations: vec![reservation] }
    }
}

/// A call with a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledReservation {
    /// The reservation, from [`OpenedCall`](super::OpenedCall).
    pub id: i64,
    /// The totals of the call.
    pub totals: Totals,
    /// What replaces the estimate in the windows of the account's key. `None` where there are none, or where the
    /// estimate stays.
    pub windows: Option<WindowSettlement>,
}

/// What replaces the estimate of a call in the windows of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSettlement {
    /// The windows in which the call was reserved.
    pub windows: ReservedWindows,
    /// The estimate that was reserved.
    pub estimate: Estimate,
    /// What the call used.
    pub usage: CallUsage,
}
