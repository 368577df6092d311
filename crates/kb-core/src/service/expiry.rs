//! Removes what has expired. Nothing finds it from its moment on; this makes room.

use shared_core::StoreError;

use super::KnowledgeService;

/// Items that one transaction deletes.
const AT_ONCE: u32 = 100;

impl KnowledgeService {
    /// Removes some of the expired items of all workspaces, with their chunks, index entries and contents.
    /// Returns how many; 0 when none is left.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep_expired(&self) -> Result<u64, StoreError> {
        let removed = self.ports.items.remove_expired(self.ports.clock.now(), AT_ONCE).await?;
        if !removed.items.is_empty() {
            self.applied.written();
        }
        self.ports.files.remove_unreferenced(&removed.orphans).await;
        Ok(removed.items.len() as u64)
    }
}
