//! JSON Lines.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value as one line of JSON.
pub(super) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
