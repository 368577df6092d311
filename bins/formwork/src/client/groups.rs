//! Which files make a group, and so a record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;

use crate::parse::inputs::{InputSource, collect};

/// What makes a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GroupBy {
    /// Each file
    File,
    /// The files of each folder
    Folder,
    /// All files together
    All,
}

/// The groups of the named files and folders, in their order.
///
/// # Errors
/// When a folder cannot be read, standard input is named, or there is no file.
pub(super) fn groups(
    named: &[PathBuf],
    output: Option<&Path>,
    by: GroupBy,
) -> anyhow::Result<Vec<Vec<PathBuf>>> {
    let mut files = Vec::new();
    for input in collect(named, None, None) {
        match input.place {
            InputSource::Path(path) if output.is_some_and(|output| is_same(output, &path)) => {}
            InputSource::Path(path) => files.push(path),
            InputSource::Input(_) => bail!("documents cannot be read from standard input"),
            InputSource::Unreadable(path, error) => bail!("{} cannot be read: {error}", path.display()),
        }
    }
    if files.is_empty() {
        bail!("there is no file to read");
    }
    Ok(match by {
        GroupBy::File => files.into_iter().map(|file| vec![file]).collect(),
        GroupBy::All => vec![files],
        GroupBy::Folder => by_folder(files),
    })
}

fn by_folder(files: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        folders.entry(file.parent().unwrap_or(Path::new("")).to_path_buf()).or_default().push(file);
    }
    folders.into_values().collect()
}

/// The output of an earlier extraction in the folder is no document.
fn is_same(output: &Path, file: &Path) -> bool {
    output == file
        || output.canonicalize().is_ok_and(|output| file.canonicalize().is_ok_and(|file| output == file))
}
