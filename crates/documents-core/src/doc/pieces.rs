//! The piece table: a fast-saved document stores its text in any order.

use super::fib::Fib;
use crate::ole::{u16_at, u32_at};

/// Text of the document, with the position of each character in the main stream.
#[derive(Debug, Default)]
pub(super) struct Characters {
    pub(super) text: Vec<char>,
    pub(super) places: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    characters: usize,
    place: usize,
    wide: bool,
}

/// The pieces in text order.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    main: &'a [u8],
    pieces: Vec<Piece>,
    fib: &'a Fib,
}

impl<'a> Pieces<'a> {
    pub(super) fn read(main: &'a [u8], table: &[u8], fib: &'a Fib) -> Self {
        let (start, length) = fib.pieces;
        let place = start.min(table.len())..start.saturating_add(length).min(table.len());
        let mut pieces = find(table.get(place).unwrap_or_default(), fib.modern);
        if pieces.is_empty() {
            let characters = fib.lengths.iter().fold(0_usize, |all, one| all.saturating_add(*one));
            pieces.push(Piece { characters, place: fib.text, wide: false });
        }
        Self { main, pieces, fib }
    }

    /// The characters, as far as the stream contains them, up to a limit.
    pub(super) fn characters(&self, limit: usize) -> Characters {
        let mut out = Characters::default();
        for piece in &self.pieces {
            let width = if piece.wide { 2 } else { 1 };
            let count = piece.characters.min(limit.saturating_sub(out.text.len()));
            let end = piece.place.saturating_add(count.saturating_mul(width)).min(self.main.len());
            let bytes = self.main.get(piece.place..end).unwrap_or_default();
            if piece.wide {
                self.add_wide(&mut out, bytes, piece.place);
            } else {
                self.add_narrow(&mut out, bytes, piece.place);
            }
        }
        out
    }

    /// Each UTF-16 unit counts as a character, so that positions stay right.
    fn add_wide(&self, out: &mut Characters, bytes: &[u8], place: usize) {
        let mut units = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).peekable();
        let mut at = place;
        while let Some(unit) = units.next() {
            let pair = units.peek().filter(|_| (0xd800..0xdc00).contains(&unit)).copied();
            let both = pair.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
            out.text.push(both.or_else(|| char::from_u32(u32::from(unit))).unwrap_or('\u{fffd}'));
            out.places.push(u32::try_from(at).unwrap_or(u32::MAX));
            at += 2;
            if both.is_some() {
                units.next();
                out.text.push('\u{200b}');
                out.places.push(u32::try_from(at).unwrap_or(u32::MAX));
                at += 2;
            }
        }
    }

    fn add_narrow(&self, out: &mut Characters, bytes: &[u8], place: usize) {
        let text = self.fib.encoding.decode_without_bom_handling(bytes).0;
        let single = self.fib.encoding.is_single_byte();
        let before = out.text.len();
        out.text.extend(text.chars());
        for step in 0..out.text.len() - before {
            // In a multi-byte encoding the positions are approximate.
            let step = if single { step } else { step.min(bytes.len()) };
            out.places.push(u32::try_from(place + step).unwrap_or(u32::MAX));
        }
    }
}

/// The pieces in a `Clx` ([MS-DOC] 2.9.38): properties first, then the table.
fn find(mut clx: &[u8], modern: bool) -> Vec<Piece> {
    while clx.first() == Some(&1) {
        let length = usize::from(u16_at(clx, 1).unwrap_or(0));
        clx = clx.get(3 + length..).unwrap_or_default();
    }
    let Some(table) = clx.get(5..).filter(|_| clx.first() == Some(&2)) else { return Vec::new() };
    let length = (u32_at(clx, 1).unwrap_or(0) as usize).min(table.len());
    let count = length.saturating_sub(4) / 12;
    let mut pieces = Vec::with_capacity(count);
    for index in 0..count {
        let (Some(start), Some(end)) = (u32_at(table, index * 4), u32_at(table, index * 4 + 4)) else {
            break;
        };
        let Some(place) = u32_at(table, (count + 1) * 4 + index * 8 + 2) else { break };
        let narrow = modern && place & 0x4000_0000 != 0;
        pieces.push(Piece {
            characters: end.saturating_sub(start) as usize,
            place: if narrow { (place & 0x3fff_ffff) / 2 } else { place & 0x3fff_ffff } as usize,
            wide: modern && !narrow,
        });
    }
    pieces
}
