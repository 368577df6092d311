//! The confined process: cases come in on standard input, what was seen goes out on standard output.
//!
//! A request is a length (`u32`, little-endian) and that many bytes; an answer is a length and JSON.

use std::io::{self, Read, Write};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::SeededFault;
use crate::examine::{examine, keep_panics};

/// As deep as that of the server's parsers.
const STACK: usize = 64 << 20;
/// Bytes of address space, as the server's parsers have.
const MEMORY: u64 = 1 << 30;

/// Serves until standard input closes.
///
/// # Errors
/// When the limits cannot be set or a pipe breaks.
pub fn serve(name: String, planted: Option<SeededFault>, slow: u64) -> io::Result<()> {
    let limit = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::As, MEMORY)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    keep_panics();
    let work = move || answer_all(&name, planted, slow);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the examination itself panicked")))
}

fn answer_all(name: &str, planted: Option<SeededFault>, slow: u64) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some(case) = frame(&mut input)? {
        allow(2 * slow / 1_000 + 1)?;
        let seen = serde_json::to_vec(&examine(&case, name, planted, slow))?;
        send(&mut output, &seen)?;
    }
    Ok(())
}

/// Allows some more seconds of processor time, all readings of a case together; then the system ends the process.
fn allow(seconds: u64) -> io::Result<()> {
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or_default();
    let maximum = getrlimit(Resource::Cpu).maximum;
    setrlimit(Resource::Cpu, Rlimit { current: Some(used + 1 + seconds), maximum })?;
    Ok(())
}

/// The next frame; `None` at the end.
pub(crate) fn frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

/// Sends a frame.
pub(crate) fn send(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    output.write_all(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    output.write_all(bytes)?;
    output.flush()
}
