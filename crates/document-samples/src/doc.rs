//! Documents of Word 97.

use crate::{compound, numbers, utf16};

/// A piece of text, with one or two bytes for each character.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// One byte for each character.
    Narrow(&'a [u8]),
    /// UTF-16.
    Wide(&'a str),
}

const TEXT: usize = 0x600;

/// A document of pieces in text order; in the file they lie from the last to the first. The last `notes`
/// characters are footnotes. In a document of one piece paragraphs can have properties, each in its own
/// bytes.
#[must_use]
pub fn doc(pieces: &[Piece<'_>], notes: usize, properties: &[Vec<u8>], flags: u16) -> Vec<u8> {
    let mut main = vec![0; TEXT];
    let mut table = vec![];
    let mut places = vec![0_u32; pieces.len()];
    for (index, piece) in pieces.iter().enumerate().rev() {
        let start = u32::try_from(main.len()).unwrap();
        match piece {
            Piece::Narrow(bytes) => {
                places[index] = (start * 2) | 0x4000_0000;
                main.extend(*bytes);
            }
            Piece::Wide(text) => {
                places[index] = start;
                main.extend(utf16(text));
            }
        }
    }
    let mut position = 0_u32;
    let mut positions = vec![0];
    for piece in pieces {
        position += match piece {
            Piece::Narrow(bytes) => u32::try_from(bytes.len()).unwrap(),
            Piece::Wide(text) => u32::try_from(text.encode_utf16().count()).unwrap(),
        };
        positions.push(position);
    }
    let mut plc = numbers(&positions);
    for place in &places {
        plc.extend([0, 0]);
        plc.extend(place.to_le_bytes());
        plc.extend([0, 0]);
    }
    // Properties that belong to no table precede the pieces.
    table.extend([1, 2, 0, 0xaa, 0xbb, 2]);
    table.extend(u32::try_from(plc.len()).unwrap().to_le_bytes());
    table.extend(&plc);
    let clx = table.len();
    let main_length = position as usize - notes;
    if !properties.is_empty() {
        add_properties(&mut main, &mut table, properties, places[0]);
    }
    let properties_end = table.len();
    // One numbered list of one level, and the id by which paragraphs refer to it.
    let mut list = vec![1, 0, 77, 0, 0, 0];
    list.extend([0; 22]);
    list.extend([1, 0, 1, 0, 0, 0]);
    list.extend([0; 26]);
    table.extend(&list);
    let overrides = table.len();
    table.extend([1, 0, 0, 0, 77, 0, 0, 0]);
    table.extend([0; 12]);
    let mut set = |at: usize, value: u32| main[at..at + 4].copy_from_slice(&value.to_le_bytes());
    set(0, 0x00c1_a5ec);
    set(8, u32::from(flags) << 16);
    set(0x4c, u32::try_from(main_length).unwrap());
    set(0x50, u32::try_from(notes).unwrap());
    set(0x01a6, u32::try_from(clx).unwrap());
    set(0x0102, u32::try_from(clx).unwrap());
    set(0x0106, u32::try_from(properties_end - clx).unwrap());
    set(0x02e2, u32::try_from(properties_end).unwrap());
    set(0x02e6, u32::try_from(overrides - properties_end).unwrap());
    set(0x02ea, u32::try_from(overrides).unwrap());
    set(0x02ee, 20);
    let name = if flags & 0x0200 == 0 { "0Table" } else { "1Table" };
    compound(&[("WordDocument", main), (name, table)])
}

/// One page of properties, for the only piece. A paragraph ends at each of the marks.
fn add_properties(main: &mut Vec<u8>, table: &mut Vec<u8>, properties: &[Vec<u8>], place: u32) {
    let start = (place & 0x3fff_ffff) / 2;
    let text: Vec<u8> = main[start as usize..].to_vec();
    let ends: Vec<u32> =
        (start + 1..).zip(&text).filter(|(_, byte)| matches!(byte, 13 | 7)).map(|(end, _)| end).collect();
    assert_eq!(ends.len(), properties.len());
    let mut page = vec![0; 512];
    page[511] = u8::try_from(ends.len()).unwrap();
    page[..4].copy_from_slice(&start.to_le_bytes());
    let mut at = 510;
    for (index, (end, papx)) in ends.iter().zip(properties).enumerate() {
        page[index * 4 + 4..index * 4 + 8].copy_from_slice(&end.to_le_bytes());
        at -= papx.len() + 2;
        at &= !1;
        page[(ends.len() + 1) * 4 + index * 13] = u8::try_from(at / 2).unwrap();
        page[at] = 0;
        page[at + 1] = u8::try_from(papx.len() / 2).unwrap();
        page[at + 2..at + 2 + papx.len()].copy_from_slice(papx);
    }
    main.resize(main.len().next_multiple_of(512), 0);
    let number = u32::try_from(main.len() / 512).unwrap();
    main.extend(page);
    for value in [start, *ends.last().unwrap(), number] {
        table.extend(value.to_le_bytes());
    }
}
