//! Knowledge bases: make them, fill them, look at what is in them, and search. Their paths have no version; each
//! is there under `/v1` as well.

mod add;
mod bases;
mod events;
mod examples;
mod items;
mod record;
pub(in crate::http) mod search;
mod sources;

use super::operation::Registry;

/// All bases.
const BASES: &str = "/knowledgebases";
/// Where bases are made.
const NEW: &str = "/knowledgebase";
/// A base.
const BASE: &str = "/knowledgebase/{knowledgeId}";
/// What is in bases.
const ITEMS: &str = "/knowledgebase/files";
/// A piece of it.
const ITEM: &str = "/knowledgebase/files/{id}";

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    // Before the paths that begin with an id, since no id is called `files`.
    items::register(registry);
    bases::register(registry);
    add::register(registry);
    sources::register(registry);
    search::register(registry);
    events::register(registry);
}
