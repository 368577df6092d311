//! The layers on Linux.

mod calls;
mod files;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod filter;
mod user;

use rustix::thread::set_no_new_privs;

use crate::{Confinement, Profile};

/// The order matters: each layer takes away what the earlier ones need.
pub(crate) fn confine(profile: &Profile) -> Confinement {
    let paths: &[_] = match profile {
        Profile::Compute => &[],
        Profile::Program(paths) => paths,
    };
    Confinement {
        no_new_privileges: set_no_new_privs(true).is_ok(),
        user: user::isolate(paths),
        landlock_abi: match profile {
            Profile::Compute => files::deny_all(),
            Profile::Program(paths) => files::allow_programs(paths),
        },
        seccomp: calls::restrict(profile),
    }
}

#[cfg(test)]
mod tests;
