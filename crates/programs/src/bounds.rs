//! Resource limits of a program.

use std::io;

use rustix::process::Pid;

/// Limits of each process of a program.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Memory limit.
    pub memory: Memory,
    /// CPU time, in seconds.
    pub processor_seconds: u64,
    /// Maximum bytes of a file that it writes.
    pub file_bytes: u64,
    /// Maximum open files; `None` sets no limit.
    pub open_files: Option<u64>,
}

/// How memory is counted, in bytes.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// Address space: everything that a process reserves.
    Reserved(u64),
    /// Writable data: for programs that reserve far more than they use.
    Data(u64),
}

/// Sets the limits of a running process. Processes that it starts afterwards inherit them.
#[cfg(target_os = "linux")]
pub(crate) fn apply_bounds(pid: Pid, bounds: &Bounds) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, prlimit};

    let memory = match bounds.memory {
        Memory::Reserved(bytes) => (Resource::As, bytes),
        Memory::Data(bytes) => (Resource::Data, bytes),
    };
    let always = [
        memory,
        (Resource::Cpu, bounds.processor_seconds),
        (Resource::Core, 0),
        (Resource::Fsize, bounds.file_bytes),
    ];
    let files = bounds.open_files.map(|files| (Resource::Nofile, files));
    for (resource, limit) in always.into_iter().chain(files) {
        match prlimit(Some(pid), resource, Rlimit { current: Some(limit), maximum: Some(limit) }) {
            // The server itself may have stricter limits, or the process has exited already.
            Ok(_) | Err(rustix::io::Errno::PERM | rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Other systems cannot limit a process from outside.
#[cfg(not(target_os = "linux"))]
pub(crate) fn apply_bounds(_: Pid, _: &Bounds) -> io::Result<()> {
    Ok(())
}
