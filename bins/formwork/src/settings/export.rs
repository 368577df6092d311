//! Settings of tables that are given out.

use serde::{Deserialize, Serialize};

use super::Switch;
use crate::csv::CsvWriter;

/// Tables that are given out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExportSettings {
    /// Whether texts that a spreadsheet would run as formulas get an apostrophe before them.
    pub escape_formulas: Switch,
}

impl Default for ExportSettings {
    fn default() -> Self {
        Self { escape_formulas: Switch::On }
    }
}

impl ExportSettings {
    /// How comma-separated values are written.
    #[must_use]
    pub fn csv(&self) -> CsvWriter {
        CsvWriter { escapes_formulas: self.escape_formulas == Switch::On }
    }
}
