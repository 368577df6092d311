//! `formwork doctor`: checks everything that the server needs. It leaves no change behind.

mod checks;
mod folder;
mod index;
mod sign_in;

use std::fmt::Write as _;

use serde::Serialize;

use crate::settings::{Settings, SettingsError};

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckStatus {
    /// As it should be.
    Ok,
    /// The server works with less function.
    Warning,
    /// The server cannot work.
    Failed,
}

/// A check and its result.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CheckResult {
    pub(crate) name: &'static str,
    pub(crate) state: CheckStatus,
    /// One sentence, without secrets.
    pub(crate) message: String,
}

impl CheckResult {
    fn new(name: &'static str, state: CheckStatus, message: impl Into<String>) -> Self {
        Self { name, state, message: message.into() }
    }
}

/// The results of all checks.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// Whether the server can serve.
    pub(crate) ok: bool,
    pub(crate) version: &'static str,
    pub(crate) checks: Vec<CheckResult>,
}

/// Runs the checks that the settings allow. Without valid settings, it reports only those.
pub(crate) async fn examine(settings: Result<&Settings, &SettingsError>) -> Report {
    let checks = match settings {
        Ok(settings) => checks::all(settings).await,
        Err(error) => vec![CheckResult::new("settings", CheckStatus::Failed, error.to_string())],
    };
    let ok = checks.iter().all(|finding| finding.state != CheckStatus::Failed);
    Report { ok, version: env!("CARGO_PKG_VERSION"), checks }
}

impl Report {
    /// The report for people, one line per check.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("formwork {}\n", self.version);
        for finding in &self.checks {
            let mark = match finding.state {
                CheckStatus::Ok => "ok",
                CheckStatus::Warning => "warning",
                CheckStatus::Failed => "FAILED",
            };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{mark:<8} {:<18} {}", finding.name, finding.message);
        }
        text.push_str(if self.ok { "The server can serve.\n" } else { "The server cannot serve.\n" });
        text
    }
}
