#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod memory;
mod note;
mod ports;
mod rules;
mod service;

pub use error::NotesError;
pub use memory::{MemoryNotes, MemoryResources};
pub use note::{Note, NoteDraft, NoteId, NoteUpdate, Resource, ResourceKind, Role};
pub use ports::{NoteRepository, ResourceLookup};
pub use rules::NoteLimits;
pub use service::{DeletedNotes, MAX_VALUES, NewNote, NoteChanges, NoteDeletion, NotesService};
pub use shared_core::{PAGE_BYTES, page_length};
