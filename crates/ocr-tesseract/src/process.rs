//! One process, from its picture to its answer.

use std::io;
use std::process::{ExitStatus, Stdio};

use documents_core::OcrError;
use futures_util::future::join3;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use crate::TesseractSettings;

/// Bytes of an answer at the most: some eighty for each word.
const MAX_ANSWER: u64 = 8 << 20;
/// Bytes of complaints that are kept for the log.
const MAX_COMPLAINT: usize = 2_000;

/// What a process said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) output: String,
    pub(crate) complaint: String,
}

/// What is wrong with a process.
#[derive(Debug, thiserror::Error)]
enum Wrong {
    #[error("it ended with {0}: {1}")]
    Ended(ExitStatus, String),
    #[error("its answer is longer than {MAX_ANSWER} bytes")]
    TooMuch,
}

/// Runs the program to its end with `input` on its standard input. Dropping the future kills it.
pub(crate) async fn run(
    settings: &TesseractSettings,
    arguments: &[String],
    input: &[u8],
) -> Result<Said, OcrError> {
    let talk = talk(settings, arguments, input);
    match tokio::time::timeout(settings.page_time, talk).await {
        Ok(result) => result,
        Err(_) => Err(OcrError::Timeout(settings.page_time.as_secs())),
    }
}

async fn talk(settings: &TesseractSettings, arguments: &[String], input: &[u8]) -> Result<Said, OcrError> {
    let mut child = spawn(settings, arguments).map_err(|error| OcrError::Unavailable(error.into()))?;
    confine(&child, settings).map_err(|error| OcrError::Unavailable(error.into()))?;
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(OcrError::Unavailable("the process has no pipes".into()));
    };
    let write = async move {
        // A process that does not want all of it ends in some way, which tells more than the broken pipe.
        if let Err(error) = stdin.write_all(input).await {
            tracing::debug!(%error, "a process for OCR closed its input");
        }
    };
    let ((), output, complaint) = join3(write, answer(stdout), complaint(stderr)).await;
    let output = match output {
        Ok(output) => output,
        Err(error) => return Err(OcrError::Failed(error.into())),
    };
    if output.len() as u64 > MAX_ANSWER {
        return Err(OcrError::Failed(Wrong::TooMuch.into()));
    }
    let status = child.wait().await.map_err(|error| OcrError::Failed(error.into()))?;
    if !status.success() {
        return Err(OcrError::Failed(Wrong::Ended(status, complaint).into()));
    }
    Ok(Said { output: String::from_utf8_lossy(&output).into_owned(), complaint })
}

fn spawn(settings: &TesseractSettings, arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(&settings.program);
    command
        .args(arguments)
        .env_clear()
        // More threads take more time of the processors for the same page.
        .env("OMP_THREAD_LIMIT", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(folder) = &settings.data {
        command.env("TESSDATA_PREFIX", folder);
    }
    command.spawn()
}

/// Bounds a process from outside. It waits for its picture, so it has read nothing yet.
#[cfg(target_os = "linux")]
fn confine(child: &Child, settings: &TesseractSettings) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else {
        return Ok(());
    };
    let seconds = settings.page_time.as_secs().saturating_add(1);
    let limits = [
        (Resource::As, settings.memory_bytes),
        (Resource::Cpu, seconds),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 32),
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
fn confine(_: &Child, _: &TesseractSettings) -> io::Result<()> {
    Ok(())
}

/// The answer, and a byte more where it is too long.
async fn answer(output: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    output.take(MAX_ANSWER + 1).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// The beginning of what the process complains of; the rest is read so that it is not held up.
async fn complaint(mut output: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    let mut part = [0; 4_096];
    while let Ok(count @ 1..) = output.read(&mut part).await {
        let room = MAX_COMPLAINT.saturating_sub(kept.len()).min(count);
        kept.extend_from_slice(part.get(..room).unwrap_or_default());
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}
