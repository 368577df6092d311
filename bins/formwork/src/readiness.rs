//! Whether the parts that requests need work: the database and the folders.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use shared_core::SingleFlight;
use store_diesel::Database;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::folder_probe::{free_space, write_probe};
use crate::settings::Settings;

/// Time limit of all checks, which run concurrently.
const LIMIT: Duration = Duration::from_secs(1);

/// Checks the parts. Clones share the checks in flight.
#[derive(Clone, Debug)]
pub struct Readiness(Arc<Checks>);

#[derive(Debug)]
struct Checks {
    database: Database,
    folders: [FolderCheck; 3],
    /// Whether the last change of the search index failed.
    index_failing: Arc<AtomicBool>,
    /// For calls to the file system, which block.
    background: Handle,
    flights: SingleFlight<(), Vec<Outage>>,
}

/// A part that requests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The database, for reading and writing.
    Database,
    /// The folder of file contents.
    Blobs,
    /// The search index and its folder.
    SearchIndex,
    /// The data folder.
    Disk,
}

/// A part that is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// What does not work.
    pub part: Part,
    /// Why, as the end of a sentence about the part.
    why: &'static str,
}

#[derive(Debug)]
struct FolderCheck {
    part: Part,
    path: PathBuf,
    /// Free bytes below which the disk counts as full.
    least_free: u64,
    /// Held by a check: one that hangs is not followed by others.
    running: Arc<Mutex<()>>,
}

impl Part {
    /// Name in answers.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Blobs => "blobs",
            Self::SearchIndex => "searchIndex",
            Self::Disk => "disk",
        }
    }
}

impl Outage {
    /// A sentence for the client.
    #[must_use]
    pub fn sentence(self) -> String {
        let subject = match self.part {
            Part::Database => "the database",
            Part::Blobs => "the folder of file contents",
            Part::SearchIndex => "the search index",
            Part::Disk => "the data folder",
        };
        format!("{subject} {}", self.why)
    }
}

impl Readiness {
    /// The checks of a server with these settings.
    pub(crate) fn new(
        settings: &Settings,
        database: &Database,
        index_failing: Arc<AtomicBool>,
        background: Handle,
    ) -> Self {
        let folder = |part, path| FolderCheck {
            part,
            path,
            // Otherwise a request of an allowed size could not be stored.
            least_free: settings.limits.json_body_bytes as u64,
            running: Arc::default(),
        };
        Self(Arc::new(Checks {
            database: database.clone(),
            folders: [
                folder(Part::Blobs, settings.blob_folder()),
                folder(Part::SearchIndex, settings.index_folder()),
                folder(Part::Disk, settings.data_dir.clone()),
            ],
            index_failing,
            background,
            flights: SingleFlight::default(),
        }))
    }

    /// The parts that are down, within a second. Concurrent callers share the checks.
    pub async fn outages(&self) -> Vec<Outage> {
        let checks = Arc::clone(&self.0);
        self.0.flights.join(&(), || async move { checks.run().await }.boxed()).await
    }
}

impl Checks {
    async fn run(&self) -> Vec<Outage> {
        let folders = join_all(self.folders.iter().map(|folder| folder.check(&self.background)));
        let (database, mut folders) = tokio::join!(self.check_database(), folders);
        if self.index_failing.load(Ordering::Relaxed) {
            folders.push(Some(Outage { part: Part::SearchIndex, why: "cannot be written" }));
        }
        let mut down: Vec<Outage> = std::iter::once(database).chain(folders).flatten().collect();
        down.sort_by_key(|outage| outage.part as u8);
        down.dedup_by_key(|outage| outage.part);
        down
    }

    async fn check_database(&self) -> Option<Outage> {
        let reads = timeout(LIMIT, self.database.check_reads());
        let writes = timeout(LIMIT, self.database.check_writes());
        let why = match tokio::join!(reads, writes) {
            (Ok(Ok(())), Ok(Ok(()))) => return None,
            (Ok(Ok(())), Err(_late)) if self.database.is_in_bulk_write() => return None,
            (Ok(Ok(())), _) => "takes no changes",
            _ => "does not answer",
        };
        Some(Outage { part: Part::Database, why })
    }
}

impl FolderCheck {
    async fn check(&self, background: &Handle) -> Option<Outage> {
        let checking = async {
            let running = Arc::clone(&self.running).lock_owned().await;
            let (path, least_free) = (self.path.clone(), self.least_free);
            let check = move || {
                let _running = running;
                probe(&path, least_free)
            };
            background.spawn_blocking(check).await.unwrap_or(Some("could not be checked"))
        };
        let why = timeout(LIMIT, checking).await.unwrap_or(Some("is on a disk that does not answer"))?;
        Some(Outage { part: self.part, why })
    }
}

/// Why a folder cannot be used; `None` when it can.
fn probe(folder: &std::path::Path, least_free: u64) -> Option<&'static str> {
    match write_probe(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            Some("is on a full disk")
        }
        Err(error) => {
            tracing::warn!(%error, folder = %folder.display(), "not ready");
            Some("cannot be written")
        }
        Ok(()) => match free_space(folder) {
            Ok(free) if free < least_free => Some("is on a disk with too little free space"),
            Ok(_) | Err(_) => None,
        },
    }
}
