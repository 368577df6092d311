//! Settings of files.

use serde::{Deserialize, Serialize};

use super::{Secret, Switch};

/// Files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FilesSettings {
    /// Whether the content of files and thumbnails is given to holders of a key of the workspace alone.
    pub require_key: Switch,
    /// Seconds for which URLs of files and thumbnails hold; 0 for as long as what they lead to is there.
    pub url_seconds: u32,
    /// Secrets that sign URLs which end, parted by commas; the first signs.
    pub url_secrets: Secret,
}

impl Default for FilesSettings {
    fn default() -> Self {
        Self { require_key: Switch::Off, url_seconds: 0, url_secrets: Secret::default() }
    }
}
