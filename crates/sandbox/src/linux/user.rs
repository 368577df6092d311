//! A user of its own, or a user namespace, and no capabilities.

use std::fs::File;
use std::path::PathBuf;

use rustix::process::{Gid, Uid, getegid, geteuid, getgroups};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use crate::UserIsolation;

/// The user and group `nobody`, which Linux shows for unknown ones: no file should belong to them.
const NOBODY: u32 = 65_534;

/// Leaves the server's user, where that is possible and what is `needed` and readable now stays so.
pub(super) fn isolate(needed: &[PathBuf]) -> UserIsolation {
    let isolation = if geteuid().is_root() && become_nobody(needed) {
        UserIsolation::OwnUser
    } else if enter_user_namespace() {
        UserIsolation::Namespace
    } else {
        UserIsolation::None
    };
    let none = CapabilitySet::empty();
    // A process without capabilities may always set fewer. A failure leaves what seccomp and Landlock refuse.
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none }).ok();
    isolation
}

#[expect(deprecated, reason = "the successor is unsafe because of another flag, for descriptors")]
fn enter_user_namespace() -> bool {
    rustix::thread::unshare(UnshareFlags::NEWUSER).is_ok()
}

/// Whether the thread is the user `nobody` now. Otherwise nothing has changed.
fn become_nobody(needed: &[PathBuf]) -> bool {
    let is_readable = |path: &&PathBuf| File::open(path).is_ok();
    let needed: Vec<&PathBuf> = needed.iter().filter(is_readable).collect();
    let (Ok(groups), group, user) = (getgroups(), getegid(), geteuid()) else { return false };
    let (nobody, no_group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    if set_thread_groups(&[]).is_err() {
        // As in the user namespace of a container without privileges, where root may not change its groups.
        return false;
    }
    let tried =
        set_thread_res_gid(None, no_group, None).and_then(|()| set_thread_res_uid(None, nobody, None));
    if tried.is_ok() && needed.iter().all(is_readable) {
        // The group first: the user may not change it. Both may become what is effective already.
        let left = set_thread_res_gid(no_group, no_group, no_group)
            .and_then(|()| set_thread_res_uid(nobody, nobody, nobody));
        if left.is_ok() {
            return true;
        }
    }
    let restored = set_thread_res_uid(None, user, None)
        .and_then(|()| set_thread_res_gid(None, group, None))
        .and_then(|()| set_thread_groups(&groups));
    debug_assert!(restored.is_ok(), "{restored:?}");
    false
}
