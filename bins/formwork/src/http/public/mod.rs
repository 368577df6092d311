//! Public forms: what visitors of web pages may do with a public key, and the page and script for it.

mod access;
mod conversations;
mod examples;
mod page;

use super::operation::Registry;
pub(crate) use access::is_public;
pub(super) use access::{check_access, check_origin, let_pages_read, permit_requests};

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    conversations::register(registry);
    page::register(registry);
}
