//! Follows a run to its end.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use super::connection::Connection;

/// Pause between two looks at a run: short at first, since small runs take a moment.
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(2);

/// Waits until a run is over and returns it. On a terminal, standard error shows its progress.
///
/// # Errors
/// When the server cannot be asked.
pub(super) async fn watch(connection: &Connection, namespace: &str, sid: i64) -> anyhow::Result<Value> {
    let path = format!("{}?limit=1", run_path(namespace, sid));
    let bar = bar();
    let mut pause = SHORTEST;
    loop {
        let run = connection.get(&path).await?;
        let [total, open, failed] =
            ["total", "open", "failed"].map(|key| run[key].as_u64().unwrap_or_default());
        bar.set_length(total);
        bar.set_position(total.saturating_sub(open));
        bar.set_message(format!("{failed} failed"));
        if run["state"] != "running" {
            bar.finish_and_clear();
            return Ok(run);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 5 / 4).min(LONGEST);
    }
}

/// The path of a run.
pub(super) fn run_path(namespace: &str, sid: i64) -> String {
    format!("/v1/agent/{}/workflow/delta/runs/{sid}", super::segment(namespace))
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} records, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// The failed groups of a run: the index and the message of each.
///
/// # Errors
/// When the server cannot be asked.
pub(super) async fn failures(
    connection: &Connection,
    namespace: &str,
    sid: i64,
) -> anyhow::Result<Vec<(usize, String)>> {
    let mut failures = Vec::new();
    let mut page = 1;
    loop {
        let run = connection.get(&format!("{}?limit=100&page={page}", run_path(namespace, sid))).await?;
        for group in run["groups"].as_array().into_iter().flatten().filter(|group| group["state"] == "failed")
        {
            let index =
                group["group"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or_default();
            failures.push((index, group["error"]["message"].as_str().unwrap_or_default().to_owned()));
        }
        if run["meta"]["total_pages"].as_u64().is_none_or(|pages| page >= pages) {
            return Ok(failures);
        }
        page += 1;
    }
}
