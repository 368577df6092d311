//! Cleans up after a server that was killed: its programs still run and their folders still exist.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

use crate::group::kill_by_command_line;

/// Creates a temporary folder for a program. Its name contains the id of this process.
///
/// # Errors
/// When it cannot be created.
pub fn create_temp_folder(kind: &str) -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix(&format!("{kind}{}-", std::process::id())).tempdir()
}

/// Kills the programs and removes the folders of this kind whose creating process no longer exists.
pub fn sweep(kind: &str) {
    for folder in find_orphaned_folders(&std::env::temp_dir(), kind) {
        kill_by_command_line(&folder);
        // The folder may belong to another user.
        if std::fs::remove_dir_all(&folder).is_ok() {
            tracing::info!(folder = %folder.display(), "the folder of an orphaned program was removed");
        }
    }
}

fn find_orphaned_folders(root: &Path, kind: &str) -> Vec<PathBuf> {
    let maker = |name: &str| name.strip_prefix(kind)?.split_once('-')?.0.parse().ok();
    let is_left = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let maker: Option<Pid> = name.and_then(maker).and_then(Pid::from_raw);
        // Only `SRCH` means that the process does not exist. One of another user may not be signalled either.
        maker.is_some_and(|maker| test_kill_process(maker) == Err(rustix::io::Errno::SRCH))
    };
    let all = std::fs::read_dir(root).into_iter().flatten().flatten();
    all.map(|entry| entry.path()).filter(is_left).collect()
}
