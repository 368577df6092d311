//! The nested records of a presentation.

use crate::ole::{u16_at, u32_at};

/// Maximum nesting of records. Protects the stack.
pub(super) const DEPTH: usize = 40;

/// Record types ([MS-PPT] 2.13.24).
pub(super) mod kind {
    pub(in super::super) const DOCUMENT: u16 = 1_000;
    pub(in super::super) const DOCUMENT_ATOM: u16 = 1_001;
    pub(in super::super) const SLIDE: u16 = 1_006;
    pub(in super::super) const SLIDE_ATOM: u16 = 1_007;
    pub(in super::super) const NOTES: u16 = 1_008;
    pub(in super::super) const PERSIST: u16 = 1_011;
    pub(in super::super) const OUTLINE_REFERENCE: u16 = 3_998;
    pub(in super::super) const TEXT_HEADER: u16 = 3_999;
    pub(in super::super) const TEXT_CHARS: u16 = 4_000;
    pub(in super::super) const TEXT_BYTES: u16 = 4_008;
    pub(in super::super) const SLIDE_LIST: u16 = 4_080;
    pub(in super::super) const USER_EDIT: u16 = 4_085;
    pub(in super::super) const PERSIST_DIRECTORY: u16 = 6_002;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    pub(super) instance: u16,
    pub(super) holds_records: bool,
    pub(super) data: &'a [u8],
}

/// Iterates over adjacent records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (head, kind) = (u16_at(self.0, 0)?, u16_at(self.0, 2)?);
        let length = u32_at(self.0, 4)? as usize;
        let rest = self.0.get(8..)?;
        let (data, rest) = rest.split_at(length.min(rest.len()));
        self.0 = rest;
        Some(Record { kind, instance: head >> 4, holds_records: head & 15 == 15, data })
    }
}

/// The record at an offset of the stream.
pub(super) fn record_at(stream: &[u8], place: usize) -> Option<Record<'_>> {
    Records(stream.get(place..)?).next()
}
