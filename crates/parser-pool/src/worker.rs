//! The worker process. It reads documents from standard input and answers on standard output. It limits
//! and confines itself before it reads the first byte.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use document::{ParseError, Thumbnail};
use documents_core::{Limits, parse, parse_recognised, raw_text, render, thumbnail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use sandbox::{Confinement, Profile, SandboxMode};
use webpage_core::{PageLimits, parse_page};

use crate::frame::{Answer, MAX_CHUNK, MAX_NAME, MAX_TASK, Task};

/// Deeply nested documents need deep stacks.
const STACK_BYTES: usize = 64 << 20;

/// The limits that the parent passes as arguments.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// Address space, in bytes.
    pub memory_bytes: u64,
    /// CPU time for each document, in seconds.
    pub cpu_seconds: u64,
    /// Maximum bytes of a document.
    pub input_bytes: u64,
    /// How strictly the process confines itself.
    pub sandbox: SandboxMode,
}

impl WorkerLimits {
    /// Parses what the pool appends to the worker's own arguments: three numbers and a sandbox mode.
    ///
    /// # Errors
    /// When they are something else.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> io::Result<Self> {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        let numbers = (number(), number(), number());
        let sandbox = arguments.next().and_then(|text| text.parse().ok());
        match (numbers, sandbox) {
            ((Some(memory_bytes), Some(cpu_seconds), Some(input_bytes)), Some(sandbox)) => {
                Ok(Self { memory_bytes, cpu_seconds, input_bytes, sandbox })
            }
            _ => Err(io::Error::other("the worker takes memory, seconds, bytes and a sandbox mode")),
        }
    }
}

/// Serves requests until standard input closes. Call it before any thread or runtime exists.
#[must_use]
pub fn run(limits: WorkerLimits) -> ExitCode {
    let start = || {
        let confinement = confine(&limits)?;
        let mut output = io::stdout().lock();
        write_frame(&mut output, &serde_json::to_vec(&confinement)?)?;
        output.flush()?;
        if limits.sandbox == SandboxMode::Required && !confinement.is_complete() {
            return Err(io::Error::other("the sandbox is not complete"));
        }
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || serve(&limits))
    };
    match start().map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Limits the resources of this process and confines it to its pipes. Threads that run already are not
/// confined.
///
/// # Errors
/// When a limit cannot be set. Layers of the sandbox that the system does not have are no error.
pub fn confine(limits: &WorkerLimits) -> io::Result<Confinement> {
    let fixed = |resource, limit| setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    fixed(Resource::As, limits.memory_bytes)?;
    fixed(Resource::Core, 0)?;
    fixed(Resource::Fsize, 0)?;
    fixed(Resource::Nofile, 16)?;
    // The first reading of this clock opens a file of the system.
    allow_seconds(limits.cpu_seconds)?;
    Ok(match limits.sandbox {
        SandboxMode::Off => Confinement::default(),
        SandboxMode::On | SandboxMode::Required => sandbox::confine(&Profile::Compute),
    })
}

/// The CPU limit counts the whole life of a process, so it is raised before each document.
fn allow_seconds(seconds: u64) -> io::Result<()> {
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or_default();
    let maximum = getrlimit(Resource::Cpu).maximum;
    setrlimit(Resource::Cpu, Rlimit { current: Some(used + 1 + seconds), maximum })?;
    Ok(())
}

fn serve(limits: &WorkerLimits) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(request) = next_request(&mut input, limits.input_bytes)? {
        allow_seconds(limits.cpu_seconds)?;
        let (answer, picture) =
            answer(&request).unwrap_or_else(|error| (Answer::Failure(error.into()), Vec::new()));
        drop(request);
        write_frame(&mut output, &serde_json::to_vec(&answer)?)?;
        write_frame(&mut output, &picture)?;
        output.flush()?;
    }
    Ok(())
}

/// Runs a task. The bytes are those of the image, if the task produces one.
fn answer(request: &Request) -> Result<(Answer, Vec<u8>), ParseError> {
    let Request { task, name, content } = request;
    let limits = Limits::default();
    Ok(match task {
        Task::Parse => (Answer::Document(Box::new(parse(content, name, &limits)?)), Vec::new()),
        Task::ParseRecognised(pages) => {
            let document = parse_recognised(content, name, pages, &limits)?;
            (Answer::Document(Box::new(document)), Vec::new())
        }
        Task::RawText => (Answer::Text(raw_text(content, name, &limits)?), Vec::new()),
        Task::WebPage { url, content_type } => {
            let page = parse_page(content, url, content_type.as_deref(), &PageLimits::default());
            (Answer::WebPage(Box::new(page)), Vec::new())
        }
        Task::Page { number, size, colours } => {
            (Answer::Page, render::page(content, name, *number, *size, &limits)?.to_page_image(*colours)?)
        }
        Task::Thumbnail(options) => {
            let made = thumbnail(content, name, options, &limits);
            let Thumbnail { bytes, width, height, format, page, is_card } = made;
            (Answer::Thumbnail { width, height, format, page, is_card }, bytes)
        }
    })
}

fn write_frame(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    output.write_all(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    output.write_all(bytes)
}

/// A request of the parent.
struct Request {
    task: Task,
    name: String,
    content: Vec<u8>,
}

/// The next request; `None` when the input ended between two requests.
fn next_request(input: &mut impl Read, most: u64) -> io::Result<Option<Request>> {
    let Some(length) = read_length(input)? else { return Ok(None) };
    let task = serde_json::from_slice(&read_bytes(input, length, MAX_TASK)?)?;
    let length = read_frame_length(input)?;
    let name = String::from_utf8_lossy(&read_bytes(input, length, MAX_NAME)?).into_owned();
    let mut content = Vec::new();
    loop {
        let length = read_frame_length(input)?;
        if length == 0 {
            return Ok(Some(Request { task, name, content }));
        }
        content.extend_from_slice(&read_bytes(input, length, MAX_CHUNK)?);
        if content.len() as u64 > most {
            return Err(io::Error::other("the document is larger than announced"));
        }
    }
}

fn read_length(input: &mut impl Read) -> io::Result<Option<usize>> {
    let mut number = [0; 4];
    match input.read_exact(&mut number) {
        Ok(()) => Ok(Some(u32::from_le_bytes(number) as usize)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_frame_length(input: &mut impl Read) -> io::Result<usize> {
    read_length(input)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
}

fn read_bytes(input: &mut impl Read, length: usize, most: usize) -> io::Result<Vec<u8>> {
    if length > most {
        return Err(io::Error::other("a frame is larger than its limit"));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
