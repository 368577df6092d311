//! What a server left that was killed itself: nobody ended its programs, and nobody took their folders away.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

use crate::group::kill_by_command_line;

/// A new folder for a program among the temporary ones, whose name tells by which process it was made.
///
/// # Errors
/// When it cannot be made.
pub fn create_temp_folder(kind: &str) -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix(&format!("{kind}{}-", std::process::id())).tempdir()
}

/// Ends the programs and removes the folders of this kind that were made by processes that are there no more.
pub fn sweep(kind: &str) {
    for folder in find_orphaned_folders(&std::env::temp_dir(), kind) {
        kill_by_command_line(&folder);
        // Whoever made it may be another user.
        if std::fs::remove_dir_all(&folder).is_ok() {
            tracing::info!(folder = %folder.display(), "the rest of a program was taken away");
        }
    }
}

fn find_orphaned_folders(root: &Path, kind: &str) -> Vec<PathBuf> {
    let maker = |name: &str| name.strip_prefix(kind)?.split_once('-')?.0.parse().ok();
    let is_left = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let maker: Option<Pid> = name.and_then(maker).and_then(Pid::from_raw);
        // One that is there but is another user's may not be signalled either, and is not gone.
        maker.is_some_and(|maker| test_kill_process(maker) == Err(rustix::io::Errno::SRCH))
    };
    let all = std::fs::read_dir(root).into_iter().flatten().flatten();
    all.map(|entry| entry.path()).filter(is_left).collect()
}
