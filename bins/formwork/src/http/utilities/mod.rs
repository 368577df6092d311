//! Utilities: text, tables and key-value pairs of documents, pictures of their pages; search of the web and the news.

mod docparser;
mod examples;
mod inputs;
mod keyvalues;
mod news;
mod record;
mod search;
mod shown;
mod stream;
mod tables;
mod thumbnail;
mod websearch;

use super::operation::Registry;

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    docparser::register(registry);
    tables::register(registry);
    keyvalues::register(registry);
    thumbnail::register(registry);
    websearch::register(registry);
    news::register(registry);
    shown::register(registry);
}
