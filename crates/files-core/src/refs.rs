//! Reference counts of blobs in memory, shared by the memory stores that refer to contents.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use shared_core::WorkspaceId;

use crate::BlobKey;

/// Counts the references to each blob. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct MemoryRefs(Arc<Mutex<HashMap<BlobKey, CountedBlob>>>);

#[derive(Debug)]
struct CountedBlob {
    workspace: WorkspaceId,
    sha256: String,
    bytes: u64,
    count: u64,
}

impl MemoryRefs {
    fn blobs(&self) -> MutexGuard<'_, HashMap<BlobKey, CountedBlob>> {
        self.0.lock()
    }

    /// Adds a reference to a content: to the blob of the same content if the workspace has one, else to
    /// `own`. Returns the blob.
    #[must_use]
    pub fn add_ref(&self, workspace: &WorkspaceId, sha256: &str, bytes: u64, own: BlobKey) -> BlobKey {
        if let Some(shared) = self.add_ref_to_existing(workspace, sha256, bytes) {
            return shared;
        }
        let referred =
            CountedBlob { workspace: workspace.clone(), sha256: sha256.to_owned(), bytes, count: 1 };
        self.blobs().insert(own.clone(), referred);
        own
    }

    /// Adds a reference to a content that the workspace has; `None` when it has no such content.
    #[must_use]
    pub fn add_ref_to_existing(&self, workspace: &WorkspaceId, sha256: &str, bytes: u64) -> Option<BlobKey> {
        let mut blobs = self.blobs();
        let same = |referred: &CountedBlob| {
            referred.workspace == *workspace && referred.sha256 == sha256 && referred.bytes == bytes
        };
        let (key, referred) = blobs.iter_mut().find(|(_, referred)| same(referred))?;
        referred.count += 1;
        Some(key.clone())
    }

    /// Removes a reference; `true` when it was the last.
    #[must_use]
    pub fn release(&self, blob: &BlobKey) -> bool {
        let mut blobs = self.blobs();
        let Some(referred) = blobs.get_mut(blob) else { return false };
        referred.count -= 1;
        let last = referred.count == 0;
        if last {
            blobs.remove(blob);
        }
        last
    }

    /// Whether the blob has references.
    #[must_use]
    pub fn has(&self, blob: &BlobKey) -> bool {
        self.blobs().contains_key(blob)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_of_a_workspace_has_one_blob_until_its_last_reference_goes() {
        let refs = MemoryRefs::default();
        let (own, other) = (WorkspaceId("w".into()), WorkspaceId("x".into()));
        let blob = |name: &str| BlobKey(name.to_owned());
        assert_eq!(refs.add_ref(&own, "hash", 1, blob("a")), blob("a"));
        assert_eq!(refs.add_ref(&own, "hash", 1, blob("b")), blob("a"));
        assert_eq!(refs.add_ref(&other, "hash", 1, blob("c")), blob("c"), "of its own workspace");
        assert_eq!(refs.add_ref(&own, "hash", 2, blob("d")), blob("d"), "of another size");
        assert_eq!(refs.add_ref_to_existing(&own, "other", 1), None);
        assert_eq!(refs.add_ref_to_existing(&other, "hash", 1), Some(blob("c")));
        assert_eq!([refs.release(&blob("a")), refs.has(&blob("a"))], [false, true]);
        assert_eq!([refs.release(&blob("a")), refs.has(&blob("a"))], [true, false]);
        assert!(!refs.release(&blob("a")), "it has none any more");
    }
}
