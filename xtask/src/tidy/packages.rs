//! The packages of the workspace, by their manifests.

use anyhow::Context as _;
use toml::Table;

use super::files::Files;

/// A package of the workspace.
#[derive(Debug)]
pub(crate) struct Package {
    /// Its name in manifests.
    pub(crate) name: String,
    /// Its folder, relative to the root.
    pub(crate) folder: String,
    /// Its `Cargo.toml`.
    pub(crate) manifest: Table,
}

impl Package {
    /// Relative to the root of the repository.
    pub(crate) fn manifest_path(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}

/// Every package below the root, sorted by folder.
pub(crate) fn read(files: &Files) -> anyhow::Result<Vec<Package>> {
    let manifests = files.texts().filter_map(|(path, text)| Some((path.strip_suffix("/Cargo.toml")?, text)));
    manifests
        .map(|(folder, text)| {
            let manifest: Table = text.parse().with_context(|| format!("{folder}/Cargo.toml"))?;
            let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
            let name = name.with_context(|| format!("{folder}/Cargo.toml has no name"))?.to_owned();
            Ok(Package { name, folder: folder.to_owned(), manifest })
        })
        .collect()
}

/// The line of a manifest that sets `key`, or the first line.
pub(crate) fn line_of(text: &str, key: &str) -> usize {
    let sets = |line: &str| {
        line.trim_start()
            .trim_start_matches('"')
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with(['.', ' ', '=', '"']))
    };
    text.lines().position(sets).map_or(1, |index| index + 1)
}
