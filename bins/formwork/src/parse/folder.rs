//! The output folder: one file per input file, never outside the folder.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;

use super::format::OutputFormat;
use super::inputs::Input;
use super::output::write;
use super::reader::{Content, Failure};

/// An output folder, and the files written to it in this run.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    overwrite: bool,
    written: HashSet<PathBuf>,
}

impl Folder {
    /// Opens a folder; creates it if necessary.
    pub(super) fn open(path: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let made = fs::create_dir_all(path).and_then(|()| path.canonicalize());
        let path = made.with_context(|| format!("the folder {} cannot be created", path.display()))?;
        Ok(Self { path, overwrite, written: HashSet::new() })
    }

    /// Its canonical path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the result of one input file under its own path and name, with the extension of the output
    /// format appended.
    pub(super) fn write(
        &mut self,
        input: &Input,
        form: OutputFormat,
        content: &Content,
    ) -> Result<(), Failure> {
        let path = self.free(&input.below, form.ending());
        let shown = path.display().to_string();
        let mut bytes = Vec::new();
        let stored = write(&mut bytes, input, form, content)
            .and_then(|()| self.make_parents(&path))
            .and_then(|()| if self.overwrite { replace(&path, &bytes) } else { create(&path, &bytes) });
        stored.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::Taken(shown),
            _ => Failure::Unwritten(shown, error),
        })
    }

    /// A path in the folder that is unused in this run. Files with the same name get numbers.
    fn free(&mut self, below: &Path, ending: &str) -> PathBuf {
        // Drops components that would leave the folder.
        let mut names: Vec<OsString> = below
            .components()
            .filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_owned()),
                _ => None,
            })
            .collect();
        let name = names.pop().unwrap_or_else(|| "document".into());
        let parent = names.iter().fold(self.path.clone(), |path, name| path.join(name));
        for number in 1_u32.. {
            let mut name = name.clone();
            let number = if number == 1 { String::new() } else { format!(".{number}") };
            name.push(format!("{number}.{ending}"));
            let path = parent.join(name);
            if self.written.insert(path.clone()) {
                return path;
            }
        }
        parent.join(name)
    }

    /// Creates the parent folders of a file without following links.
    fn make_parents(&self, path: &Path) -> io::Result<()> {
        let between = path.parent().and_then(|parent| parent.strip_prefix(&self.path).ok());
        let mut folder = self.path.clone();
        for name in between.into_iter().flat_map(Path::components) {
            folder.push(name);
            match fs::symlink_metadata(&folder) {
                Ok(known) if known.is_dir() => {}
                Ok(_) => return Err(io::Error::other(format!("{} is not a folder", folder.display()))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&folder)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Creates a file. Fails when the name exists, even as a link.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(bytes);
    if written.is_err() {
        fs::remove_file(path)?;
    }
    written
}

/// Replaces a file. A link is replaced, not followed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => create(&part, bytes)?,
    }
    fs::rename(&part, path).inspect_err(|_| fs::remove_file(&part).unwrap_or_default())
}
