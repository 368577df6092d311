//! `cargo xtask coverage`: which documented answers the API tests have produced in a run of `cargo xtask
//! test`. Each test process writes a file of lines `METHOD path status`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

/// Statuses that need a defect, an outage or a full queue; tests produce them where they can.
const OUTAGES: [&str; 4] = ["500", "502", "503", "504"];

/// Answers that only a race produces: a concurrent change of the same form or base, and changes of a session by
/// another server at each of the attempts of a turn.
const RACES: [&str; 6] = [
    "PUT /v1/form/{form_id}/gate 409",
    "DELETE /v1/form/{form_id}/gate 409",
    "PUT /knowledgebase/{knowledgeId} 409",
    "POST /v1/agent/{namespace}/ag-ui 409",
    "POST /v1/public/chat 409",
    "DELETE /v1/agent/{namespace}/sessions/{session_id}/takeover 409",
];

/// Documented answers that no query of these operations can produce: an invalid expiry or signature of their
/// URLs gives 404.
const UNREACHABLE: [&str; 3] =
    ["GET /files/{token} 400", "GET /files/{token}/{name} 400", "GET /thumbnails/{token} 400"];

/// Empties the folder that test processes write to.
pub(crate) fn fresh_folder() -> anyhow::Result<PathBuf> {
    let folder = folder();
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("the old records of answers cannot be removed")?;
    }
    std::fs::create_dir_all(&folder).context("the folder for records of answers cannot be created")?;
    Ok(folder)
}

fn folder() -> PathBuf {
    let target = std::env::var("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|_| root().join("target")).join("seen")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Fails when an operation was never called, or a documented status never seen.
pub(crate) fn run() -> anyhow::Result<()> {
    let text = std::fs::read_to_string(root().join("docs/openapi.json"))?;
    let seen = seen_answers(&folder())?;
    let documented = documented_answers(&serde_json::from_str(&text)?);
    let missing: Vec<&String> = documented.difference(&seen).collect();
    println!("{} of {} documented answers were seen", documented.len() - missing.len(), documented.len());
    missing.iter().for_each(|answer| println!("  never seen: {answer}"));
    anyhow::ensure!(missing.is_empty(), "{} documented answers were never seen", missing.len());
    Ok(())
}

fn seen_answers(folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut seen = BTreeSet::new();
    for file in std::fs::read_dir(folder).context("run `cargo xtask test` first")? {
        seen.extend(std::fs::read_to_string(file?.path())?.lines().map(str::to_owned));
    }
    Ok(seen)
}

/// Every documented answer except outages, as `METHOD path status`.
fn documented_answers(description: &Value) -> BTreeSet<String> {
    let mut answers = BTreeSet::new();
    for (path, item) in description["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            // The same operation under a second path, which has a test of its own.
            if operation["operationId"].as_str().is_some_and(|id| id.ends_with("_v1")) {
                continue;
            }
            let statuses = operation["responses"].as_object().into_iter().flat_map(|all| all.keys());
            let wanted = statuses.filter(|status| !OUTAGES.contains(&status.as_str()));
            answers.extend(wanted.map(|status| format!("{} {path} {status}", method.to_uppercase())));
        }
    }
    RACES.iter().chain(&UNREACHABLE).for_each(|answer| {
        answers.remove(*answer);
    });
    answers
}
