//! `/openai/v1/vector_stores`: knowledge bases in the form of OpenAI's interface.

mod files;
mod search;
mod stores;

use super::super::operation::Registry;

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    stores::register(registry);
    files::register(registry);
    search::register(registry);
}
