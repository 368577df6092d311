//! Selects the input files: the named files, and all files below the named folders.

use std::io;
use std::path::{Path, PathBuf};

/// An input file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its source.
    pub(crate) place: InputSource,
    /// Its path below the folder in which it was found; its name when it was named directly.
    pub(crate) below: PathBuf,
}

/// Source of an input file.
#[derive(Debug)]
pub(crate) enum InputSource {
    /// A file with this path.
    Path(PathBuf),
    /// Standard input, under this name.
    Input(String),
    /// A folder that cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl Input {
    /// The name in output for programs.
    pub(super) fn name(&self) -> String {
        match &self.place {
            InputSource::Path(path) | InputSource::Unreadable(path, _) => path.display().to_string(),
            InputSource::Input(name) => name.clone(),
        }
    }

    /// The name in one line, for people.
    pub(super) fn display_name(&self) -> String {
        self.name().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
    }
}

/// The files in the order in which they were named. Files of a folder are sorted by name, without hidden
/// files, links and the output folder.
pub(crate) fn collect(named: &[PathBuf], name: Option<&str>, output: Option<&Path>) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in named {
        if path.as_os_str() == "-" {
            let name = name.unwrap_or("-").to_owned();
            let below = PathBuf::from(if name == "-" { "standard-input" } else { name.as_str() });
            inputs.push(Input { place: InputSource::Input(name), below });
        } else if path.is_dir() {
            walk(path, output, &mut inputs);
        } else {
            let below = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
            inputs.push(Input { place: InputSource::Path(path.clone()), below });
        }
    }
    inputs
}

fn walk(root: &Path, output: Option<&Path>, inputs: &mut Vec<Input>) {
    // A stack: the next folder is last.
    let mut open = vec![(root.to_path_buf(), true)];
    while let Some((path, is_folder)) = open.pop() {
        if !is_folder {
            let below = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            inputs.push(Input { place: InputSource::Path(path), below });
            continue;
        }
        if output.is_some_and(|output| path.canonicalize().is_ok_and(|path| path == output)) {
            continue;
        }
        match entries(&path) {
            Ok(mut entries) => {
                entries.sort();
                open.extend(entries.into_iter().rev());
            }
            Err(error) => {
                inputs.push(Input { below: path.clone(), place: InputSource::Unreadable(path, error) });
            }
        }
    }
}

/// The entries of a folder, and whether each is a folder.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && (kind.is_dir() || kind.is_file()) {
            found.push((entry.path(), kind.is_dir()));
        }
    }
    Ok(found)
}
