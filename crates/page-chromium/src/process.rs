//! One browser, from its start to its end.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use programs::{Bounds, KeptPart, Memory, Pipes, RunningProcess, read_error_output};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::oneshot::Receiver;
use tokio::time::{Instant, sleep, sleep_until};
use utilities_core::web::BrowserError;

use crate::ChromiumSettings;

/// Bytes of a file that a browser may write.
const MAX_FILE: u64 = 64 << 20;
/// Between two looks at whether others wait.
const LOOK: Duration = Duration::from_millis(100);
/// Where the script that starts it on some systems finds its tools.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What is wrong with a browser.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessFailure {
    #[error("it ended with {0}: {1}")]
    Ended(ExitStatus, String),
    #[error("it showed nothing: {0}")]
    EmptyOutput(String),
    #[error("what it left is no picture")]
    NoPicture,
    #[error("nobody waits for the page")]
    Cancelled,
}

impl From<ProcessFailure> for BrowserError {
    fn from(wrong: ProcessFailure) -> Self {
        Self::Failed(wrong.into())
    }
}

pub(crate) fn failed(error: io::Error) -> BrowserError {
    BrowserError::Failed(error.into())
}

/// What a browser said that ended well.
#[derive(Debug)]
pub(crate) struct ProcessOutput {
    pub(crate) output: Vec<u8>,
    /// A page that could not be loaded is told here alone.
    pub(crate) stderr: String,
}

/// What ends a browser before its own end.
pub(crate) struct StopConditions<'a> {
    /// Its time is over then.
    pub(crate) until: Instant,
    /// Tells that nobody waits for the page any more.
    pub(crate) cancelled: &'a mut Receiver<()>,
    /// From when on it gives its place to others, and how many wait for one.
    pub(crate) share: Option<(Instant, &'a AtomicUsize)>,
}

/// Ends when others wait for a place after its share of the time. A page that shows a dialog, or whose script never ends,
/// does not come to its end by itself.
async fn wait_for_contention(share: Option<(Instant, &AtomicUsize)>) {
    let Some((from, waiting)) = share else { return std::future::pending().await };
    sleep_until(from).await;
    while waiting.load(Ordering::Relaxed) == 0 {
        sleep(LOOK).await;
    }
}

/// Runs the program to its end with a folder of its own, and gives what it said; nothing of it is left then but its
/// folder. It is ended before by what `StopConditions` says.
pub(crate) async fn run(
    settings: &ChromiumSettings,
    arguments: &[String],
    folder: &Path,
    StopConditions { until, cancelled: gone, share }: StopConditions<'_>,
) -> Result<ProcessOutput, BrowserError> {
    let started = RunningProcess::start(&mut command(settings, arguments, folder), &bounds(settings), false);
    let (mut running, pipes) = started.map_err(failed)?;
    let group = running.group();
    let outcome = tokio::select! {
        outcome = communicate(settings, &mut running, pipes, folder) => outcome,
        () = group.wait_until_exceeds(settings.memory_bytes) => Err(BrowserError::Memory(settings.memory_bytes)),
        () = sleep_until(until) => Err(BrowserError::Timeout(settings.page_time.as_secs())),
        () = wait_for_contention(share) => Err(BrowserError::Timeout(settings.share().as_secs())),
        _ = gone => Err(ProcessFailure::Cancelled.into()),
    };
    group.terminate(folder).await;
    // It has been killed, if it had not ended.
    running.wait().await.map_err(failed)?;
    outcome
}

async fn communicate(
    settings: &ChromiumSettings,
    running: &mut RunningProcess,
    Pipes { stdout, stderr, .. }: Pipes,
    folder: &Path,
) -> Result<ProcessOutput, BrowserError> {
    let group = running.group();
    let complaint = async { Ok(read_error_output(stderr, KeptPart::End).await) };
    let read = async { tokio::try_join!(read_limited(stdout, settings.page_bytes), complaint) };
    tokio::pin!(read);
    let ((output, complaint), status) = tokio::select! {
        read = &mut read => (read?, running.wait().await),
        status = running.wait() => {
            // Helpers that outlive it would keep its output open.
            group.terminate(folder).await;
            (read.await?, status)
        }
    };
    let status = status.map_err(failed)?;
    if !status.success() {
        return Err(ProcessFailure::Ended(status, complaint).into());
    }
    Ok(ProcessOutput { output, stderr: complaint })
}

fn command(settings: &ChromiumSettings, arguments: &[String], folder: &Path) -> Command {
    let mut command = Command::new(&settings.program);
    command
        .args(arguments)
        .env_clear()
        .env("PATH", PATH)
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder);
    command
}

/// It is bounded before it has begun any other process.
fn bounds(settings: &ChromiumSettings) -> Bounds {
    Bounds {
        memory: Memory::Data(settings.memory_bytes),
        processor_seconds: settings.page_time.as_secs().saturating_add(1),
        file_bytes: MAX_FILE,
        open_files: None,
    }
}

async fn read_limited(output: impl AsyncRead + Unpin, limit: u64) -> Result<Vec<u8>, BrowserError> {
    let mut bytes = Vec::new();
    output.take(limit.saturating_add(1)).read_to_end(&mut bytes).await.map_err(failed)?;
    if bytes.len() as u64 > limit { Err(BrowserError::TooLarge(limit)) } else { Ok(bytes) }
}
