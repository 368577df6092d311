//! Measures and ends a process group.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// Interval of the checks of memory, and of whether all processes have exited.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(200);
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum checks whether they have exited. A zombie that is not yet reaped counts as running.
const MAX_EXIT_POLLS: usize = 50;

/// The process group of a program that runs or has just exited.
#[derive(Clone, Copy, Debug)]
pub struct ProcessGroup(pub(crate) Pid);

impl ProcessGroup {
    /// Resolves when the processes together use more private memory than this, checked five times a second.
    /// It never resolves where memory cannot be measured.
    pub async fn wait_until_exceeds(self, bytes: u64) {
        loop {
            sleep(MEMORY_POLL_INTERVAL).await;
            let used = spawn_blocking(move || measure_memory(self.0)).await;
            if used.is_ok_and(|used| used > bytes) {
                return;
            }
        }
    }

    /// Kills the processes, and helpers with a process group of their own whose command line names the
    /// program's folder. Waits until all have exited.
    pub async fn terminate(self, folder: &Path) {
        self.kill();
        let folder = folder.to_owned();
        let strays = spawn_blocking(move || kill_by_command_line(&folder)).await;
        if let Err(error) = strays {
            tracing::warn!(%error, "helper processes of a program could not be listed");
        }
        for _ in 0..MAX_EXIT_POLLS {
            if test_kill_process_group(self.0).is_err() {
                return;
            }
            sleep(EXIT_POLL_INTERVAL).await;
        }
    }

    pub(crate) fn kill(self) {
        // It may have exited already.
        kill_process_group(self.0, Signal::KILL).ok();
    }
}

/// Private memory of all processes of a group, in bytes.
fn measure_memory(group: Pid) -> u64 {
    let group = group.as_raw_nonzero().get().to_string();
    let page = rustix::param::page_size() as u64;
    let of = |process: &Path| -> Option<u64> {
        let state = std::fs::read_to_string(process.join("stat")).ok()?;
        // The name, in brackets, may hold anything. State, parent and group follow it.
        let member = state.rsplit_once(')')?.1.split_ascii_whitespace().nth(2)? == group;
        let sizes = std::fs::read_to_string(process.join("statm")).ok().filter(|_| member)?;
        let mut sizes = sizes.split_ascii_whitespace().skip(1).map_while(|size| size.parse::<u64>().ok());
        let (resident, shared) = (sizes.next()?, sizes.next()?);
        Some(resident.saturating_sub(shared).saturating_mul(page))
    };
    processes().iter().filter_map(|process| of(process)).sum()
}

/// Kills all processes whose command line names a folder. The folder is new and its name unique.
pub(crate) fn kill_by_command_line(folder: &Path) {
    let folder = folder.as_os_str().as_encoded_bytes();
    for process in processes() {
        let names = std::fs::read(process.join("cmdline"))
            .is_ok_and(|line| line.windows(folder.len().max(1)).any(|part| part == folder));
        let pid = process.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        if let Some(pid) = pid.filter(|_| names).and_then(Pid::from_raw) {
            // It may have exited already.
            kill_process(pid, Signal::KILL).ok();
        }
    }
}

/// The `/proc` folders of all processes; empty on systems without them.
fn processes() -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    all.filter(|entry| is_number(&entry.file_name())).map(|entry| entry.path()).collect()
}
