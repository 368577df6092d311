//! One worker process, seen from its parent.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};

use document::{ParseError, Source};
use futures_util::StreamExt as _;
use sandbox::Confinement;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::frame::{Answer, MAX_CHUNK, MAX_CONFINEMENT, MAX_NAME, MAX_TASK, Task};
use crate::settings::PoolSettings;

/// Answers larger than this are parsed on a blocking thread (bytes).
const INLINE_PARSE_BYTES: usize = 256 << 10;

/// A running worker. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Tasks served so far.
    pub(crate) served: u32,
}

/// Why a task failed, and whether the worker can be reused.
pub(crate) enum TaskFailure {
    /// The worker reported the error; it can be reused.
    Reported(ParseError),
    /// The source failed midway. The worker still waits for the rest, so it cannot be reused.
    Abandoned(ParseError),
    /// The worker died or broke the protocol.
    Died,
}

impl Worker {
    pub(crate) fn spawn(settings: &PoolSettings) -> io::Result<Self> {
        let mut child = Command::new(&settings.program)
            .args(&settings.args)
            .arg(settings.memory_bytes.to_string())
            .arg(settings.cpu_seconds.to_string())
            .arg(settings.max_input.to_string())
            .arg(settings.sandbox.name())
            .env_clear()
            .envs(settings.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("the worker has no pipes"))?;
        Ok(Self { child, input, output, served: 0 })
    }

    /// Reads the first frame of a new worker: how it has confined itself.
    pub(crate) async fn read_confinement(&mut self) -> Result<Confinement, TaskFailure> {
        let json = self.read_frame(MAX_CONFINEMENT).await?;
        serde_json::from_slice(&json).map_err(|error| {
            tracing::error!(%error, "a parser process does not say how it is confined");
            TaskFailure::Died
        })
    }

    /// Sends a task with its document. Waits for the answer and for the image that may come with it.
    pub(crate) async fn answer(
        &mut self,
        task: &Task,
        source: Source,
        max_output: usize,
    ) -> Result<(Answer, Vec<u8>), TaskFailure> {
        self.served += 1;
        self.send(task, source).await?;
        let answer = self.read_answer(max_output).await?;
        let picture = self.read_frame(max_output).await?;
        match answer {
            Answer::Failure(failure) => Err(TaskFailure::Reported(failure.into())),
            answer => Ok((answer, picture)),
        }
    }

    async fn send(&mut self, task: &Task, mut source: Source) -> Result<(), TaskFailure> {
        let task = serde_json::to_vec(task)
            .map_err(|error| TaskFailure::Abandoned(ParseError::Unavailable(error.into())))?;
        if task.len() > MAX_TASK {
            return Err(TaskFailure::Abandoned(ParseError::Limit("room")));
        }
        self.write_frame(&task).await?;
        let mut end = source.name.len().min(MAX_NAME);
        while !source.name.is_char_boundary(end) {
            end -= 1;
        }
        self.write_frame(source.name.get(..end).unwrap_or_default().as_bytes()).await?;
        while let Some(part) = source.content.next().await {
            let part = part.map_err(|error| TaskFailure::Abandoned(ParseError::Source(error)))?;
            for chunk in part.chunks(MAX_CHUNK) {
                self.write_frame(chunk).await?;
            }
        }
        self.write_frame(&[]).await?;
        self.input.flush().await.map_err(to_died)
    }

    async fn write_frame(&mut self, bytes: &[u8]) -> Result<(), TaskFailure> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.input.write_all(&length.to_le_bytes()).await.map_err(to_died)?;
        self.input.write_all(bytes).await.map_err(to_died)
    }

    /// The bytes of one frame.
    async fn read_frame(&mut self, most: usize) -> Result<Vec<u8>, TaskFailure> {
        let length = self.output.read_u32_le().await.map_err(to_died)? as usize;
        if length > most {
            return Err(TaskFailure::Abandoned(ParseError::Limit("room")));
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).await.map_err(to_died)?;
        Ok(bytes)
    }

    async fn read_answer(&mut self, max_output: usize) -> Result<Answer, TaskFailure> {
        let json = self.read_frame(max_output).await?;
        let length = json.len();
        let read = move || serde_json::from_slice(&json);
        let answer = if length > INLINE_PARSE_BYTES {
            tokio::task::spawn_blocking(read).await.map_err(|error| {
                tracing::error!(%error, "decoding a parsed document panicked");
                TaskFailure::Died
            })?
        } else {
            read()
        };
        answer.map_err(|error| {
            tracing::error!(%error, "a parser process sent an answer that cannot be decoded");
            TaskFailure::Died
        })
    }

    /// Derives the document's error from the worker's exit status.
    pub(crate) async fn into_exit_error(mut self) -> ParseError {
        match self.child.wait().await {
            Ok(status) => exit_error(status),
            Err(error) => ParseError::Unavailable(error.into()),
        }
    }

    /// Closes the worker's input, which ends it.
    pub(crate) async fn end(self) {
        let Self { mut child, input, output, .. } = self;
        drop((input, output));
        child.wait().await.ok();
    }
}

fn to_died(error: io::Error) -> TaskFailure {
    tracing::debug!(%error, "a pipe to a parser process broke");
    TaskFailure::Died
}

/// SIGXCPU and SIGKILL come from the CPU limit, SIGABRT and SIGSEGV from the memory and stack limits.
fn exit_error(status: ExitStatus) -> ParseError {
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    const SIGSEGV: i32 = 11;
    const SIGXCPU: i32 = 24;
    match status.signal() {
        Some(SIGXCPU | SIGKILL) => ParseError::Limit("time"),
        Some(SIGABRT | SIGSEGV) => ParseError::Limit("memory"),
        _ => ParseError::Damaged("the parser crashed on it".to_owned()),
    }
}
