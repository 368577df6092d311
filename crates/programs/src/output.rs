//! Formats the error output of programs and error chains.

use std::error::Error;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Bytes of error output that are kept for the log.
const MAX_ERROR_OUTPUT: usize = 2_000;

/// Which part of a long output is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptPart {
    /// The first bytes.
    Beginning,
    /// The last bytes.
    End,
}

/// Standard error of a program, at most 2,000 bytes. The rest is read and dropped, so that the program does
/// not block.
pub async fn read_error_output(mut output: impl AsyncRead + Unpin, part: KeptPart) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4_096];
    while let Ok(count @ 1..) = output.read(&mut buffer).await {
        let read = buffer.get(..count).unwrap_or_default();
        match part {
            KeptPart::Beginning => {
                let room = MAX_ERROR_OUTPUT.saturating_sub(kept.len()).min(count);
                kept.extend_from_slice(read.get(..room).unwrap_or_default());
            }
            KeptPart::End => {
                kept.extend_from_slice(read);
                kept.drain(..kept.len().saturating_sub(MAX_ERROR_OUTPUT));
            }
        }
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}

/// An error with its chain of sources, separated by colons.
#[must_use]
pub fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_long_complaint_is_kept_in_part() {
        let long = [vec![b'a'; 5_000], vec![b'z'; 5_000]].concat();
        assert_eq!(
            read_error_output(long.as_slice(), KeptPart::Beginning).await,
            "a".repeat(MAX_ERROR_OUTPUT)
        );
        assert_eq!(read_error_output(long.as_slice(), KeptPart::End).await, "z".repeat(MAX_ERROR_OUTPUT));
        assert_eq!(read_error_output(b" no room \n".as_slice(), KeptPart::End).await, "no room");
    }

    #[test]
    fn an_error_tells_what_it_comes_from() {
        let inner = std::io::Error::other("the disk is full");
        let outer = std::io::Error::other(inner);
        assert_eq!(with_sources(&std::io::Error::other(outer)), "the disk is full");
        #[derive(Debug)]
        struct Outer(std::io::Error);
        impl std::fmt::Display for Outer {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("it failed")
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        assert_eq!(with_sources(&Outer(std::io::Error::other("no room"))), "it failed: no room");
    }
}
