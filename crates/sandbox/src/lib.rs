#![doc = include_str!("../README.md")]

mod confinement;
mod launcher;
#[cfg(target_os = "linux")]
mod linux;
mod mode;

use std::path::PathBuf;

pub use confinement::{Confinement, UserIsolation};
pub use launcher::{LAUNCH_FAILED, Launcher, launch};
pub use mode::{ParseModeError, SandboxMode};

/// What a confined process can still do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Compute: read and write the descriptors that it has, allocate memory, start threads. No path is
    /// readable.
    Compute,
    /// Run a program: also start processes, and read and execute system folders and the paths given here,
    /// files or folders with all that is below them. It can write to no file but `/dev/null`.
    Program(Vec<PathBuf>),
}

/// Confines the calling thread, and every thread and process that it starts afterwards, for good. Call it
/// while the process has one thread, since other threads stay as they are.
///
/// Layers that the system does not have are left out; the result says which ones hold.
#[must_use]
pub fn confine(profile: &Profile) -> Confinement {
    #[cfg(target_os = "linux")]
    return linux::confine(profile);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = profile;
        Confinement::default()
    }
}
