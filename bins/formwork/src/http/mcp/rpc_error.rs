//! The errors of the Model Context Protocol.

use serde_json::json;
use shared_core::ErrorKind;

use crate::http::json_rpc::{RpcError, shortened};

impl RpcError {
    /// The metadata of the request breaks a rule.
    pub(super) fn invalid_meta(message: &str) -> Self {
        Self::new(-32_602, Some(ErrorKind::Invalid), message)
    }

    /// Headers and body contradict each other.
    pub(super) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(-32_020, Some(ErrorKind::Invalid), message)
    }

    /// The server does not have the revision.
    pub(super) fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        Self::new(-32_022, Some(ErrorKind::Invalid), "Unsupported protocol version")
            .with_data(json!({"supported": supported, "requested": shortened(requested)}))
    }

    /// A resource does not exist. Revisions with a handshake have a code of their own for it.
    pub(super) fn unknown_resource(uri: &str, is_stateless: bool) -> Self {
        let code = if is_stateless { -32_602 } else { -32_002 };
        Self::new(code, None, "Resource not found").with_data(json!({"uri": shortened(uri)}))
    }
}
