//! Findings, and the files that reproduce them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A violated rule with the case that reproduces it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Name of the fuzz target.
    pub target: &'static str,
    /// The violated rule.
    pub rule: String,
    /// What violates the rule.
    pub detail: String,
    /// The file that reproduces it.
    pub file: PathBuf,
    /// Number of occurrences.
    pub times: u64,
}

/// Writes a case and returns its path.
pub(crate) fn store(folder: &Path, target: &str, rule: &str, case: &[u8]) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    let words: String = rule.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let start = words.len().saturating_sub(80);
    let name = words.get(start..).unwrap_or_default().trim_matches('-');
    let path = folder.join(format!("{name}.{target}"));
    std::fs::write(&path, case).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(path)
}
