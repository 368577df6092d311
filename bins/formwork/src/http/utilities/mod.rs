//! Utilities on documents: their text, tables and key-value pairs, and pictures of their pages.

mod docparser;
mod examples;
mod inputs;
mod record;
mod stream;
mod tables;

use super::operation::Registry;

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    docparser::register(registry);
    tables::register(registry);
}
