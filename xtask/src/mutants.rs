//! `cargo xtask mutants CRATE`: changes the code of a crate in small ways and lists the changes that no test of
//! the crate notices. cargo-mutants makes the changes; it is installed apart and is no part of `ci`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value as Json;
use toml::{Table, Value};

use crate::shell::cargo;

/// How cargo-mutants is installed: the version whose files [`Findings::read`] knows.
const INSTALL: &str = "cargo install cargo-mutants --locked --version 27.1.0";

/// Survivors that are known, with the reason why no test kills them.
const KNOWN: &str = include_str!("mutants_known.toml");

/// Seconds of a test run until a change counts as noticed. The tests of a core crate take some seconds; a loop
/// that a change made endless would never end.
const TIMEOUT: &str = "120";

/// Exit codes of cargo-mutants: every change noticed, some missed, some timed out. Others are failures.
const FINISHED: [i32; 3] = [0, 2, 3];

/// The outcomes of a run: each change as `path:line:column: description`.
#[derive(Debug, Default)]
struct Findings {
    caught: Vec<String>,
    missed: Vec<String>,
    timed_out: Vec<String>,
    unviable: Vec<String>,
}

/// Runs it for a crate, or for a part `K/N` of its changes. Fails on survivors that are not known.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let (name, part) = match arguments {
        [name] => (*name, None),
        [name, "--shard", part] => (*name, Some(*part)),
        _ => bail!("cargo xtask mutants CRATE [--shard K/N]"),
    };
    let is_installed = cargo(&["mutants", "--version"]).output().is_ok_and(|output| output.status.success());
    ensure!(is_installed, "cargo-mutants is not installed: {INSTALL}");
    let folder = target_folder().join("mutants");
    let output = folder.join(name);
    std::fs::create_dir_all(&output).context("the folder for results cannot be created")?;
    // Only the crate's own tests count. A single package has other features of its dependencies than the
    // workspace, hence a target folder of its own.
    let mut command = cargo(&["mutants", "--package", name, "--test-package", name]);
    command.args(["--jobs", "1", "--timeout", TIMEOUT, "--cap-lints", "true", "--no-times", "--output"]);
    command.arg(&output);
    if let Some(part) = part {
        command.args(["--shard", part, "--sharding", "round-robin"]);
    }
    command.args(["--", "--lib", "--tests"]);
    command.env("CARGO_TARGET_DIR", folder.join("build")).env("CARGO_PROFILE_DEV_DEBUG", "none");
    let status = command.current_dir(root()).status().context("cargo-mutants cannot be started")?;
    ensure!(status.code().is_some_and(|code| FINISHED.contains(&code)), "cargo-mutants failed: {status}");
    let findings = Findings::read(&output.join("mutants.out"))?;
    report(&findings, &known_survivors(name)?, part.is_none())
}

impl Findings {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            Ok::<_, anyhow::Error>(text.lines().map(str::to_owned).collect())
        };
        Ok(Self {
            caught: read("caught.txt")?,
            missed: read("missed.txt")?,
            timed_out: read("timeout.txt")?,
            unviable: read("unviable.txt")?,
        })
    }

    /// The share of survivors among the changes that compile, in percent.
    fn percent_missed(&self) -> f64 {
        let viable = self.caught.len() + self.missed.len() + self.timed_out.len();
        100.0 * self.missed.len() as f64 / viable.max(1) as f64
    }
}

fn report(findings: &Findings, known: &[String], is_whole: bool) -> anyhow::Result<()> {
    let Findings { caught, missed, timed_out, unviable } = findings;
    println!(
        "{} caught, {} missed ({:.1} %), {} timed out, {} not compiled",
        caught.len(),
        missed.len(),
        findings.percent_missed(),
        timed_out.len(),
        unviable.len()
    );
    let (old, new): (Vec<&String>, Vec<&String>) =
        missed.iter().partition(|mutant| known.contains(&without_position(mutant)));
    old.iter().for_each(|mutant| println!("  known: {mutant}"));
    new.iter().for_each(|mutant| println!("  new: {mutant}"));
    let gone = known.iter().filter(|known| !missed.iter().any(|mutant| without_position(mutant) == **known));
    if is_whole {
        gone.for_each(|known| println!("  no longer missed, remove it from mutants_known.toml: {known}"));
    }
    ensure!(new.is_empty(), "{} changes are noticed by no test of the crate", new.len());
    Ok(())
}

/// `path: description`: lines and columns change with every edit.
fn without_position(mutant: &str) -> String {
    let mut parts = mutant.splitn(4, ':');
    match (parts.next(), parts.nth(2)) {
        (Some(path), Some(description)) => format!("{path}:{description}"),
        _ => mutant.to_owned(),
    }
}

/// The known survivors of a crate. Each must have a reason.
fn known_survivors(name: &str) -> anyhow::Result<Vec<String>> {
    let table: Table = KNOWN.parse().context("mutants_known.toml")?;
    let rows = table.get("survivor").and_then(Value::as_array).cloned().unwrap_or_default();
    let survivor = |row: &Value| {
        let text = |key: &str| row.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (Some(mutant), Some(_)) = (text("mutant"), text("reason")) else {
            bail!("a survivor in mutants_known.toml has no mutant or no reason: {row}");
        };
        Ok(mutant.to_owned())
    };
    let all: Vec<String> = rows.iter().map(survivor).collect::<anyhow::Result<_>>()?;
    Ok(all.into_iter().filter(|mutant| mutant.starts_with(&format!("crates/{name}/"))).collect())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The absolute target folder, as cargo tells it.
fn target_folder() -> PathBuf {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]).current_dir(root()).output();
    let metadata = output.ok().and_then(|output| serde_json::from_slice::<Json>(&output.stdout).ok());
    let told = metadata.as_ref().and_then(|metadata| metadata["target_directory"].as_str());
    told.map_or_else(|| root().join("target"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_are_known_wherever_they_stand_and_others_are_refused() {
        let known = ["crates/a-core/src/b.rs: replace f -> bool with true".to_owned()];
        let missed = |line: u32, value: &str| Findings {
            caught: vec![String::new(); 3],
            missed: vec![format!("crates/a-core/src/b.rs:{line}:9: replace f -> bool with {value}")],
            ..Findings::default()
        };
        assert_eq!(missed(1, "true").percent_missed(), 25.0);
        assert!(report(&missed(1, "true"), &known, true).is_ok());
        assert!(report(&missed(70, "true"), &known, true).is_ok());
        assert!(report(&missed(1, "false"), &known, true).is_err());
    }

    #[test]
    fn paths_of_types_in_a_description_are_no_positions() {
        let mutant = "crates/a/src/b.rs:1:2: replace <impl A for B>::f -> std::io::Result<()> with Ok(())";
        let expected = "crates/a/src/b.rs: replace <impl A for B>::f -> std::io::Result<()> with Ok(())";
        assert_eq!(without_position(mutant), expected);
    }

    #[test]
    fn every_known_survivor_has_a_reason_and_its_file() {
        for name in ["shared-core", "accounts-core", "jobs-core", "files-core", "delta-core", "notes-core"] {
            for mutant in known_survivors(name).unwrap() {
                let path = mutant.split(':').next().unwrap();
                assert!(root().join(path).exists(), "{mutant}");
            }
        }
    }
}
