//! The file information block (FIB) of a Word document, which locates all other structures.

use document::ParseError;
use encoding_rs::Encoding;

use crate::encoding::codepage;
use crate::ole::{u16_at, u32_at};

/// The first version with a separate table stream.
const WORD_97: u16 = 0x00c1;

/// The needed fields of the FIB ([MS-DOC] 2.5).
#[derive(Debug)]
pub(super) struct Fib {
    /// Name of the table stream.
    pub(super) table: &'static str,
    /// Offset and length of the piece table in the table stream.
    pub(super) pieces: (usize, usize),
    /// Offset and length of the paragraph property table.
    pub(super) paragraphs: (usize, usize),
    /// Offsets and lengths of the list definitions, and of the lists that paragraphs refer to.
    pub(super) lists: (usize, usize),
    pub(super) overrides: (usize, usize),
    /// Characters of the main text, footnotes, headers and footers, macros, comments, endnotes, text boxes.
    pub(super) lengths: [usize; 7],
    /// Offset of the text in the main stream when there is no piece table.
    pub(super) text: usize,
    /// The encoding of single-byte text.
    pub(super) encoding: &'static Encoding,
    /// Whether the tables have the format of Word 97 and later.
    pub(super) modern: bool,
}

impl Fib {
    pub(super) fn read(main: &[u8]) -> Result<Self, ParseError> {
        let flags = u16_at(main, 10).unwrap_or(0);
        if !matches!(u16_at(main, 0), Some(0xa5ec | 0xa5dc | 0xa5db)) {
            return Err(ParseError::Damaged("it has no head of a Word document".to_owned()));
        }
        if flags & 0x0100 != 0 {
            return Err(ParseError::Encrypted);
        }
        let at = |offset| u32_at(main, offset).unwrap_or(0) as usize;
        let modern = u16_at(main, 2).unwrap_or(0) >= WORD_97;
        let length = |index: usize| at(if modern { 0x4c } else { 0x34 } + index * 4).min(main.len());
        let place = |offset: usize| (at(offset), at(offset + 4));
        Ok(Self {
            table: match (modern, flags & 0x0200 != 0) {
                (false, _) => "WordDocument",
                (true, true) => "1Table",
                (true, false) => "0Table",
            },
            pieces: place(if modern { 0x01a2 } else { 0x0160 }),
            paragraphs: if modern { place(0x0102) } else { (0, 0) },
            lists: if modern { place(0x02e2) } else { (0, 0) },
            overrides: if modern { place(0x02ea) } else { (0, 0) },
            lengths: std::array::from_fn(length),
            text: at(0x18),
            encoding: codepage(if modern { 1_252 } else { page_of_language(u16_at(main, 6).unwrap_or(0)) }),
            modern,
        })
    }
}

/// The Windows code page of a language ([MS-LCID]).
fn page_of_language(language: u16) -> u16 {
    match language & 0x03ff {
        0x05 | 0x0e | 0x15 | 0x18 | 0x1a | 0x1b | 0x1c | 0x24 => 1_250,
        0x02 | 0x19 | 0x22 | 0x23 | 0x2f => 1_251,
        0x08 => 1_253,
        0x1f => 1_254,
        0x0d => 1_255,
        0x01 | 0x20 | 0x29 => 1_256,
        0x25..=0x27 => 1_257,
        0x1e => 874,
        0x11 => 932,
        0x12 => 949,
        0x04 if language == 0x0804 || language == 0x1004 => 936,
        0x04 => 950,
        _ => 1_252,
    }
}
