//! The files of the repository, read once for all checks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use walkdir::{DirEntry, WalkDir};

/// Names of folders without source files, at any depth.
const NO_SOURCE: [&str; 3] = [".git", "node_modules", "__pycache__"];

/// Generated folders at the root: names or prefixes.
const LEFT_AT_ROOT: [&str; 2] = ["target", "formwork-data"];

/// Extensions of files whose text is read.
const TEXTS: [&str; 5] = ["rs", "md", "toml", "txt", "lock"];

/// Paths relative to the root, with `/`, and the texts of those files that checks read.
#[derive(Debug)]
pub(crate) struct Files {
    root: PathBuf,
    entries: BTreeMap<String, Option<String>>,
}

impl Files {
    /// Reads the tree below `root`.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut entries = BTreeMap::new();
        for entry in WalkDir::new(root).into_iter().filter_entry(is_source) {
            let entry = entry.context("the repository cannot be listed")?;
            if entry.file_type().is_file() {
                let path = entry.path();
                let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
                let is_text =
                    path.extension().is_some_and(|extension| TEXTS.iter().any(|text| extension == *text));
                let text = is_text.then(|| std::fs::read_to_string(path)).transpose();
                entries.insert(relative.clone(), text.with_context(|| relative)?);
            }
        }
        Ok(Self { root: root.to_owned(), entries })
    }

    /// Every path, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Path and text of every file that was read, sorted by path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.entries.get(path)?.as_deref()
    }

    /// Whether a file or folder with that path exists.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let folder = format!("{path}/");
        path.is_empty()
            || self.entries.contains_key(path)
            || self.entries.range(folder.clone()..).next().is_some_and(|(next, _)| next.starts_with(&folder))
    }

    /// Replaces the text of a file.
    pub(crate) fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        if self.text(path) != Some(text) {
            std::fs::write(self.root.join(path), text).with_context(|| path.to_owned())?;
            println!("{path} was written");
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn in_memory(texts: &[(&str, &str)]) -> Self {
        let entry = |(path, text): &(&str, &str)| ((*path).to_owned(), Some((*text).to_owned()));
        Self { root: PathBuf::new(), entries: texts.iter().map(entry).collect() }
    }
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_left = entry.depth() == 1 && LEFT_AT_ROOT.iter().any(|left| name.starts_with(left));
    !(entry.file_type().is_dir() && (is_left || NO_SOURCE.contains(&&*name)))
}

#[cfg(test)]
mod tests {
    use super::Files;

    #[test]
    fn a_folder_is_there_when_a_file_lies_below_it() {
        let files = Files::in_memory(&[("docs/a/b.md", ""), ("docs/ab.md", "")]);
        assert!(files.contains("docs/a"));
        assert!(files.contains("docs/a/"));
        assert!(files.contains("docs/ab.md"));
        assert!(!files.contains("docs/a/b"));
    }
}
