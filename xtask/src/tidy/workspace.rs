//! The input of all checks.

use std::cell::OnceCell;
use std::path::Path;

use super::files::Files;
use super::packages::{self, Package};
use super::sources::{self, Crate};

/// The repository: its files, its packages, and its product code, which is parsed on first use.
pub(crate) struct Workspace {
    /// Files and their texts.
    pub(crate) files: Files,
    /// Packages by their manifests.
    pub(crate) packages: Vec<Package>,
    crates: OnceCell<Vec<Crate>>,
}

impl Workspace {
    /// Reads the repository that this program was built from.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        Self::of(Files::read(&root)?)
    }

    fn of(files: Files) -> anyhow::Result<Self> {
        let packages = packages::read(&files)?;
        Ok(Self { files, packages, crates: OnceCell::new() })
    }

    /// The parsed product code.
    pub(crate) fn crates(&self) -> anyhow::Result<&[Crate]> {
        if let Some(crates) = self.crates.get() {
            return Ok(crates);
        }
        let parsed = sources::parse(&self.files, &self.packages)?;
        Ok(self.crates.get_or_init(|| parsed))
    }

    #[cfg(test)]
    pub(crate) fn in_memory(texts: &[(&str, &str)]) -> Self {
        Self::of(Files::in_memory(texts)).unwrap()
    }
}
