//! Workbooks in the records of Excel 97.

use crate::compound;

/// A record with its header.
#[must_use]
pub fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [kind.to_le_bytes().as_slice(), &length.to_le_bytes(), data].concat()
}

/// Row, column and format of a cell.
#[must_use]
pub fn place(row: u16, column: u16, format: u16) -> Vec<u8> {
    [row, column, format].iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A cell with a number.
#[must_use]
pub fn number(row: u16, column: u16, format: u16, value: f64) -> Vec<u8> {
    record(0x0203, &[place(row, column, format), value.to_le_bytes().to_vec()].concat())
}

/// A cell that refers to the shared string table.
#[must_use]
pub fn shared(row: u16, column: u16, index: u32) -> Vec<u8> {
    record(0x00fd, &[place(row, column, 0), index.to_le_bytes().to_vec()].concat())
}

const BOF: &[u8] = &[0, 6, 5, 0];

/// The workbook stream: global records, then those of the sheets with their names and states.
#[must_use]
pub fn stream(globals: &[Vec<u8>], sheets: &[(&str, u8, Vec<u8>)]) -> Vec<u8> {
    let sizes: Vec<usize> = sheets.iter().map(|(name, ..)| 4 + 8 + name.len()).collect();
    let head = record(0x0809, BOF);
    let globals = globals.concat();
    let mut at = head.len() + globals.len() + sizes.iter().sum::<usize>() + 4;
    let mut list = Vec::new();
    let mut bodies = Vec::new();
    for (name, state, body) in sheets {
        let mut data = u32::try_from(at).unwrap().to_le_bytes().to_vec();
        data.extend([*state, 0, u8::try_from(name.len()).unwrap(), 0]);
        data.extend(name.as_bytes());
        list.extend(record(0x0085, &data));
        let body = [record(0x0809, BOF), body.clone(), record(0x000a, &[])].concat();
        at += body.len();
        bodies.extend(body);
    }
    [head, globals, list, record(0x000a, &[]), bodies].concat()
}

/// A workbook file with the content of [`stream`].
#[must_use]
pub fn book(globals: &[Vec<u8>], sheets: &[(&str, u8, Vec<u8>)]) -> Vec<u8> {
    compound(&[("Workbook", stream(globals, sheets))])
}
