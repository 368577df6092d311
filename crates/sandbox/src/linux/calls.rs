//! seccomp: which system calls the kernel serves. All others fail with `ENOSYS`, as on a kernel without them,
//! for which libraries have a fallback: the C library answers a refused `clone3` with `clone`, whose flags the
//! filter can see.

use crate::Profile;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::filter;

/// Whether the filter is in force.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) fn restrict(profile: &Profile) -> bool {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let rules = match profile {
        Profile::Compute => filter::compute_rules(own),
        Profile::Program(_) => filter::program_rules(own),
    };
    rules.map_err(seccompiler::Error::from).and_then(filter::install).is_ok()
}

/// The filter is written for two architectures.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn restrict(_: &Profile) -> bool {
    false
}
