//! The commands of backups.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Subcommand;

use super::copy::copy;
use super::create::create;
use super::restore::restore;
use super::verify::{check_backup, check_store};
use crate::settings::Settings;

/// Copies, restores and checks what is stored.
#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// Back up the database and the files, while a server works or not
    Backup {
        /// Folder of the backups; each run adds a snapshot and copies only new files
        folder: PathBuf,
        /// Number of snapshots to keep; the oldest others are removed
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
        keep: Option<u32>,
    },
    /// Restore a backup to an empty data folder
    Restore {
        /// Folder that `formwork backup` writes to
        folder: PathBuf,
        /// Name of the snapshot (default: the newest)
        #[arg(long)]
        snapshot: Option<String>,
    },
    /// Copy the SQLite database of a server that is stopped to PostgreSQL
    Copy {
        /// URL of the SQLite database (default: that of the data folder)
        #[arg(long)]
        from: Option<String>,
        /// URL of a new PostgreSQL database (default: that of the settings)
        #[arg(long)]
        to: Option<String>,
    },
    /// Check the database and the content of every file, or those of a backup
    Check {
        /// Folder of the backups to check instead of the stored data
        #[arg(long)]
        backup: Option<PathBuf>,
        /// Name of the snapshot (default: the newest)
        #[arg(long, requires = "backup")]
        snapshot: Option<String>,
    },
}

impl BackupCommand {
    /// Runs the command. Returns what was done.
    ///
    /// # Errors
    /// One sentence for the operator, or the problems that a check found, one a line.
    pub(crate) fn run(self, settings: &Settings) -> anyhow::Result<String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("the runtime cannot be started")?;
        runtime.block_on(async {
            match self {
                Self::Backup { folder, keep } => create(settings, &folder, keep).await,
                Self::Restore { folder, snapshot } => restore(settings, &folder, snapshot.as_deref()).await,
                Self::Copy { from, to } => copy(settings, from, to).await,
                Self::Check { backup: Some(folder), snapshot } => check_backup(&folder, snapshot.as_deref()),
                Self::Check { .. } => check_store(settings).await,
            }
        })
    }
}
