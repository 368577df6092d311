//! The stream of records.

use crate::ole::u16_at;

/// Record types ([MS-XLS] 2.3).
pub(super) mod kind {
    pub(in super::super) const FORMULA: u16 = 0x0006;
    pub(in super::super) const EOF: u16 = 0x000a;
    pub(in super::super) const DATE1904: u16 = 0x0022;
    pub(in super::super) const FILEPASS: u16 = 0x002f;
    pub(in super::super) const CONTINUE: u16 = 0x003c;
    pub(in super::super) const CODEPAGE: u16 = 0x0042;
    pub(in super::super) const BOUNDSHEET: u16 = 0x0085;
    pub(in super::super) const MULRK: u16 = 0x00bd;
    pub(in super::super) const RSTRING: u16 = 0x00d6;
    pub(in super::super) const XF: u16 = 0x00e0;
    pub(in super::super) const MERGED: u16 = 0x00e5;
    pub(in super::super) const SST: u16 = 0x00fc;
    pub(in super::super) const LABELSST: u16 = 0x00fd;
    pub(in super::super) const NUMBER: u16 = 0x0203;
    pub(in super::super) const LABEL: u16 = 0x0204;
    pub(in super::super) const BOOLERR: u16 = 0x0205;
    pub(in super::super) const STRING: u16 = 0x0207;
    pub(in super::super) const RK: u16 = 0x027e;
    pub(in super::super) const FORMAT: u16 = 0x041e;
    pub(in super::super) const BOF: u16 = 0x0809;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    pub(super) data: &'a [u8],
}

/// Iterates over records; a truncated one ends the iteration.
#[derive(Debug)]
pub(super) struct Records<'a>(&'a [u8]);

impl<'a> Records<'a> {
    pub(super) fn new(stream: &'a [u8]) -> Self {
        Self(stream)
    }

    /// The continuation records that follow.
    pub(super) fn continued(&mut self) -> Vec<&'a [u8]> {
        let mut parts = Vec::new();
        while u16_at(self.0, 0) == Some(kind::CONTINUE) {
            parts.extend(self.next().map(|record| record.data));
        }
        parts
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (kind, length) = (u16_at(self.0, 0)?, usize::from(u16_at(self.0, 2)?));
        let (record, rest) = self.0.split_at(self.0.len().min(4 + length));
        self.0 = rest;
        Some(Record { kind, data: record.get(4..)? })
    }
}
