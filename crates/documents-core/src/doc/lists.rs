//! Lists and the numbering of their items ([MS-DOC] 2.9.131, 2.9.148, 2.9.150).

use super::fib::Fib;
use crate::ole::{u16_at, u32_at};

/// Maximum lists of one document. Protects memory.
const LISTS: usize = 20_000;
/// Levels of a list.
const LEVELS: usize = 9;
/// Number formats of levels with bullets, and without any mark.
const BULLET: u8 = 23;
const NONE: u8 = 255;

/// The lists that paragraphs refer to, from 1 on.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// For each list, the index of its definition.
    named: Vec<Option<usize>>,
    /// For each definition, whether its levels are numbered.
    numbered: Vec<Vec<bool>>,
}

impl Lists {
    pub(super) fn read(table: &[u8], fib: &Fib) -> Self {
        let part = |(start, _): (usize, usize)| table.get(start..).unwrap_or_default();
        if fib.lists.1 == 0 || fib.overrides.1 == 0 {
            return Self::default();
        }
        let definitions = part(fib.lists);
        let count = usize::from(u16_at(definitions, 0).unwrap_or(0)).min(LISTS);
        let mut levels = definitions.get(2 + count * 28..).unwrap_or_default();
        let (mut ids, mut numbered) = (Vec::new(), Vec::new());
        for index in 0..count {
            let Some(list) = definitions.get(2 + index * 28..2 + index * 28 + 28) else { break };
            ids.push(u32_at(list, 0).unwrap_or(0));
            let simple = list.get(26).is_some_and(|flags| flags & 1 == 1);
            numbered.push((0..if simple { 1 } else { LEVELS }).map(|_| next_level(&mut levels)).collect());
        }
        let overrides = part(fib.overrides);
        let count = (u32_at(overrides, 0).unwrap_or(0) as usize).min(LISTS);
        let place = |index: usize| {
            let id = u32_at(overrides, 4 + index * 16)?;
            ids.iter().position(|known| *known == id)
        };
        Self { named: (0..count).map(place).collect(), numbered }
    }

    /// The definition of a list by its number, and whether one of its levels is numbered.
    pub(super) fn level(&self, number: u16, depth: u8) -> Option<(usize, bool)> {
        let definition = (*self.named.get(usize::from(number).checked_sub(1)?)?)?;
        let levels = self.numbered.get(definition)?;
        Some((definition, levels.get(usize::from(depth)).or(levels.first()).copied().unwrap_or(false)))
    }
}

/// Whether the next level is numbered. Its properties and its text follow its header of 28 bytes.
fn next_level(levels: &mut &[u8]) -> bool {
    let format = levels.get(4).copied().unwrap_or(BULLET);
    let size = |at: usize| usize::from(levels.get(at).copied().unwrap_or(0));
    let text_at = 28 + size(24) + size(25);
    let characters = usize::from(u16_at(levels, text_at).unwrap_or(0));
    *levels = levels.get(text_at + 2 + characters * 2..).unwrap_or_default();
    !matches!(format, BULLET | NONE)
}
