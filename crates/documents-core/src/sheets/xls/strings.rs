//! Strings in records, with one or two bytes for each character, and the shared string table.

use crate::Limits;
use crate::encoding::codepage;
use crate::ole::u16_at;

/// The string format of a workbook.
#[derive(Debug)]
pub(super) struct Text {
    /// Whether the records are those of Excel 97 and later.
    pub(super) wide: bool,
    pub(super) codepage: u16,
}

impl Default for Text {
    fn default() -> Self {
        Self { wide: true, codepage: 1_252 }
    }
}

impl Text {
    /// A string with its length in one byte.
    pub(super) fn short(&self, data: &[u8]) -> String {
        let length = usize::from(data.first().copied().unwrap_or(0));
        self.of(length, data.get(1..).unwrap_or_default())
    }

    /// A string with its length in two bytes.
    pub(super) fn long(&self, data: &[u8]) -> String {
        let length = usize::from(u16_at(data, 0).unwrap_or(0));
        self.of(length, data.get(2..).unwrap_or_default())
    }

    fn of(&self, length: usize, data: &[u8]) -> String {
        if !self.wide {
            return codepage(self.codepage).decode_without_bom_handling(prefix(data, length)).0.into_owned();
        }
        let (flags, characters) = data.split_at(1.min(data.len()));
        if flags.first().is_some_and(|flags| flags & 1 == 1) {
            wide(prefix(characters, length * 2))
        } else {
            narrow(prefix(characters, length))
        }
    }
}

fn prefix(data: &[u8], length: usize) -> &[u8] {
    data.get(..length.min(data.len())).unwrap_or_default()
}

fn wide(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).filter_map(|two| u16_at(two, 0));
    char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
}

/// Decodes the low bytes of UTF-16 units.
fn narrow(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The shared string table, split into the parts of its records.
pub(super) fn shared_strings(parts: &[&[u8]], limits: &Limits) -> Vec<String> {
    let mut cursor = Cursor { parts, part: 0, at: 8 };
    let mut strings = Vec::new();
    let mut bytes = 0;
    while let Some(text) = cursor.string() {
        bytes += text.len();
        if bytes > limits.text_bytes || strings.len() >= limits.cells {
            break;
        }
        strings.push(text);
    }
    strings
}

struct Cursor<'p, 'a> {
    parts: &'p [&'a [u8]],
    part: usize,
    at: usize,
}

impl<'a> Cursor<'_, 'a> {
    /// The rest of the current part, or the next part when this one is used up.
    fn rest(&mut self) -> Option<&'a [u8]> {
        loop {
            let part = *self.parts.get(self.part)?;
            match part.get(self.at..) {
                Some(rest) if !rest.is_empty() => return Some(rest),
                _ => {
                    self.part += 1;
                    self.at = 0;
                }
            }
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.rest()?.first()?;
        self.at += 1;
        Some(byte)
    }

    fn number(&mut self, bytes: u32) -> Option<usize> {
        (0..bytes).try_fold(0, |number, place| Some(number | usize::from(self.byte()?) << (8 * place)))
    }

    fn skip(&mut self, mut bytes: usize) {
        while bytes > 0 {
            let Some(rest) = self.rest() else { return };
            let step = bytes.min(rest.len());
            self.at += step;
            bytes -= step;
        }
    }

    fn string(&mut self) -> Option<String> {
        let length = self.number(2)?;
        let flags = self.byte()?;
        let runs = if flags & 8 == 0 { 0 } else { self.number(2)? };
        let phonetic = if flags & 4 == 0 { 0 } else { self.number(4)? };
        let text = self.characters(length, flags & 1 == 1);
        self.skip(runs * 4);
        self.skip(phonetic);
        Some(text)
    }

    /// Characters that may continue in the next part, which begins with its own width flag.
    fn characters(&mut self, mut length: usize, mut is_wide: bool) -> String {
        let mut text = String::new();
        while length > 0 {
            let before = self.part;
            let Some(mut rest) = self.rest() else { break };
            if self.part != before {
                is_wide = self.byte().is_some_and(|flags| flags & 1 == 1);
                match self.rest() {
                    Some(next) => rest = next,
                    None => break,
                }
            }
            let width = if is_wide { 2 } else { 1 };
            let count = length.min(rest.len() / width);
            if count == 0 {
                self.at += rest.len();
                continue;
            }
            let bytes = prefix(rest, count * width);
            text.push_str(&if is_wide { wide(bytes) } else { narrow(bytes) });
            self.at += bytes.len();
            length -= count;
        }
        text
    }
}
