//! Inflates the files of a container.

use std::io::Read as _;

use document::ParseError;
use flate2::read::DeflateDecoder;

use super::directory::{DataOffset, Entry, data_at};
use crate::Limits;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Inflated bytes up to which no ratio is suspicious. Protects memory, with `Limits::inflation_ratio`.
const HARMLESS: usize = 8 << 20;
/// Bytes inflated between two checks of the ratio. Protects memory.
const STEP: usize = 64 << 10;

/// Inflates a file, within `left` bytes and the limits of one file.
pub(super) fn content(
    bytes: &[u8],
    entry: &Entry,
    limits: &Limits,
    left: usize,
) -> Result<Vec<u8>, ParseError> {
    if entry.encrypted {
        return Err(ParseError::Encrypted);
    }
    let damaged = || ParseError::Damaged("a file within it lies outside of it".to_owned());
    let start = match entry.place {
        DataOffset::Header(header) => data_at(bytes, header).ok_or_else(damaged)?,
        DataOffset::Data(data) => data,
    };
    let rest = bytes.get(start..).ok_or_else(damaged)?;
    // A truncated container still has the beginning of its last file.
    let stored = rest.get(..entry.stored.unwrap_or(rest.len()).min(rest.len())).unwrap_or(rest);
    let most = limits.entry_bytes.min(left);
    match entry.method {
        STORED if stored.len() > most => Err(ParseError::Limit("inflated bytes")),
        STORED => Ok(stored.to_vec()),
        DEFLATED => inflate(stored, most, limits.inflation_ratio),
        _ => Err(ParseError::Damaged("a file within it is packed by a method that is not read".to_owned())),
    }
}

/// Inflates a stream within `most` bytes and the ratio of a limit; a truncated one returns what it contained.
pub(crate) fn inflate(stored: &[u8], most: usize, ratio: usize) -> Result<Vec<u8>, ParseError> {
    let mut decoder = DeflateDecoder::new(stored);
    let mut content = Vec::new();
    loop {
        let before = content.len();
        let read = decoder.by_ref().take(STEP as u64).read_to_end(&mut content);
        if content.len() > most || suspicious(content.len(), decoder.total_in(), ratio) {
            return Err(ParseError::Limit("inflated bytes"));
        }
        match read {
            Ok(_) if content.len() == before => return Ok(content),
            Ok(_) => {}
            Err(_) if !content.is_empty() => return Ok(content),
            Err(error) => {
                return Err(ParseError::Damaged(format!("a file within it cannot be unpacked: {error}")));
            }
        }
    }
}

/// Whether the compression ratio is that of a decompression bomb.
fn suspicious(inflated: usize, deflated: u64, ratio: usize) -> bool {
    let deflated = usize::try_from(deflated).unwrap_or(usize::MAX).max(1);
    inflated > HARMLESS && inflated / deflated > ratio
}
