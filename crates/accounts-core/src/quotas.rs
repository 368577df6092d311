//! Quotas: how much a workspace may store.

use shared_core::Violation;

/// The largest quota.
const MAX_LIMIT: u64 = 1_000_000_000_000_000;

/// What a quota counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuotaKind {
    /// Files.
    Files,
    /// Bytes of the contents of files, of documents in knowledge bases, and of thumbnails. Equal contents count
    /// once.
    Bytes,
    /// Chunks of the items of knowledge bases.
    Chunks,
    /// Groups of batch runs, also of those that have ended.
    Groups,
}

impl QuotaKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Files, Self::Bytes, Self::Chunks, Self::Groups];

    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Bytes => "bytes",
            Self::Chunks => "chunks",
            Self::Groups => "groups",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A quota of a workspace and its current use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// What it counts.
    pub kind: QuotaKind,
    /// The most that may be stored; `None` for no limit.
    pub limit: Option<u64>,
    /// What is stored.
    pub used: u64,
}

/// A new limit of a kind; `None` removes it.
pub type QuotaChange = (QuotaKind, Option<u64>);

/// Checks that each limit is within its range.
pub(crate) fn check(changes: &[QuotaChange]) -> Result<(), Violation> {
    match changes.iter().find(|(_, limit)| limit.is_some_and(|limit| limit > MAX_LIMIT)) {
        None => Ok(()),
        Some((kind, _)) => {
            let name = kind.name();
            Err(Violation::new(format!("/{name}"), format!("'{name}' must be at most {MAX_LIMIT}")))
        }
    }
}
