//! What a program may use.

use std::io;

use rustix::process::Pid;

/// Bounds of each process of a program.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Memory.
    pub memory: Memory,
    /// Seconds of a processor.
    pub processor_seconds: u64,
    /// Bytes of a file that it writes.
    pub file_bytes: u64,
    /// Files that are open at the same time, where that is bounded.
    pub open_files: Option<u64>,
}

/// How memory is counted, in bytes.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// All that a process reserves.
    Reserved(u64),
    /// What it can write to: for programs that reserve far more than they use.
    Data(u64),
}

/// Bounds a process from outside; those that it begins afterwards are bounded each like it.
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
            // Whoever started this server may have bounded it more than that, or the process has ended already.
            Ok(_) | Err(rustix::io::Errno::PERM | rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Other systems bound no process from outside.
#[cfg(not(target_os = "linux"))]
pub(crate) fn apply_bounds(_: Pid, _: &Bounds) -> io::Result<()> {
    Ok(())
}
