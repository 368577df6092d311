//! What a group of processes uses and leaves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// Between two looks at the memory, and at whether all processes are gone.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(200);
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Looks at whether they are gone; a process that is only not yet reaped counts as one that is there.
const MAX_EXIT_POLLS: usize = 50;

/// The processes of a program that runs or has just ended.
#[derive(Clone, Copy, Debug)]
pub struct ProcessGroup(pub(crate) Pid);

impl ProcessGroup {
    /// Ends when the processes together hold more memory of their own than this, looked at five times a second. Never,
    /// where that cannot be told.
    pub async fn wait_until_exceeds(self, bytes: u64) {
        loop {
            sleep(MEMORY_POLL_INTERVAL).await;
            let used = spawn_blocking(move || measure_memory(self.0)).await;
            if used.is_ok_and(|used| used > bytes) {
                return;
            }
        }
    }

    /// Kills the processes, and helpers that made a group of their own but name the program's folder; waits until they
    /// are gone.
    pub async fn terminate(self, folder: &Path) {
        self.kill();
        let folder = folder.to_owned();
        let strays = spawn_blocking(move || kill_by_command_line(&folder)).await;
        if let Err(error) = strays {
            tracing::warn!(%error, "helpers of a program could not be looked for");
        }
        for _ in 0..MAX_EXIT_POLLS {
            if test_kill_process_group(self.0).is_err() {
                return;
            }
            sleep(EXIT_POLL_INTERVAL).await;
        }
    }

    pub(crate) fn kill(self) {
        // It may have ended already.
        kill_process_group(self.0, Signal::KILL).ok();
    }
}

/// Bytes of memory that no other process shares, of all processes of a group.
fn measure_memory(group: Pid) -> u64 {
    let group = group.as_raw_nonzero().get().to_string();
    let page = rustix::param::page_size() as u64;
    let of = |process: &Path| -> Option<u64> {
        let state = std::fs::read_to_string(process.join("stat")).ok()?;
        // Its name, in brackets, may hold anything; state, parent and group come after it.
        let member = state.rsplit_once(')')?.1.split_ascii_whitespace().nth(2)? == group;
        let sizes = std::fs::read_to_string(process.join("statm")).ok().filter(|_| member)?;
        let mut sizes = sizes.split_ascii_whitespace().skip(1).map_while(|size| size.parse::<u64>().ok());
        let (resident, shared) = (sizes.next()?, sizes.next()?);
        Some(resident.saturating_sub(shared).saturating_mul(page))
    };
    processes().iter().filter_map(|process| of(process)).sum()
}

/// Kills all processes whose command line names a folder, which is new and whose name is nobody else's.
pub(crate) fn kill_by_command_line(folder: &Path) {
    let folder = folder.as_os_str().as_encoded_bytes();
    for process in processes() {
        let names = std::fs::read(process.join("cmdline"))
            .is_ok_and(|line| line.windows(folder.len().max(1)).any(|part| part == folder));
        let pid = process.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        if let Some(pid) = pid.filter(|_| names).and_then(Pid::from_raw) {
            // It may have ended already.
            kill_process(pid, Signal::KILL).ok();
        }
    }
}

/// The folders of all processes, where the system has such.
fn processes() -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    all.filter(|entry| is_number(&entry.file_name())).map(|entry| entry.path()).collect()
}
