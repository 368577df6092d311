//! What new and replaced items consist of, and the references to their contents.

use files_core::BlobKey;
use kb_core::{Content, Contents, ItemError, ItemStatus, NewItem, Progress};
use shared_core::StoreError;

use super::chunks::ChunkRow;
use super::item_rows::StoredItem;
use super::locked_base::LockedBase;
use crate::blob_refs::{add_ref, add_ref_to_existing};
use crate::connection::AnyConnection;
use crate::failure::Failure;

/// A new item. Its chunks were converted to rows before the transaction.
#[derive(Clone, Debug)]
pub(super) struct PreparedItem {
    pub(super) new: NewItem,
    pub(super) rows: Vec<ChunkRow>,
}

impl From<NewItem> for PreparedItem {
    fn from(mut new: NewItem) -> Self {
        let rows = match &mut new.matter {
            Contents::Chunks { chunks, .. } => {
                std::mem::take(chunks).into_iter().map(ChunkRow::from).collect()
            }
            Contents::Document { .. } | Contents::Remote | Contents::Unusable(_) => Vec::new(),
        };
        Self { new, rows }
    }
}

/// What an item takes from its contents.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemContents {
    pub(super) content: Option<Content>,
    pub(super) language: Option<String>,
    pub(super) error: Option<ItemError>,
    /// Number of its ready-made chunks; `None` if it does not consist of chunks.
    pub(super) chunks: Option<u64>,
}

/// Adds a reference to a document's content: its own blob, or an existing one.
pub(super) fn add_content_ref(
    connection: &mut AnyConnection,
    workspace: &str,
    content: &Content,
    fresh: bool,
) -> Result<Content, Failure> {
    let Content { blob, sha256, bytes } = content;
    let referred = if fresh {
        Some(add_ref(connection, workspace, blob, (sha256, *bytes))?)
    } else {
        add_ref_to_existing(connection, workspace, (sha256, *bytes))?
    };
    let blob = BlobKey(referred.ok_or(StoreError::Missing("file"))?);
    Ok(Content { blob, sha256: sha256.clone(), bytes: *bytes })
}

pub(super) fn store_contents(
    connection: &mut AnyConnection,
    workspace: &str,
    given: &PreparedItem,
) -> Result<ItemContents, Failure> {
    Ok(match &given.new.matter {
        Contents::Document { content, fresh } => ItemContents {
            content: Some(add_content_ref(connection, workspace, content, *fresh)?),
            ..ItemContents::default()
        },
        Contents::Chunks { language, .. } => ItemContents {
            language: language.clone(),
            chunks: Some(given.rows.len() as u64),
            ..ItemContents::default()
        },
        Contents::Remote => ItemContents::default(),
        Contents::Unusable(error) => ItemContents { error: Some(error.clone()), ..ItemContents::default() },
    })
}

impl ItemContents {
    /// Whether the item is searchable immediately.
    pub(super) fn is_findable(&self) -> bool {
        self.error.is_none() && self.chunks.is_some()
    }

    /// Applies the contents to an item. `sequence` is that of the change if it is searchable immediately. The
    /// item is then ready if the base needs no vectors.
    pub(super) fn apply_to(self, row: &mut StoredItem, sequence: Option<i64>, held: &LockedBase) {
        let waits = held.embedding.is_some();
        let item = &mut row.item;
        row.stored = self.chunks.unwrap_or_default();
        item.content = self.content;
        item.language = self.language;
        item.status = match (&self.error, sequence) {
            (Some(_), _) => ItemStatus::Failed,
            (None, Some(_)) if !waits => ItemStatus::Ready,
            (None, _) => ItemStatus::Queued,
        };
        item.error = self.error;
        if let Some(sequence) = sequence {
            item.sequence = sequence;
            item.position = sequence;
            item.chunks = row.stored;
        }
        if item.status == ItemStatus::Queued {
            item.progress = Progress { done: 0, total: row.stored };
        }
    }
}
