//! Settings of exports.

use serde::{Deserialize, Serialize};

use super::Switch;
use crate::csv::CsvWriter;

/// Options of exported tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExportSettings {
    /// Whether texts that a spreadsheet would run as formulas get an apostrophe in front.
    pub escape_formulas: Switch,
}

impl Default for ExportSettings {
    fn default() -> Self {
        Self { escape_formulas: Switch::On }
    }
}

impl ExportSettings {
    /// The writer of comma-separated values.
    #[must_use]
    pub fn csv(&self) -> CsvWriter {
        CsvWriter { escapes_formulas: self.escape_formulas == Switch::On }
    }
}
