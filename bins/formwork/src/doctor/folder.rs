//! The check of a folder.

use std::path::Path;

use super::{CheckResult, CheckStatus};
use crate::folder_probe::{free_space, write_probe};

/// Free space in bytes below which a check warns.
const LITTLE_SPACE: u64 = 1 << 30;

/// Whether the folder, or the nearest one above it that exists, can be written to, and the free space there.
pub(super) fn folder(name: &'static str, folder: &Path) -> CheckResult {
    let shown = folder.display();
    if folder.exists() && !folder.is_dir() {
        return CheckResult::new(name, CheckStatus::Failed, format!("{shown} is not a folder."));
    }
    if let Err(error) = write_probe(folder) {
        let verb = if folder.exists() { "written to" } else { "created" };
        return CheckResult::new(name, CheckStatus::Failed, format!("{shown} cannot be {verb}: {error}."));
    }
    let there = if folder.exists() { "can be written to" } else { "will be created" };
    match free_space(folder) {
        Ok(free) if free < LITTLE_SPACE => CheckResult::new(
            name,
            CheckStatus::Warning,
            format!("{shown} {there}; only {} are free.", size(free)),
        ),
        Ok(free) => {
            CheckResult::new(name, CheckStatus::Ok, format!("{shown} {there}; {} are free.", size(free)))
        }
        Err(_) => CheckResult::new(name, CheckStatus::Ok, format!("{shown} {there}.")),
    }
}

fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1_024.0 && unit + 1 < units.len() {
        value /= 1_024.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 100.0);
    format!("{value:.digits$} {}", units.get(unit).copied().unwrap_or("bytes"))
}
