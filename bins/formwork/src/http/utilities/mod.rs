//! Utilities on documents: their text, tables and key-value pairs, and pictures of their pages; on pages of the web; and
//! search of the web and of the news.

mod docparser;
mod examples;
mod inputs;
mod keyvalues;
mod news;
mod record;
mod search;
mod stream;
mod tables;
mod thumbnail;
mod thumbnail_content;
mod webparser;
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
    thumbnail_content::register(registry);
    webparser::register(registry);
}
