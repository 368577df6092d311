//! Utilities: text, tables, key-value pairs, thumbnails, forms and parts of documents; web pages; web and news search.

mod classifier;
mod docparser;
mod examples;
pub(super) mod inputs;
mod intake;
mod intake_call;
mod keyvalues;
mod news;
mod record;
mod samples;
mod search;
mod splitter;
mod stream;
mod tables;
mod thumbnail;
mod thumbnail_content;
mod webparser;
mod websearch;

use super::operation::Registry;

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    docparser::register(registry);
    tables::register(registry);
    keyvalues::register(registry);
    classifier::register(registry);
    splitter::register(registry);
    samples::register(registry);
    thumbnail::register(registry);
    websearch::register(registry);
    news::register(registry);
    thumbnail_content::register(registry);
    webparser::register(registry);
}
