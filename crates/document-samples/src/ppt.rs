//! Presentations of PowerPoint 97.

use crate::{compound, numbers, utf16};

/// A record with its header.
#[must_use]
pub fn record(kind: u16, instance: u16, container: bool, data: &[u8]) -> Vec<u8> {
    let head = instance << 4 | if container { 15 } else { 0 };
    let length = u32::try_from(data.len()).unwrap();
    [head.to_le_bytes().as_slice(), &kind.to_le_bytes(), &length.to_le_bytes(), data].concat()
}

/// A text of a slide, as title or as another text.
#[must_use]
pub fn text(title: bool, text: &str) -> Vec<u8> {
    let kind = if title { 0 } else { 1 };
    [record(3999, 0, false, &numbers(&[kind])), record(4000, 0, false, &utf16(text))].concat()
}

/// A slide with boxes, and the id of its notes.
#[must_use]
pub fn slide(boxes: &[Vec<u8>], notes: u32) -> Vec<u8> {
    let atom = record(1007, 0, false, &numbers(&[0, 0, 0, 0, notes, 0]));
    let boxes: Vec<u8> = boxes.iter().flat_map(|inner| record(0xf00d, 0, true, inner)).collect();
    record(1006, 0, true, &[atom, record(1036, 0, true, &boxes)].concat())
}

/// A presentation of two slides that the file stores in reverse order. The second has notes.
#[must_use]
pub fn ppt() -> Vec<u8> {
    let second = slide(&[record(3998, 0, false, &numbers(&[0])), text(false, "a box\rof two")], 300);
    let first = slide(&[record(3998, 0, false, &numbers(&[0])), record(4008, 0, false, b"caf\xe9")], 0);
    let notes = record(1008, 0, true, &record(0xf00d, 0, true, &text(false, "say hello")));
    let listed = |persist: u32, id: u32, texts: &[u8]| {
        [record(1011, 0, false, &numbers(&[persist, 0, 0, id, 0])), texts.to_vec()].concat()
    };
    let outline = [
        listed(3, 256, &text(true, "First")),
        listed(2, 257, &[text(true, "Second"), text(false, "outline only")].concat()),
    ];
    let document = record(
        1000,
        0,
        true,
        &[
            record(1001, 0, false, &numbers(&[5760, 4320])),
            record(4080, 0, true, &outline.concat()),
            record(4080, 2, true, &listed(4, 300, &[])),
        ]
        .concat(),
    );
    let mut stream = Vec::new();
    let mut places = Vec::new();
    for part in [&document, &second, &first, &notes] {
        places.push(u32::try_from(stream.len()).unwrap());
        stream.extend(part);
    }
    let directory = u32::try_from(stream.len()).unwrap();
    stream.extend(record(6002, 0, false, &numbers(&[[4 << 20 | 1].as_slice(), &places].concat())));
    let edit = u32::try_from(stream.len()).unwrap();
    stream.extend(record(4085, 0, false, &numbers(&[0, 0, 0, directory, 1, 5, 0])));
    let user = record(4086, 0, false, &numbers(&[20, 0xe391_c05f, edit, 0]));
    compound(&[("PowerPoint Document", stream), ("Current User", user)])
}
