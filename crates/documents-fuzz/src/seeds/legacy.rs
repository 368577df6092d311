//! Word and PowerPoint documents until 2003.

use super::{compound, long, numbers, utf16};

pub(crate) fn doc() -> Vec<Vec<u8>> {
    let wide = utf16("\u{4e00}\u{1f600} second paragraph\r");
    let plain: Vec<Vec<u8>> = vec![
        b"Caf\xe9 \x96 one\rsee \x13 HYPERLINK \"http://x.example\" \x14the \x13 PAGE \x147\x15 site\x15 and\x1emore\x0bline\r".to_vec(),
        wide,
        b"a\x07b\x07\x07c\x07d\x07\x07\x0cnote\x02\r".to_vec(),
    ];
    let in_table = vec![0, 0, 0x16, 0x24, 1, 0];
    let row_end = vec![0, 0, 0x16, 0x24, 1, 0x17, 0x24, 1];
    let item = vec![0, 0, 0x0a, 0x26, 1, 0x0b, 0x46, 1, 0, 0];
    let properties = [
        vec![2, 0],
        vec![0, 0],
        item,
        in_table.clone(),
        in_table.clone(),
        row_end.clone(),
        in_table.clone(),
        in_table,
        row_end,
    ];
    let styled = b"Title\rsome text\rpoint\ra\x07b\x07\x07c\x07d\x07\x07".to_vec();
    vec![document(&plain, &[false, true, false], &[]), document(&[styled], &[false], &properties)]
}

/// A document of pieces, each of one or of two bytes a character, with the properties of its paragraphs.
fn document(pieces: &[Vec<u8>], wide: &[bool], properties: &[Vec<u8>]) -> Vec<u8> {
    const TEXT: usize = 0x600;
    let mut main = vec![0; TEXT];
    let (mut positions, mut places, mut position) = (vec![0], Vec::new(), 0);
    for (piece, wide) in pieces.iter().zip(wide) {
        let place = main.len();
        places.push(if *wide { place } else { (place * 2) | 0x4000_0000 });
        position += if *wide { piece.len() / 2 } else { piece.len() };
        positions.push(position);
        main.extend(piece);
    }
    let mut table: Vec<u8> = vec![1, 2, 0, 0xaa, 0xbb, 2];
    table.extend(long(positions.len() * 4 + places.len() * 8));
    table.extend(positions.iter().flat_map(|position| long(*position)));
    for place in places {
        table.extend([0, 0]);
        table.extend(long(place));
        table.extend([0, 0]);
    }
    let pieces_end = table.len();
    if !properties.is_empty() {
        page_of_properties(&mut main, &mut table, properties, TEXT);
    }
    let properties_end = table.len();
    let mut list = vec![1, 0, 77, 0, 0, 0];
    list.extend([0; 22]);
    list.extend([1, 0, 1, 0, 0, 0]);
    list.extend([0; 26]);
    table.extend(&list);
    let overrides = table.len();
    table.extend([1, 0, 0, 0, 77, 0, 0, 0]);
    table.extend([0; 12]);
    let entries = [
        (0, 0x00c1_a5ec),
        (0x4c, position),
        (0x01a2 + 4, pieces_end),
        (0x0102, pieces_end),
        (0x0106, properties_end - pieces_end),
        (0x02e2, properties_end),
        (0x02e6, overrides - properties_end),
        (0x02ea, overrides),
        (0x02ee, 20),
    ];
    for (at, value) in entries {
        main.splice(at..at + 4, long(value));
    }
    compound(vec![("WordDocument", main), ("0Table", table)])
}

/// One page of properties, for the only piece: a paragraph ends at each of the marks.
fn page_of_properties(main: &mut Vec<u8>, table: &mut Vec<u8>, properties: &[Vec<u8>], start: usize) {
    let text = main.get(start..).unwrap_or_default().to_vec();
    let ends = (start + 1..).zip(&text).filter(|(_, byte)| matches!(byte, 13 | 7)).map(|(end, _)| end);
    let ends: Vec<usize> = ends.collect();
    let mut page = vec![0; 512];
    let count = ends.len();
    let mut at = 510;
    page.splice(..4, long(start));
    for (index, (end, papx)) in ends.iter().zip(properties).enumerate() {
        page.splice(index * 4 + 4..index * 4 + 8, long(*end));
        at = (at - papx.len() - 2) & !1;
        let place = (count + 1) * 4 + index * 13;
        page.splice(place..=place, [(at / 2).to_le_bytes()[0]]);
        let mut entry = vec![0, (papx.len() / 2).to_le_bytes()[0]];
        entry.extend(papx);
        page.splice(at..at + entry.len(), entry);
    }
    page.splice(511.., [count.to_le_bytes()[0]]);
    main.resize(main.len().next_multiple_of(512), 0);
    let number = main.len() / 512;
    main.extend(page);
    for value in [start, ends.last().copied().unwrap_or(start), number] {
        table.extend(long(value));
    }
}

fn record(kind: u16, instance: u16, container: bool, data: &[u8]) -> Vec<u8> {
    let head = instance << 4 | if container { 15 } else { 0 };
    [head.to_le_bytes().as_slice(), &kind.to_le_bytes(), &long(data.len()), data].concat()
}

fn text(kind: u32, text: &str) -> Vec<u8> {
    [record(3999, 0, false, &numbers(&[kind])), record(4000, 0, false, &utf16(text))].concat()
}

fn slide(boxes: &[Vec<u8>], notes: u32) -> Vec<u8> {
    let atom = record(1007, 0, false, &numbers(&[0, 0, 0, 0, notes, 0]));
    let boxes: Vec<u8> = boxes.iter().flat_map(|inner| record(0xf00d, 0, true, inner)).collect();
    record(1006, 0, true, &[atom, record(1036, 0, true, &boxes)].concat())
}

pub(crate) fn ppt() -> Vec<Vec<u8>> {
    let second = slide(&[record(3998, 0, false, &numbers(&[0])), text(1, "a box\rof two")], 300);
    let first = slide(&[record(3998, 0, false, &numbers(&[0])), record(4008, 0, false, b"caf\xe9")], 0);
    let notes = record(1008, 0, true, &record(0xf00d, 0, true, &text(1, "say hello")));
    let listed = |persist: u32, id: u32, texts: &[u8]| {
        [record(1011, 0, false, &numbers(&[persist, 0, 0, id, 0])), texts.to_vec()].concat()
    };
    let outline = [
        listed(3, 256, &text(0, "First")),
        listed(2, 257, &[text(0, "Second"), text(1, "outline")].concat()),
    ];
    let document = [
        record(1001, 0, false, &numbers(&[5760, 4320])),
        record(4080, 0, true, &outline.concat()),
        record(4080, 2, true, &listed(4, 300, &[])),
    ];
    let document = record(1000, 0, true, &document.concat());
    let mut stream = Vec::new();
    let mut places = Vec::new();
    for part in [&document, &second, &first, &notes] {
        places.extend(long(stream.len()));
        stream.extend(part);
    }
    let directory = stream.len();
    let all = [numbers(&[4 << 20 | 1]), places].concat();
    stream.extend(record(6002, 0, false, &all));
    let edit = stream.len();
    let last = [numbers(&[0, 0, 0]), long(directory).to_vec(), numbers(&[1, 5, 0])].concat();
    stream.extend(record(4085, 0, false, &last));
    let user = [numbers(&[20, 0xe391_c05f]), long(edit).to_vec(), numbers(&[0])].concat();
    vec![compound(vec![("PowerPoint Document", stream), ("Current User", record(4086, 0, false, &user))])]
}
