//! Whether the parts that requests need work: the database and the folders.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use blobs::{BlobLocation, LocationError, ObjectBlobs};
use files_core::BlobError;
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
    folders: Vec<FolderCheck>,
    /// The store of blobs, if that is a bucket.
    bucket: Option<ObjectBlobs>,
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
    /// The bucket of file contents.
    Bucket,
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
            Self::Blobs | Self::Bucket => "blobs",
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
            Part::Bucket => "the bucket of file contents",
            Part::SearchIndex => "the search index",
            Part::Disk => "the data folder",
        };
        format!("{subject} {}", self.why)
    }
}

impl Readiness {
    /// The checks of a server with these settings.
    ///
    /// # Errors
    /// When the settings name no location of blobs.
    pub(crate) fn new(
        settings: &Settings,
        database: &Database,
        blobs: ObjectBlobs,
        index_failing: Arc<AtomicBool>,
        background: Handle,
    ) -> Result<Self, LocationError> {
        let folder = |part, path| FolderCheck {
            part,
            path,
            // Otherwise a request of an allowed size could not be stored.
            least_free: settings.limits.json_body_bytes as u64,
            running: Arc::default(),
        };
        let mut folders = vec![
            folder(Part::SearchIndex, settings.index_folder()),
            folder(Part::Disk, settings.data_dir.clone()),
        ];
        if let BlobLocation::Folder(path) = settings.blob_location()? {
            folders.push(folder(Part::Blobs, path));
        }
        Ok(Self(Arc::new(Checks {
            database: database.clone(),
            folders,
            bucket: blobs.is_bucket().then_some(blobs),
            index_failing,
            background,
            flights: SingleFlight::default(),
        })))
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
        let (database, bucket, mut folders) =
            tokio::join!(self.check_database(), self.check_bucket(), folders);
        folders.push(bucket);
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
            _ if self.database.is_damaged() => "is damaged; restore a backup",
            (Ok(Ok(())), Ok(Ok(()))) => return None,
            (Ok(Ok(())), Err(_late)) if self.database.is_in_bulk_write() => return None,
            (Ok(Ok(())), _) => "takes no changes",
            _ => "does not answer",
        };
        Some(Outage { part: Part::Database, why })
    }
}

impl Checks {
    async fn check_bucket(&self) -> Option<Outage> {
        let why = match timeout(LIMIT, self.bucket.as_ref()?.check_reads()).await {
            Ok(Ok(())) => return None,
            Ok(Err(BlobError::Unavailable(_))) | Err(_) => "does not answer",
            Ok(Err(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "not ready");
                "cannot be used"
            }
        };
        Some(Outage { part: Part::Bucket, why })
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
