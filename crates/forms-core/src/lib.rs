//! Form schemas and the extraction engine.

mod extraction;
mod form;
mod repository;

pub use extraction::{Conflict, ConflictValue, Evidence, Extraction, GroupDocument, Support};
pub use form::{Form, FormSummary, FormVersion};
pub use repository::FormRepository;
