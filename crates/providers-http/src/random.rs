//! Numbers for ids that a vendor leaves out.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A number that no other call of this process is likely to get. Not for secrets.
pub(crate) fn number() -> u64 {
    // The standard library gives every such state keys of its own.
    RandomState::new().build_hasher().finish()
}
