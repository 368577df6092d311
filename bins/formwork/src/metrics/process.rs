//! What the system knows of this process: memory, processor time, open files.

use std::fs;

use rustix::time::{ClockId, clock_gettime};

/// Figures of this process; `None` where the system does not tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessFigures {
    /// Bytes of memory in use (resident set).
    pub(super) memory: Option<u64>,
    /// Seconds of processor time since the start, of all threads.
    pub(super) cpu_seconds: f64,
    /// Open files and sockets.
    pub(super) open_files: Option<u64>,
}

impl ProcessFigures {
    /// Reads them now.
    pub(super) fn read() -> Self {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Self {
            memory: resident_bytes(),
            cpu_seconds: time.tv_sec as f64 + time.tv_nsec as f64 / 1e9,
            open_files: fs::read_dir("/proc/self/fd").ok().map(|found| found.count() as u64),
        }
    }
}

/// The second number of `statm` is that of resident pages (proc_pid_statm(5)).
fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_time_and_files() {
        let figures = ProcessFigures::read();
        assert!(figures.memory > Some(1 << 20), "{figures:?}");
        assert!(figures.cpu_seconds > 0.0 && figures.open_files > Some(2), "{figures:?}");
    }
}
