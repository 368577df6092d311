//! Runs one OCR process.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use document::OcrError;
use futures_util::future::join3;
use programs::{Bounds, KeptPart, Memory, Pipes, RunningProcess, read_error_output};
use sandbox::LAUNCH_FAILED;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::settings::TesseractSettings;

/// Maximum bytes of an answer: some eighty for each word.
const MAX_ANSWER: u64 = 8 << 20;

/// What a finished process printed.
#[derive(Debug)]
pub(crate) struct ProcessOutput {
    pub(crate) output: String,
    pub(crate) stderr: String,
}

/// Why a process failed.
#[derive(Debug, thiserror::Error)]
enum ProcessFailure {
    #[error("it did not start: {0}")]
    NotStarted(String),
    #[error("the process exited with {0}: {1}")]
    Ended(ExitStatus, String),
    #[error("its answer is longer than {MAX_ANSWER} bytes")]
    OutputTooLong,
}

/// Runs the program to its end with `input` on standard input. Dropping the future kills it and its children.
pub(crate) async fn run(
    settings: &TesseractSettings,
    arguments: &[String],
    input: &[u8],
) -> Result<ProcessOutput, OcrError> {
    let talk = communicate(settings, arguments, input);
    match tokio::time::timeout(settings.page_time, talk).await {
        Ok(result) => result,
        Err(_) => Err(OcrError::Timeout(settings.page_time.as_secs())),
    }
}

async fn communicate(
    settings: &TesseractSettings,
    arguments: &[String],
    input: &[u8],
) -> Result<ProcessOutput, OcrError> {
    let started = RunningProcess::start(&mut command(settings, arguments), &bounds(settings), true);
    let (mut running, pipes) = started.map_err(|error| OcrError::Unavailable(error.into()))?;
    let Pipes { stdin, stdout, stderr } = pipes;
    let write = async move {
        let Some(mut stdin) = stdin else { return };
        // A process that does not read all its input exits; its status says more than the broken pipe.
        if let Err(error) = stdin.write_all(input).await {
            tracing::debug!(%error, "an OCR process closed its input");
        }
    };
    let ((), output, complaint) =
        join3(write, answer(stdout), read_error_output(stderr, KeptPart::Beginning)).await;
    let output = match output {
        Ok(output) => output,
        Err(error) => return Err(OcrError::Failed(error.into())),
    };
    if output.len() as u64 > MAX_ANSWER {
        return Err(OcrError::Failed(ProcessFailure::OutputTooLong.into()));
    }
    let status = running.wait().await.map_err(|error| OcrError::Failed(error.into()))?;
    if settings.launcher.is_some() && status.code() == Some(LAUNCH_FAILED.into()) {
        return Err(OcrError::Unavailable(ProcessFailure::NotStarted(complaint).into()));
    }
    if !status.success() {
        return Err(OcrError::Failed(ProcessFailure::Ended(status, complaint).into()));
    }
    Ok(ProcessOutput { output: String::from_utf8_lossy(&output).into_owned(), stderr: complaint })
}

fn command(settings: &TesseractSettings, arguments: &[String]) -> Command {
    let mut command = match &settings.launcher {
        Some(launcher) => {
            let data: Vec<&Path> = settings.data.iter().map(PathBuf::as_path).collect();
            launcher.command(&settings.program, &data)
        }
        None => {
            let mut command = std::process::Command::new(&settings.program);
            command.env_clear();
            command
        }
    };
    command
        .args(arguments)
        // More threads use more CPU time for the same page.
        .env("OMP_THREAD_LIMIT", "1")
        .env("LC_ALL", "C");
    if let Some(folder) = &settings.data {
        command.env("TESSDATA_PREFIX", folder);
    }
    command.into()
}

/// It still waits for its picture when the limits are set, so it has read nothing yet.
fn bounds(settings: &TesseractSettings) -> Bounds {
    Bounds {
        memory: Memory::Reserved(settings.memory_bytes),
        processor_seconds: settings.page_time.as_secs().saturating_add(1),
        file_bytes: 0,
        open_files: Some(32),
    }
}

/// Reads at most one byte more than the limit, which shows that the answer is too long.
async fn answer(output: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    output.take(MAX_ANSWER + 1).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
