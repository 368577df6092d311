//! Settings of files.

use serde::{Deserialize, Serialize};

use super::{Secret, Switch};

/// Access to the content of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FilesSettings {
    /// Whether the content of files and thumbnails needs an API key of the workspace.
    pub require_key: Switch,
    /// Lifetime in seconds of the URLs of files and thumbnails; 0 as long as the file exists.
    pub url_seconds: u32,
    /// Secrets that sign expiring URLs, comma-separated; the first one signs.
    pub url_secrets: Secret,
}

impl Default for FilesSettings {
    fn default() -> Self {
        Self { require_key: Switch::Off, url_seconds: 0, url_secrets: Secret::default() }
    }
}
