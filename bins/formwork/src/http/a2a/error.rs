//! The errors of A2A 1.0.

use serde_json::json;

use crate::http::json_rpc::{RpcError, shortened};

impl RpcError {
    /// There is no such task.
    pub(super) fn task_not_found() -> Self {
        a2a(-32_001, "TASK_NOT_FOUND", "there is no such task")
    }

    /// The task has ended.
    pub(super) fn task_not_cancelable() -> Self {
        a2a(-32_002, "TASK_NOT_CANCELABLE", "the task has ended; it cannot be cancelled")
    }

    pub(super) fn no_push_notifications() -> Self {
        a2a(
            -32_003,
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
            "push notifications are not supported; webhooks tell of submissions",
        )
    }

    /// The operation is not possible, for this reason.
    pub(super) fn unsupported_operation(reason: &str) -> Self {
        a2a(-32_004, "UNSUPPORTED_OPERATION", reason)
    }

    pub(super) fn no_extended_card() -> Self {
        a2a(-32_007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", "the agent has one card, which is complete")
    }

    pub(super) fn version_not_supported(version: &str) -> Self {
        let said = match version {
            "" => "the header A2A-Version is missing, which means 0.3; this server speaks 1.0".to_owned(),
            version => format!("A2A {} is not supported; this server speaks 1.0", shortened(version)),
        };
        a2a(-32_009, "VERSION_NOT_SUPPORTED", &said)
    }
}

/// An error with the reason that the protocol has for it.
fn a2a(code: i64, reason: &str, message: &str) -> RpcError {
    let details = json!([{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org"
    }]);
    RpcError::new(code, None, message).with_data(details)
}
