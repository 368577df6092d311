//! Release figures must be of the present dependencies: their document has a hash of a part of `Cargo.lock`.
//! Only packages of registries are included, so that versions of own crates have no effect.

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use toml::{Table, Value};

use super::finding::Finding;
use super::workspace::Workspace;

/// The document with the figures.
const DOCUMENT: &str = "docs/benchmarks/release.md";

const BEGIN: &str = "<!-- release figures: Cargo.lock sha256 ";

/// Whether the figures were measured with other dependencies.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let marker = marker(workspace.files.text("Cargo.lock").context("Cargo.lock")?)?;
    let text = workspace.files.text(DOCUMENT).unwrap_or_default();
    let Some((index, line)) = text.lines().enumerate().find(|(_, line)| line.starts_with(BEGIN)) else {
        return Ok(vec![Finding::new(
            DOCUMENT,
            1,
            format!("no comment `{BEGIN}… -->`; run `cargo xtask figures`"),
        )]);
    };
    let message = "Cargo.lock has other dependencies than those measured; run `cargo xtask figures`";
    Ok(if line == marker { Vec::new() } else { vec![Finding::new(DOCUMENT, index + 1, message)] })
}

/// The comment for figures that are measured with a lock file.
pub(crate) fn marker(lock: &str) -> anyhow::Result<String> {
    Ok(format!("{BEGIN}{} -->", hash(lock)?))
}

/// SHA-256 of the names, versions and checksums of registry packages, in hexadecimal.
fn hash(lock: &str) -> anyhow::Result<String> {
    let lock: Table = lock.parse().context("Cargo.lock")?;
    let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
    let mut hasher = Sha256::new();
    for package in packages.filter(|package| package.get("source").is_some()) {
        let words =
            ["name", "version", "source", "checksum"].map(|key| package.get(key).and_then(Value::as_str));
        hasher.update(words.map(Option::unwrap_or_default).join(" "));
        hasher.update("\n");
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::{find, marker};
    use crate::tidy::workspace::Workspace;

    fn lock(own: &str, other: &str) -> String {
        let package =
            |name: &str, version: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
        format!("{}{}source = \"registry+x\"\n", package("own", own), package("other", other))
    }

    #[test]
    fn own_versions_change_nothing_and_those_of_others_do() {
        let first = marker(&lock("1.0.0", "1.0.0")).unwrap();
        assert_eq!(first, marker(&lock("2.0.0", "1.0.0")).unwrap());
        assert_ne!(first, marker(&lock("1.0.0", "2.0.0")).unwrap());
    }

    #[test]
    fn figures_without_the_comment_of_the_lock_file_are_found() {
        let now = lock("1.0.0", "1.0.0");
        let found = |text: &str| {
            let texts = [("Cargo.lock", now.as_str()), ("docs/benchmarks/release.md", text)];
            find(&Workspace::in_memory(&texts)).unwrap().len()
        };
        assert_eq!(found(&format!("# Figures\n{}\n", marker(&now).unwrap())), 0);
        assert_eq!(found(&format!("{}\n", marker(&lock("1.0.0", "2.0.0")).unwrap())), 1);
        assert_eq!(found("# Figures\n"), 1);
    }
}
