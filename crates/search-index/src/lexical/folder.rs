//! The folder of the index. A file names the subfolder in use. A new index is built in a subfolder of its own
//! and takes over by one atomic rename. Unused subfolders are removed when the index is opened.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Name of the file that names the subfolder in use.
const CURRENT: &str = "current";
/// Lock file of the process that uses the index.
const LOCK: &str = "lock";
/// Prefix of the subfolders of indexes.
const PREFIX: &str = "words-";

/// Why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has locked it.
    #[error("the folder {0} of the search index is in use by another process")]
    InUse(PathBuf),
    /// It cannot be read or written.
    #[error("the folder {0} of the search index cannot be used")]
    Unusable(PathBuf, #[source] io::Error),
    /// Threads cannot be started.
    #[error("the threads of the search index cannot be started")]
    Threads(#[source] io::Error),
}

/// The folder of the index, locked by this process.
#[derive(Debug)]
pub(super) struct IndexFolder {
    path: PathBuf,
    _lock: File,
}

impl IndexFolder {
    /// Locks the folder; creates it if it does not exist.
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

    /// The subfolder in use; `None` when there is no index.
    pub(super) fn current(&self) -> Option<PathBuf> {
        current_folder(&self.path)
    }

    /// Creates an empty subfolder with the next number.
    pub(super) fn create_next(&self) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.path)?;
        let last = self.folders()?.into_iter().map(|(number, _)| number).max();
        let folder = self.path.join(format!("{PREFIX}{}", last.map_or(0, |last| last.wrapping_add(1))));
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Makes a subfolder the one in use.
    pub(super) fn make_current(&self, folder: &Path) -> io::Result<()> {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let draft = self.path.join("current.new");
        let mut file = File::create(&draft)?;
        writeln!(file, "{name}")?;
        file.sync_all()?;
        fs::rename(&draft, self.path.join(CURRENT))?;
        // The rename itself has to be durable. Else the old name could be back after a power loss while the
        // folder that it names is removed.
        File::open(&self.path)?.sync_all()
    }

    /// Removes the subfolders that are not in use. Mapped files stay readable until they are unmapped.
    pub(super) fn remove_unused(&self, used: Option<&Path>) -> io::Result<()> {
        for (_, folder) in self.folders()? {
            if Some(folder.as_path()) != used {
                fs::remove_dir_all(&folder)?;
            }
        }
        Ok(())
    }

    /// The subfolders of indexes, with their numbers.
    fn folders(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut folders = Vec::new();
        let entries = match fs::read_dir(&self.path) {
            // The folder was removed while it was in use. The next index creates it again.
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

    /// Checks for free disk space: a writer that fails does not tell why.
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

/// The subfolder in use of the folder of an index; `None` when there is no index.
pub(super) fn current_folder(path: &Path) -> Option<PathBuf> {
    let name = fs::read_to_string(path.join(CURRENT)).ok()?;
    let number = name.trim_end().strip_prefix(PREFIX)?;
    let folder = path.join(name.trim_end());
    (number.bytes().all(|b| b.is_ascii_digit()) && folder.is_dir()).then_some(folder)
}
