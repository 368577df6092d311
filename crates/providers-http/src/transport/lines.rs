//! Splits the bytes of a stream into lines, so that the event parser gets one complete line at a time. That
//! parser rescans its whole buffer for every chunk and copies the rest for every line, which a hostile stream
//! could make slow, and it cannot handle a byte order mark.

use bytes::{Bytes, BytesMut};

/// Why the bytes of a stream are invalid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineError {
    #[error("one event of the provider's stream exceeds its size limit")]
    Long,
    #[error("the provider's stream is not UTF-8 text")]
    Utf8,
}

/// Splits lines and counts the bytes of their event.
#[derive(Debug)]
pub(crate) struct Lines {
    buffer: BytesMut,
    /// Bytes of the buffer already searched for a line end.
    looked_at: usize,
    /// Bytes of the lines since the last empty one.
    event: usize,
    event_bytes: usize,
    begun: bool,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Lines {
    /// Splits events of at most `event_bytes`.
    pub(crate) fn new(event_bytes: usize) -> Self {
        Self { buffer: BytesMut::new(), looked_at: 0, event: 0, event_bytes, begun: false }
    }

    /// Appends the next bytes of the stream.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete line with its end; `None` if it is not yet complete.
    pub(crate) fn next(&mut self) -> Result<Option<Bytes>, LineError> {
        if !self.begin() {
            return Ok(None);
        }
        let Some(end) = self.end_of_line() else {
            return if self.event.saturating_add(self.buffer.len()) > self.event_bytes {
                Err(LineError::Long)
            } else {
                Ok(None)
            };
        };
        let line = self.buffer.split_to(end).freeze();
        self.looked_at = 0;
        if std::str::from_utf8(&line).is_err() {
            return Err(LineError::Utf8);
        }
        match line.first() {
            Some(b'\r' | b'\n') => self.event = 0,
            // A comment keeps the stream alive and belongs to no event.
            Some(b':') => {}
            _ => self.event = self.event.saturating_add(line.len()),
        }
        if line.len() > self.event_bytes || self.event > self.event_bytes {
            return Err(LineError::Long);
        }
        Ok(Some(line))
    }

    /// Skips a byte order mark at the very start. False while this is undecided.
    fn begin(&mut self) -> bool {
        if !self.begun {
            if self.buffer.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(&self.buffer) {
                return false;
            }
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                let _ = self.buffer.split_to(BYTE_ORDER_MARK.len());
            }
            self.begun = true;
        }
        true
    }

    /// Number of bytes up to the end of the first line: `\n`, `\r` or `\r\n`.
    fn end_of_line(&mut self) -> Option<usize> {
        let rest = &self.buffer[self.looked_at..];
        let Some(found) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
            self.looked_at = self.buffer.len();
            return None;
        };
        let at = self.looked_at + found;
        if self.buffer[at] == b'\n' {
            return Some(at + 1);
        }
        match self.buffer.get(at + 1) {
            Some(b'\n') => Some(at + 2),
            Some(_) => Some(at + 1),
            // The second half of `\r\n` may follow.
            None => {
                self.looked_at = at;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]], event_bytes: usize) -> Result<Vec<String>, LineError> {
        let mut cutter = Lines::new(event_bytes);
        let mut all = Vec::new();
        for piece in pieces {
            cutter.push(piece);
            while let Some(line) = cutter.next()? {
                all.push(String::from_utf8(line.to_vec()).unwrap());
            }
        }
        Ok(all)
    }

    #[test]
    fn lines_end_in_each_of_three_ways_wherever_the_pieces_are_cut() {
        let text = "a\nbé\r\n\r\nc\rd\n".as_bytes();
        let expected = ["a\n", "bé\r\n", "\r\n", "c\r", "d\n"];
        for size in 1..text.len() {
            assert_eq!(lines(&text.chunks(size).collect::<Vec<_>>(), 100).unwrap(), expected, "{size}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_left_out_at_the_start_only() {
        let text = "\u{feff}\u{feff}a\n".as_bytes();
        assert_eq!(lines(&text.chunks(1).collect::<Vec<_>>(), 100).unwrap(), ["\u{feff}a\n"]);
        assert_eq!(lines(&[b"a\n"], 100).unwrap(), ["a\n"]);
    }

    #[test]
    fn an_event_that_is_too_long_is_refused_in_one_line_or_many() {
        assert_eq!(lines(&[b"data: 1234567890"], 10), Err(LineError::Long));
        assert_eq!(lines(&[b"data: 1\ndata: 2\n"], 10), Err(LineError::Long));
        assert!(lines(&[b"data: 1\n\ndata: 2\n\n"], 10).is_ok());
        assert!(lines(&[b": alive\n: alive\n: alive\n"], 10).is_ok());
    }

    #[test]
    fn half_a_character_is_refused() {
        assert_eq!(lines(&[b"data: \xf0\x9f\n"], 100), Err(LineError::Utf8));
    }

    #[test]
    fn lines_of_any_text_in_any_pieces_are_that_text() {
        // Numerical Recipes' linear congruential generator: the same texts in every run.
        let mut state = 7_u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for _ in 0..500 {
            let text: String = (0..40).map(|_| ['\r', '\n', ':', 'a', 'é', '🦀'][random(6)]).collect();
            let text = format!("{text}.\n");
            let mut rest = text.as_bytes();
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(1 + random(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let lines = lines(&pieces, 1000).unwrap();
            assert_eq!(lines.concat(), text);
            for line in &lines {
                let inner = line.strip_suffix("\r\n").or(line.strip_suffix(['\r', '\n'])).unwrap();
                assert!(!inner.contains(['\r', '\n']), "{line:?}");
            }
        }
    }
}
