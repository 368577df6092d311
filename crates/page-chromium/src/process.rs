//! Runs one browser process.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use programs::{Bounds, KeptPart, Memory, Pipes, RunningProcess, read_error_output};
use shared_core::LiveCount;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::oneshot::Receiver;
use tokio::time::{Instant, sleep, sleep_until};
use utilities_core::web::BrowserError;

use crate::settings::ChromiumSettings;

/// Maximum bytes of a file that a browser writes.
const MAX_FILE: u64 = 64 << 20;
/// Interval of the checks whether other pages wait.
const LOOK: Duration = Duration::from_millis(100);
/// `PATH` of the browser. On some systems a shell script starts it and needs these tools.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Why a browser run failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessFailure {
    #[error("the browser exited with {0}: {1}")]
    Ended(ExitStatus, String),
    #[error("the browser returned an empty page: {0}")]
    EmptyOutput(String),
    #[error("the page could not be loaded: {0}")]
    ErrorPage(String),
    #[error("the screenshot is not a PNG file")]
    NoPicture,
    #[error("the request was cancelled")]
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

/// Output of a browser that exited successfully.
#[derive(Debug)]
pub(crate) struct ProcessOutput {
    pub(crate) output: Vec<u8>,
    /// Only standard error says that a page could not be loaded.
    pub(crate) stderr: String,
}

/// What stops a browser before it exits by itself.
pub(crate) struct StopConditions<'a> {
    /// Deadline.
    pub(crate) until: Instant,
    /// Signals that the caller dropped its request.
    pub(crate) cancelled: &'a mut Receiver<()>,
    /// From when on it yields its permit to others, and how many wait for one.
    pub(crate) share: Option<(Instant, &'a LiveCount)>,
}

/// Resolves when others wait for a permit after this page's share of the time. A page that shows a dialog, or
/// whose script never ends, does not exit by itself.
async fn wait_for_contention(share: Option<(Instant, &LiveCount)>) {
    let Some((from, waiting)) = share else { return std::future::pending().await };
    sleep_until(from).await;
    while waiting.get() == 0 {
        sleep(LOOK).await;
    }
}

/// Runs the browser in a folder of its own and returns its output. On return no process is left, only the
/// folder. `StopConditions` may stop it earlier.
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
    // Killed by now, unless it had exited.
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
            // Helper processes that outlive it would keep its output open.
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

/// The limits are set before it starts any other process.
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
