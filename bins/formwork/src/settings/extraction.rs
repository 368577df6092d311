//! Settings of extraction.

use forms_core::{SecondReader, SecondReading, TrustOptions, UnsupportedPolicy};
use serde::{Deserialize, Serialize};

/// How extracted values are checked and judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtractionSettings {
    /// How values without support in the documents are handled.
    pub unsupported: UnsupportedPolicy,
    /// The model that reads the documents a second time.
    pub second_reader: SecondReader,
    /// When a second reader that costs something is called.
    pub second_reader_when: SecondReading,
    /// Maximum share of accepted values that may be wrong, 0 to 1.
    pub acceptable_error: f64,
}

impl Default for ExtractionSettings {
    fn default() -> Self {
        let TrustOptions { unsupported, second_reader, second_reading, acceptable_error } =
            TrustOptions::default();
        Self { unsupported, second_reader, second_reader_when: second_reading, acceptable_error }
    }
}

impl From<&ExtractionSettings> for TrustOptions {
    fn from(settings: &ExtractionSettings) -> Self {
        Self {
            unsupported: settings.unsupported,
            second_reader: settings.second_reader.clone(),
            second_reading: settings.second_reader_when,
            acceptable_error: settings.acceptable_error,
        }
    }
}
