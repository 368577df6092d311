//! Compound files: the container of Office documents before 2007 and of Outlook messages.
//!
//! Sectors, chains and the directory follow [MS-CFB]. Every chain is bounded by the file's own sectors, so
//! that a cycle ends; every entry is visited once.

use document::ParseError;

use crate::kind;

/// The signature of compound files.
pub(crate) const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// Sector numbers from here on are special values.
const MARKS: u32 = 0xffff_fffa;
const NONE: u32 = 0xffff_ffff;
/// Bytes of a directory entry.
const ENTRY: usize = 128;

/// A storage or stream.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) storage: bool,
    start: u32,
    size: u64,
    siblings: [u32; 2],
    child: u32,
    /// Its direct children.
    pub(crate) children: Vec<usize>,
}

/// A compound file. Entry 0 is the root.
#[derive(Debug)]
pub(crate) struct Compound<'a> {
    bytes: &'a [u8],
    sector: usize,
    fat: Vec<u32>,
    mini: Vec<u32>,
    cutoff: u64,
    mini_stream: Vec<u8>,
    pub(crate) entries: Vec<Entry>,
}

impl<'a> Compound<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let damaged = || ParseError::Damaged("its compound file has no directory".to_owned());
        if !bytes.starts_with(MAGIC) {
            return Err(damaged());
        }
        let sector = match u16_at(bytes, 30) {
            Some(12) => 4_096,
            _ => 512,
        };
        let mut file = Self {
            bytes,
            sector,
            fat: Vec::new(),
            mini: Vec::new(),
            cutoff: u64::from(u32_at(bytes, 56).unwrap_or(4_096)),
            mini_stream: Vec::new(),
            entries: Vec::new(),
        };
        file.fat = file.read_fat();
        let directory = file.chain(u32_at(bytes, 48).unwrap_or(NONE));
        file.entries = directory.chunks_exact(ENTRY).map(read_entry).collect();
        let mini = file.chain(u32_at(bytes, 60).unwrap_or(NONE));
        file.mini = mini.chunks_exact(4).filter_map(|four| u32_at(four, 0)).collect();
        let root = file.entries.first().ok_or_else(damaged)?;
        file.mini_stream = file.chain(root.start);
        file.link();
        Ok(file)
    }

    /// The child entry with a name, ignoring case.
    pub(crate) fn child(&self, parent: usize, name: &str) -> Option<usize> {
        let children = &self.entries.get(parent)?.children;
        children.iter().copied().find(|child| self.entries[*child].name.eq_ignore_ascii_case(name))
    }

    /// The bytes of a stream; fewer than declared when the file is truncated.
    pub(crate) fn stream(&self, entry: usize) -> Vec<u8> {
        let Some(entry) = self.entries.get(entry).filter(|entry| !entry.storage) else { return Vec::new() };
        let size = usize::try_from(entry.size).unwrap_or(usize::MAX);
        let mut content = if entry.size < self.cutoff {
            self.mini_chain(entry.start, size)
        } else {
            self.chain(entry.start)
        };
        content.truncate(size);
        content
    }

    /// The bytes of the stream with a name in the root.
    pub(crate) fn root_stream(&self, name: &str) -> Option<Vec<u8>> {
        self.child(0, name).map(|entry| self.stream(entry))
    }

    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector)?;
        let end = start.checked_add(self.sector)?.min(self.bytes.len());
        self.bytes.get(start..end)
    }

    fn read_fat(&self) -> Vec<u32> {
        let limit = self.bytes.len() / self.sector + 1;
        let mut sectors: Vec<u32> = (0..109).filter_map(|index| u32_at(self.bytes, 76 + index * 4)).collect();
        let mut next = u32_at(self.bytes, 68).unwrap_or(NONE);
        for _ in 0..limit {
            let Some(sector) = self.sector(next).filter(|_| next < MARKS) else { break };
            let last = self.sector - 4;
            sectors.extend(sector.chunks_exact(4).take(last / 4).filter_map(|four| u32_at(four, 0)));
            next = u32_at(sector, last).unwrap_or(NONE);
        }
        let mut fat = Vec::new();
        for number in sectors.into_iter().filter(|number| *number < MARKS).take(limit) {
            // A missing sector of the table still counts.
            let sector = self.sector(number).unwrap_or_default();
            let entries = sector.chunks_exact(4).filter_map(|four| u32_at(four, 0));
            fat.extend(entries.chain(std::iter::repeat(NONE)).take(self.sector / 4));
            if fat.len() > limit {
                break;
            }
        }
        fat
    }

    fn chain(&self, start: u32) -> Vec<u8> {
        let mut content = Vec::new();
        let mut next = start;
        for _ in 0..=self.fat.len() {
            let Some(sector) = self.sector(next).filter(|_| next < MARKS) else { break };
            // More bytes than the file has: the chain is a cycle.
            if content.len() > self.bytes.len() {
                break;
            }
            content.extend_from_slice(sector);
            next = self.fat.get(next as usize).copied().unwrap_or(NONE);
        }
        content
    }

    fn mini_chain(&self, start: u32, size: usize) -> Vec<u8> {
        let mut content = Vec::new();
        let mut next = start;
        while next < MARKS && content.len() < size {
            let from = (next as usize).saturating_mul(64);
            let end = from.saturating_add(64).min(self.mini_stream.len());
            let Some(part) = self.mini_stream.get(from..end).filter(|part| !part.is_empty()) else { break };
            content.extend_from_slice(part);
            next = self.mini.get(next as usize).copied().unwrap_or(NONE);
        }
        content
    }

    /// Follows the directory's trees. An entry belongs to the first storage that reaches it.
    fn link(&mut self) {
        let mut seen = vec![false; self.entries.len()];
        if let Some(root) = seen.first_mut() {
            *root = true;
        }
        let mut storages = vec![0];
        while let Some(storage) = storages.pop() {
            let mut pending = vec![self.entries[storage].child];
            let mut children = Vec::new();
            while let Some(number) = pending.pop() {
                let index = number as usize;
                if seen.get(index).is_none_or(|seen| *seen) {
                    continue;
                }
                seen[index] = true;
                pending.extend(self.entries[index].siblings);
                if !self.entries[index].name.is_empty() {
                    children.push(index);
                }
                if self.entries[index].storage {
                    storages.push(index);
                }
            }
            children.sort_unstable();
            self.entries[storage].children = children;
        }
    }
}

fn read_entry(entry: &[u8]) -> Entry {
    let length = usize::from(u16_at(entry, 64).unwrap_or(0)).saturating_sub(2).min(62);
    let units = entry.chunks_exact(2).take(length / 2).filter_map(|two| u16_at(two, 0));
    let at = |offset| u32_at(entry, offset).unwrap_or(NONE);
    Entry {
        name: char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect(),
        storage: matches!(entry.get(66), Some(1 | 5)),
        start: at(116),
        // Only files with 4 KiB sectors use the upper half; in others it may be garbage.
        size: u64::from(at(120)),
        siblings: [at(68), at(72)],
        child: at(76),
        children: Vec::new(),
    }
}

/// The content type of a compound file by the names in its root, as far as they are known.
pub(crate) fn kind(bytes: &[u8]) -> &'static str {
    if let Ok(file) = Compound::open(bytes)
        && let Some(root) = file.entries.first()
        && !root.children.is_empty()
    {
        let names = root.children.iter().filter_map(|child| file.entries.get(*child));
        return kind_of(names.map(|entry| entry.name.as_str()));
    }
    kind_of(names_in(bytes).iter().map(String::as_str))
}

/// Names of directory entries anywhere in the bytes, for files of which only the beginning is known.
fn names_in(bytes: &[u8]) -> Vec<String> {
    let plausible =
        |entry: &&[u8]| matches!(entry.get(66), Some(1 | 2 | 5)) && matches!(entry.get(67), Some(0 | 1));
    bytes.chunks_exact(ENTRY).skip(4).filter(plausible).map(|entry| read_entry(entry).name).collect()
}

fn kind_of<'n>(names: impl Iterator<Item = &'n str>) -> &'static str {
    let mut kind = kind::OLE;
    for name in names {
        match name {
            "__properties_version1.0" | "__nameid_version1.0" => return kind::MSG,
            "PowerPoint Document" => return kind::PPT,
            "EncryptedPackage" => return kind::ENCRYPTED,
            "WordDocument" => kind = kind::DOC,
            "Workbook" | "Book" if kind != kind::DOC => kind = kind::XLS,
            _ => {}
        }
    }
    kind
}

/// A little-endian number of 16 bits; `None` past the end.
pub(crate) fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    let part = bytes.get(offset..offset.checked_add(2)?)?;
    part.try_into().ok().map(u16::from_le_bytes)
}

/// A little-endian number of 32 bits; `None` past the end.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let part = bytes.get(offset..offset.checked_add(4)?)?;
    part.try_into().ok().map(u32::from_le_bytes)
}

/// A little-endian number of 64 bits; `None` past the end.
pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let part = bytes.get(offset..offset.checked_add(8)?)?;
    part.try_into().ok().map(u64::from_le_bytes)
}
