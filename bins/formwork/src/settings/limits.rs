//! Limits that protect the server and share it fairly.

use serde::{Deserialize, Serialize};

/// Limits of requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitSettings {
    /// Maximum size of a JSON body in bytes.
    pub json_body_bytes: usize,
    /// Maximum size in bytes of a JSON body with the groups of a run.
    pub groups_body_bytes: usize,
    /// Maximum size in bytes of a JSON body with pictures in data URLs. Without them, it has at most
    /// `json_body_bytes`.
    pub pictures_body_bytes: usize,
    /// Maximum size of a file in bytes.
    pub file_bytes: u64,
    /// Maximum number of files of one upload.
    pub files_per_upload: usize,
    /// Maximum size in bytes of a note's content, and of its meta.
    pub note_bytes: usize,
    /// Maximum number of groups of one batch run.
    pub groups_per_run: usize,
    /// Maximum number of documents of one group.
    pub documents_per_group: usize,
    /// Maximum number of attempts at a group after retryable failures.
    pub group_attempts: u32,
    /// Maximum number of concurrent groups of one run on a server.
    pub run_concurrency: usize,
    /// Maximum number of concurrent groups of one workspace on a server.
    pub workspace_concurrency: usize,
    /// Maximum number of concurrent groups of all runs on a server.
    pub total_concurrency: usize,
    /// Duration of a lease in seconds. Jobs of a server that does not renew its leases go to another, and requests
    /// with an idempotency key may be sent again.
    pub lease_seconds: u32,
    /// Time limit in seconds for a request to arrive.
    pub request_seconds: u64,
    /// Minimum rate of uploads in bytes per second, over `request_seconds`; 0 for none.
    pub upload_bytes_per_second: u64,
    /// Time limit in seconds for requests, model calls and other jobs in flight at shutdown.
    pub drain_seconds: u64,
    /// Time limit in seconds of each database operation of a request, waiting and running.
    pub database_seconds: u64,
    /// Default limit of requests per minute of an API key; 0 is unlimited.
    pub requests_per_minute: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            json_body_bytes: 2 << 20,
            groups_body_bytes: 32 << 20,
            pictures_body_bytes: 20 << 20,
            file_bytes: 100 << 20,
            files_per_upload: 100,
            note_bytes: 1 << 20,
            groups_per_run: 10_000,
            documents_per_group: 1_000,
            group_attempts: 4,
            // As many as `models.concurrency`, so that a lone batch is not slower than its provider permits. The rest of
            // the total is for others, which need not wait for a group of it to end.
            run_concurrency: 64,
            workspace_concurrency: 64,
            total_concurrency: 96,
            lease_seconds: 30,
            request_seconds: 60,
            upload_bytes_per_second: 1_024,
            database_seconds: 2,
            drain_seconds: 30,
            requests_per_minute: 0,
        }
    }
}
