//! The folder of the index: a file that names the folder in use, and that folder. A new index is made in a folder
//! of its own and takes the place by one renaming; what is in no use is removed when the index is opened.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Names the folder in use.
const CURRENT: &str = "current";
/// Held by the process that uses the index.
const LOCK: &str = "lock";
/// Begins the names of folders of indexes.
const PREFIX: &str = "words-";

/// Why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("the folder {0} of the search index is in use by another process")]
    InUse(PathBuf),
    /// It cannot be read or written.
    #[error("the folder {0} of the search index cannot be used")]
    Unusable(PathBuf, #[source] io::Error),
    /// Threads cannot be started.
    #[error("the threads of the search index cannot be started")]
    Threads(#[source] io::Error),
}

/// The folder of the index, held by this process.
#[derive(Debug)]
pub(super) struct IndexFolder {
    path: PathBuf,
    _lock: File,
}

impl IndexFolder {
    /// Takes the folder; makes it when it is not there.
    pub(super) fn lock(path: &Path) -> Result<Self, OpenError> {
        let unusable = |error| OpenError::Unusable(path.to_owned(), error);
        fs::create_dir_all(path).map_err(unusable)?;
        let lock = File::create(path.join(LOCK)).map_err(unusable)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => OpenError::InUse(path.to_owned()),
            TryLockError::Error(error) => unusable(error),
        })?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The folder in use, when there is one.
    pub(super) fn current(&self) -> Option<PathBuf> {
        let name = fs::read_to_string(self.path.join(CURRENT)).ok()?;
        let number = name.trim_end().strip_prefix(PREFIX)?;
        let folder = self.path.join(name.trim_end());
        (number.bytes().all(|b| b.is_ascii_digit()) && folder.is_dir()).then_some(folder)
    }

    /// A new, empty folder.
    pub(super) fn create_next(&self) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.path)?;
        let last = self.folders()?.into_iter().map(|(number, _)| number).max();
        let folder = self.path.join(format!("{PREFIX}{}", last.map_or(0, |last| last.wrapping_add(1))));
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Puts a folder in use.
    pub(super) fn make_current(&self, folder: &Path) -> io::Result<()> {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let draft = self.path.join("current.new");
        let mut file = File::create(&draft)?;
        writeln!(file, "{name}")?;
        file.sync_all()?;
        fs::rename(&draft, self.path.join(CURRENT))?;
        // The renaming itself has to be durable, else the old name would be back after a loss of power, and the
        // folder that it names is removed.
        File::open(&self.path)?.sync_all()
    }

    /// Removes the folders that are not in use. Files that are mapped stay readable until they are let go.
    pub(super) fn remove_unused(&self, used: Option<&Path>) -> io::Result<()> {
        for (_, folder) in self.folders()? {
            if Some(folder.as_path()) != used {
                fs::remove_dir_all(&folder)?;
            }
        }
        Ok(())
    }

    /// The folders of indexes, with their numbers.
    fn folders(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut folders = Vec::new();
        let entries = match fs::read_dir(&self.path) {
            // It was removed while it was in use; it is made again with the next index.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folders),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let number = path.file_name().and_then(|name| name.to_str()?.strip_prefix(PREFIX)?.parse().ok());
            if let Some(number) = number.filter(|_| path.is_dir()) {
                folders.push((number, path));
            }
        }
        Ok(folders)
    }

    /// Whether there is room to write on: a writer that fails does not tell why.
    pub(super) fn probe_space(&self) -> io::Result<()> {
        let path = self.path.join("probe");
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(&vec![0; 1 << 20])?;
            file.sync_all()
        });
        fs::remove_file(&path)?;
        written
    }
}
