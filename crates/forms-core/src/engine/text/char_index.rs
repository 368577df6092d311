//! Conversion between byte and character offsets without a scan from the start of the text.

/// Bytes between two index entries. Eight bytes of index for a thousand of text. Chosen by hand; no
/// measurement is recorded.
const STEP: usize = 1024;

/// The number of characters before each index entry.
#[derive(Debug)]
pub(crate) struct CharIndex(Vec<usize>);

/// Whether a byte starts a character in UTF-8.
fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

fn count_starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_char_start(**byte)).count()
}

impl CharIndex {
    pub(crate) fn new(text: &str) -> Self {
        let mut total = 0;
        let mark = |block: &[u8]| {
            let before = total;
            total += count_starts(block);
            before
        };
        Self(text.as_bytes().chunks(STEP).map(mark).collect())
    }

    /// Characters of `text` before byte `at`.
    pub(crate) fn count(&self, text: &str, at: usize) -> usize {
        let at = at.min(text.len());
        let block = (at / STEP).min(self.0.len().saturating_sub(1));
        let before = self.0.get(block).copied().unwrap_or(0);
        before + text.as_bytes().get(block * STEP..at).map_or(0, count_starts)
    }

    /// The byte at which character `number` of `text` begins; the text's length just after the last.
    pub(crate) fn byte(&self, text: &str, number: usize) -> Option<usize> {
        let block = self.0.partition_point(|before| *before <= number).saturating_sub(1);
        let mut left = number.checked_sub(self.0.get(block).copied().unwrap_or(0))?;
        let bytes = text.as_bytes();
        for (offset, byte) in bytes.get(block * STEP..)?.iter().enumerate().take(2 * STEP) {
            if is_char_start(*byte) {
                if left == 0 {
                    return Some(block * STEP + offset);
                }
                left -= 1;
            }
        }
        (left == 0).then_some(text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_agree_everywhere() {
        for text in [String::new(), "a".repeat(3000), "aé日😀".repeat(700), "😀".repeat(256), "é".repeat(512)]
        {
            let characters = CharIndex::new(&text);
            let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            bytes.push(text.len());
            for (number, at) in bytes.into_iter().enumerate() {
                assert_eq!(characters.count(&text, at), number);
                assert_eq!(characters.byte(&text, number), Some(at), "{number} of {}", text.len());
            }
            assert_eq!(characters.byte(&text, text.chars().count() + 1), None);
            assert_eq!(characters.byte(&text, usize::MAX), None);
        }
    }
}
