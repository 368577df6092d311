//! Settings of the metrics.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

/// Metrics for operators.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsSettings {
    /// Address and port of `GET /metrics`; no metrics when empty.
    pub listen: String,
}

impl MetricsSettings {
    /// The address, if there is one.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.listen.parse().ok()
    }

    /// Checks the address.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.listen.is_empty() || self.address().is_some() {
            return Ok(());
        }
        Err("'metrics.listen' must be an address with a port, such as 127.0.0.1:9464".to_owned())
    }
}
