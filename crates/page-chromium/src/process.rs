//! One browser, from its start to its end.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use rustix::process::Pid;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::sync::oneshot::Receiver;
use tokio::time::{Instant, sleep_until};
use utilities_core::web::BrowserError;

use crate::{ChromiumSettings, watch};

/// Bytes of complaints that are kept for the log.
const MAX_COMPLAINT: usize = 2_000;
/// Bytes of a file that a browser may write.
const MAX_FILE: u64 = 64 << 20;
/// Where the script that starts it on some systems finds its tools.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What is wrong with a browser.
#[derive(Debug, thiserror::Error)]
enum Wrong {
    #[error("it ended with {0}: {1}")]
    Ended(ExitStatus, String),
    #[error("it showed nothing: {0}")]
    Nothing(String),
    #[error("it has no {0}")]
    Without(&'static str),
    #[error("nobody waits for the page")]
    Unwanted,
}

impl From<Wrong> for BrowserError {
    fn from(wrong: Wrong) -> Self {
        Self::Failed(wrong.into())
    }
}

fn failed(error: io::Error) -> BrowserError {
    BrowserError::Failed(error.into())
}

/// Runs the program to its end with a folder of its own, and gives what it wrote; nothing of it is left then. It is
/// ended before when it is `until`, or when `gone` tells that nobody waits for it any more.
pub(crate) async fn run(
    settings: &ChromiumSettings,
    arguments: &[String],
    folder: &Path,
    (until, gone): (Instant, &mut Receiver<()>),
) -> Result<Vec<u8>, BrowserError> {
    let mut child = spawn(settings, arguments, folder).map_err(failed)?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let group = group.ok_or(Wrong::Without("number"))?;
    let talk = async {
        confine(group, settings).map_err(failed)?;
        talk(settings, &mut child, (group, folder)).await
    };
    let outcome = tokio::select! {
        outcome = talk => outcome,
        () = watch::exceeds(group, settings.memory_bytes) => Err(BrowserError::Memory(settings.memory_bytes)),
        () = sleep_until(until) => Err(BrowserError::Timeout(settings.page_time.as_secs())),
        _ = gone => Err(Wrong::Unwanted.into()),
    };
    watch::end(group, folder).await;
    // It has been killed, if it had not ended.
    child.wait().await.map_err(failed)?;
    outcome
}

async fn talk(
    settings: &ChromiumSettings,
    child: &mut Child,
    (group, folder): (Pid, &Path),
) -> Result<Vec<u8>, BrowserError> {
    let stdout = child.stdout.take().ok_or(Wrong::Without("output"))?;
    let stderr = child.stderr.take().ok_or(Wrong::Without("output"))?;
    let read =
        async { tokio::try_join!(shown(stdout, settings.page_bytes), async { Ok(complaint(stderr).await) }) };
    tokio::pin!(read);
    let ((shown, complaint), status) = tokio::select! {
        read = &mut read => (read?, child.wait().await),
        status = child.wait() => {
            // Helpers that outlive it would keep its output open.
            watch::end(group, folder).await;
            (read.await?, status)
        }
    };
    let status = status.map_err(failed)?;
    if !status.success() {
        return Err(Wrong::Ended(status, complaint).into());
    }
    // A page that could not be loaded is told among the complaints alone.
    if shown.trim_ascii().is_empty() {
        return Err(Wrong::Nothing(complaint).into());
    }
    Ok(shown)
}

fn spawn(settings: &ChromiumSettings, arguments: &[String], folder: &Path) -> io::Result<Child> {
    Command::new(&settings.program)
        .args(arguments)
        .env_clear()
        .env("PATH", PATH)
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// Bounds the first process before it has begun any other; those it begins are bounded each like it. Address space is
/// not bounded, for a browser reserves far more than it uses.
#[cfg(target_os = "linux")]
fn confine(pid: Pid, settings: &ChromiumSettings) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, prlimit};

    let limits = [
        (Resource::Data, settings.memory_bytes),
        (Resource::Cpu, settings.page_time.as_secs().saturating_add(1)),
        (Resource::Core, 0),
        (Resource::Fsize, MAX_FILE),
    ];
    for (resource, limit) in limits {
        match prlimit(Some(pid), resource, Rlimit { current: Some(limit), maximum: Some(limit) }) {
            // Whoever started this server may have bounded it more than that, or the process has ended already.
            Ok(_) | Err(rustix::io::Errno::PERM | rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn confine(_: Pid, _: &ChromiumSettings) -> io::Result<()> {
    Ok(())
}

async fn shown(output: impl AsyncRead + Unpin, limit: u64) -> Result<Vec<u8>, BrowserError> {
    let mut bytes = Vec::new();
    output.take(limit.saturating_add(1)).read_to_end(&mut bytes).await.map_err(failed)?;
    if bytes.len() as u64 > limit { Err(BrowserError::TooLarge(limit)) } else { Ok(bytes) }
}

/// The end of what it complains of: the beginning tells of the machine.
async fn complaint(mut output: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    let mut part = [0; 4_096];
    while let Ok(count @ 1..) = output.read(&mut part).await {
        kept.extend_from_slice(part.get(..count).unwrap_or_default());
        kept.drain(..kept.len().saturating_sub(MAX_COMPLAINT));
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}
