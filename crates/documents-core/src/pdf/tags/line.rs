//! The tag of a line, derived from the tags of its words.

use super::{Role, Tag};

/// The tag of most of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) struct LineTag {
    pub(in crate::pdf) role: Role,
    /// Number of the element that is its heading, item or paragraph.
    pub(in crate::pdf) block: u32,
    /// Its index in the reading order.
    pub(in crate::pdf) order: u32,
    /// Characters at its beginning that are the mark or number of a list item.
    pub(in crate::pdf) label: usize,
}

/// The tag that more than half of a line has. `words` are the tags with their character ranges.
pub(in crate::pdf) fn line_tag(words: &[(Option<Tag>, usize, usize)]) -> Option<LineTag> {
    let all: usize = words.iter().map(|(_, start, end)| end - start).sum();
    let tags = || words.iter().filter_map(|(tag, start, end)| Some(((*tag)?, end - start)));
    // Majority vote (Boyer and Moore): differing votes cancel each other, so a majority is left over.
    let mut leader: Option<(Tag, usize)> = None;
    for (tag, letters) in tags() {
        leader = match leader {
            Some((own, lead)) if own.block == tag.block => Some((own, lead + letters)),
            Some((own, lead)) if lead >= letters => Some((own, lead - letters)),
            _ => Some((tag, letters)),
        };
    }
    let (tag, _) = leader?;
    let own: usize = tags().filter(|(other, _)| other.block == tag.block).map(|(_, letters)| letters).sum();
    let order = tags().filter(|(other, _)| other.block == tag.block).map(|(other, _)| other.order).min()?;
    let is_label = |(tag, ..): &&(Option<Tag>, usize, usize)| tag.is_some_and(|tag| tag.label);
    let label = words.iter().take_while(is_label).last().map_or(0, |(.., end)| *end);
    (own * 2 > all).then_some(LineTag { role: tag.role, block: tag.block, order, label })
}
