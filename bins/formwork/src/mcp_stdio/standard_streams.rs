//! Messages on standard input and output: one JSON text a line.

use std::io::{self, BufRead, Read as _, Write as _};

use serde_json::Value;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};

/// Maximum length in bytes of a line. Servers refuse shorter ones.
const MAX_LINE: u64 = 64 << 20;
/// Lines that are read ahead.
const AHEAD: usize = 16;

/// A line of standard input.
#[derive(Debug)]
pub(super) enum Line {
    Text(Vec<u8>),
    /// It is too long and was skipped.
    TooLong,
}

/// Reads lines on a thread of its own, since standard input cannot be read without waiting.
pub(super) fn lines() -> Receiver<Line> {
    let (sender, receiver) = channel(AHEAD);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next line; `None` at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || (line.len() as u64) < MAX_LINE {
        return Ok(Some(Line::Text(line)));
    }
    input.skip_until(b'\n')?;
    Ok(Some(Line::TooLong))
}

/// Where messages are written.
pub(super) type Output = UnboundedSender<Value>;

/// Writes messages on a thread of its own. The receiver completes when standard output is closed.
pub(super) fn output() -> (Output, UnboundedReceiver<()>) {
    let (sender, mut messages) = unbounded_channel::<Value>();
    let (closed, is_closed) = unbounded_channel();
    std::thread::spawn(move || {
        let mut output = io::stdout().lock();
        while let Some(message) = messages.blocking_recv() {
            let written = writeln!(output, "{message}").and_then(|()| output.flush());
            if written.is_err() {
                break;
            }
        }
        drop(closed);
    });
    (sender, is_closed)
}
