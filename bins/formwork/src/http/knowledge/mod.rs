//! Knowledge bases: create, fill, inspect and search them. Their paths have no version; each also exists
//! under `/v1`.

mod add;
mod bases;
pub(in crate::http) mod entries;
mod evaluation;
mod events;
mod examples;
mod found;
pub(in crate::http) mod index_position;
mod items;
mod record;
pub(in crate::http) mod rerank;
pub(in crate::http) mod restrictions;
mod search;
mod sources;

use super::operation::Registry;

/// All bases.
const BASES: &str = "/knowledgebases";
/// Path to create knowledge bases.
const NEW: &str = "/knowledgebase";
const BASE: &str = "/knowledgebase/{knowledgeId}";
/// The items of knowledge bases.
const ITEMS: &str = "/knowledgebase/files";
const ITEM: &str = "/knowledgebase/files/{id}";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    // Before the paths that begin with an id: no id is `files`.
    items::register(registry);
    bases::register(registry);
    add::register(registry);
    sources::register(registry);
    search::register(registry);
    evaluation::register(registry);
    events::register(registry);
}
