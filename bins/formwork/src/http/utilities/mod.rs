//! Utilities on documents: their text, tables and key-value pairs, and pictures of their pages; and on pages of the web.

mod docparser;
mod examples;
mod inputs;
mod keyvalues;
mod record;
mod shown;
mod stream;
mod tables;
mod thumbnail;
mod webparser;

use super::operation::Registry;

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    docparser::register(registry);
    tables::register(registry);
    keyvalues::register(registry);
    thumbnail::register(registry);
    shown::register(registry);
    webparser::register(registry);
}
