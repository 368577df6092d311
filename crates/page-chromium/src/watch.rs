//! What a browser uses and leaves: a group of processes, and helpers that made a group of their own.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

/// Between two looks at the memory, and at whether all processes are gone.
const LOOK: Duration = Duration::from_millis(200);
const GONE: Duration = Duration::from_millis(20);
/// Looks at whether they are gone; a process that is only not yet reaped counts as one that is there.
const LOOKS: usize = 50;

/// Ends when the processes of a group hold more memory of their own than this. Never, where that cannot be told.
pub(crate) async fn exceeds(group: Pid, bytes: u64) {
    loop {
        tokio::time::sleep(LOOK).await;
        let used = tokio::task::spawn_blocking(move || used(group)).await;
        if used.is_ok_and(|used| used > bytes) {
            return;
        }
    }
}

/// Ends a group and all that names its folder, and waits until it is gone.
pub(crate) async fn end(group: Pid, folder: &Path) {
    // It may have ended already.
    kill_process_group(group, Signal::KILL).ok();
    let folder = folder.to_owned();
    let strays = tokio::task::spawn_blocking(move || end_those_that_name(&folder)).await;
    if let Err(error) = strays {
        tracing::warn!(%error, "helpers of a browser could not be looked for");
    }
    for _ in 0..LOOKS {
        if test_kill_process_group(group).is_err() {
            return;
        }
        tokio::time::sleep(GONE).await;
    }
}

/// Bytes of memory that no other process shares, of all processes of a group.
fn used(group: Pid) -> u64 {
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

/// The folder is new and its name is nobody else's.
fn end_those_that_name(folder: &Path) {
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
fn processes() -> Vec<std::path::PathBuf> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_number = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    all.filter(|entry| is_number(&entry.file_name())).map(|entry| entry.path()).collect()
}
