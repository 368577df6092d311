//! Settings of the audit log.

use serde::{Deserialize, Serialize};

/// The audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AuditSettings {
    /// Days for which events are stored; 0 for none at all.
    pub days: u32,
}

impl Default for AuditSettings {
    /// A year, as most standards of bookkeeping and security ask for at least.
    fn default() -> Self {
        Self { days: 365 }
    }
}
