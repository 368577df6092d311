//! Settings of extraction.

use forms_core::{
    PictureOptions, PicturePolicy, SecondReader, SecondReading, TrustOptions, UnsupportedPolicy,
};
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
    /// When models get pictures of pages beside the text.
    pub pictures: PicturePolicy,
    /// Maximum pictures of one call.
    pub pictures_per_call: usize,
    /// Maximum pages of one group that are shown as pictures.
    pub pictures_per_group: usize,
    /// Maximum input tokens of all pictures of one group, as vendors count them; 0 for no limit.
    pub picture_tokens_per_group: u64,
}

impl Default for ExtractionSettings {
    fn default() -> Self {
        let TrustOptions { unsupported, second_reader, second_reading, acceptable_error } =
            TrustOptions::default();
        let PictureOptions { policy, per_call, per_group, tokens_per_group } = PictureOptions::default();
        Self {
            unsupported,
            second_reader,
            second_reader_when: second_reading,
            acceptable_error,
            pictures: policy,
            pictures_per_call: per_call,
            pictures_per_group: per_group,
            picture_tokens_per_group: tokens_per_group,
        }
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

impl From<&ExtractionSettings> for PictureOptions {
    fn from(settings: &ExtractionSettings) -> Self {
        Self {
            policy: settings.pictures,
            per_call: settings.pictures_per_call,
            per_group: settings.pictures_per_group,
            tokens_per_group: settings.picture_tokens_per_group,
        }
    }
}
