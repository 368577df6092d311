//! Workbooks in the binary format of Excel (XLSB).

use crate::{archive, numbers, utf16};

/// A record of fewer than 128 bytes.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if kind < 0x80 {
        bytes.push(u8::try_from(kind).unwrap());
    } else {
        bytes.extend([u8::try_from(kind & 0x7f).unwrap() | 0x80, u8::try_from(kind >> 7).unwrap()]);
    }
    bytes.push(u8::try_from(data.len()).unwrap());
    assert!(data.len() < 0x80);
    bytes.extend(data);
    bytes
}

fn text(value: &str) -> Vec<u8> {
    [u32::try_from(value.encode_utf16().count()).unwrap().to_le_bytes().to_vec(), utf16(value)].concat()
}

fn cell(kind: u16, column: u32, format: u32, value: &[u8]) -> Vec<u8> {
    record(kind, &[column.to_le_bytes().as_slice(), &format.to_le_bytes(), value].concat())
}

/// A workbook of one sheet with every kind of cell.
#[must_use]
pub fn book() -> Vec<u8> {
    let sheet = record(156, &[vec![0, 0, 0, 0, 1, 0, 0, 0], text("rId1"), text("Binary")].concat());
    let styles = [
        record(617, &[]),
        record(47, &[0; 16]),
        record(47, &[[0, 0, 14, 0].as_slice(), &[0; 12]].concat()),
        record(618, &[]),
    ];
    let rows = [
        record(0, &0_u32.to_le_bytes()),
        cell(7, 0, 0, &0_u32.to_le_bytes()),
        cell(6, 1, 0, &text("inline")),
        cell(5, 2, 1, &45_943.0_f64.to_le_bytes()),
        record(0, &4_u32.to_le_bytes()),
        cell(2, 0, 0, &((5_u32 << 2) | 2).to_le_bytes()),
        cell(4, 1, 0, &[0]),
        cell(11, 2, 0, &[0x2a]),
        record(0, &5_u32.to_le_bytes()),
        cell(2, 0, 0, &((7_u32 << 2) | 2).to_le_bytes()),
        record(176, &numbers(&[5, 5, 0, 1])),
    ];
    let strings = record(19, &[vec![0], text("shared \u{e9}")].concat());
    let relations = "<Relationships><Relationship Id='rId1' Type='http://x/worksheet' Target='worksheets/s.bin'/></Relationships>";
    let (styles, rows) = (styles.concat(), rows.concat());
    let files: [(&str, &[u8]); 6] = [
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.bin", &sheet),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/sharedStrings.bin", &strings),
        ("xl/styles.bin", &styles),
        ("xl/worksheets/s.bin", &rows),
    ];
    archive(&files, true)
}
