//! Whether a process is confined.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whether a process is confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// As far as the system supports it.
    #[default]
    On,
    /// Completely, or the process does not run.
    Required,
    /// Not at all.
    Off,
}

impl SandboxMode {
    /// Its name in settings and arguments.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Required => "required",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for SandboxMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseModeError;

impl fmt::Display for ParseModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sandbox mode is on, required or off")
    }
}

impl std::error::Error for ParseModeError {}

impl FromStr for SandboxMode {
    type Err = ParseModeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::On, Self::Required, Self::Off]
            .into_iter()
            .find(|mode| mode.name() == text)
            .ok_or(ParseModeError)
    }
}
