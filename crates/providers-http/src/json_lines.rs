//! JSON Lines of batches: one object a line.

use gen_core::{Fault, ProviderError};
use serde::de::DeserializeOwned;

/// Lines of a file at most; no batch has more requests. Bounds the memory of hostile answers.
pub(crate) const MAX_LINES: usize = 100_000;

/// The objects of a file. A line that is none fails the file, since an answer in it would be lost.
pub(crate) fn read_lines<T: DeserializeOwned>(file: &[u8]) -> Result<Vec<T>, ProviderError> {
    let unlike = |error: serde_json::Error| {
        ProviderError::new(Fault::Protocol, "the provider's results do not match its API").with_source(error)
    };
    let lines = file.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.take(MAX_LINES).map(|line| serde_json::from_slice(line).map_err(unlike)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_are_skipped_and_broken_ones_fail_the_file() {
        let read = |text: &str| read_lines::<serde_json::Value>(text.as_bytes()).map(|lines| lines.len());
        assert_eq!(read("{\"a\":1}\r\n\n{\"a\":2}").unwrap(), 2);
        assert_eq!(read("").unwrap(), 0);
        assert_eq!(read("{\"a\":1}\n{\"a\":").unwrap_err().fault, Fault::Protocol);
    }
}
