//! The intermediate model of a text document, which the parsers of all office formats produce.

/// Text with the links in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inline {
    text: String,
    links: Vec<InlineLink>,
}

/// A link, as a byte range of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InlineLink {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) url: String,
}

/// A block of a text document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FlowBlock {
    Heading {
        level: u8,
        text: Inline,
    },
    Paragraph(Inline),
    Quote(Inline),
    Code(Inline),
    /// A picture's description.
    Figure(Inline),
    Item {
        depth: u8,
        ordered: bool,
        label: String,
        text: Inline,
    },
    Table(Vec<Vec<FlowCell>>),
    Footnote {
        label: String,
        text: Inline,
    },
}

/// A table cell. A row has a cell for each column; positions covered by a span have empty cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlowCell {
    pub(super) content: Vec<FlowBlock>,
    pub(super) row_span: u32,
    pub(super) column_span: u32,
    pub(super) header: bool,
}

impl FlowCell {
    /// A position that a span covers.
    pub(super) fn covered() -> Self {
        Self { content: Vec::new(), row_span: 1, column_span: 1, header: false }
    }
}

impl Inline {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), links: Vec::new() }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Length in bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Adds a link over the text since `start`, unless it has no external target or contains another link.
    pub(super) fn link(&mut self, start: usize, url: &str) {
        let url = url.trim();
        let is_inner = self.links.last().is_none_or(|last| last.end <= start);
        if is_inner && start < self.text.len() && !url.is_empty() && !url.starts_with('#') {
            self.links.push(InlineLink { start, end: self.text.len(), url: url.to_owned() });
        }
    }

    /// Appends another text, separated by `between` when both have content.
    pub(super) fn join(&mut self, between: &str, other: &Inline) {
        if !self.text.is_empty() && !other.text.is_empty() {
            self.text.push_str(between);
        }
        let by = self.text.len();
        self.text.push_str(&other.text);
        self.links.extend(other.links.iter().map(|link| InlineLink {
            start: link.start + by,
            end: link.end + by,
            url: link.url.clone(),
        }));
    }

    /// Replaces line breaks, so that it is one line.
    pub(super) fn replace_line_breaks(&mut self) {
        if self.text.contains(['\n', '\r']) {
            self.text = self.text.replace(['\n', '\r'], " ");
        }
    }

    /// The visible text: trimmed lines, without empty lines and control characters. The ranges of links are
    /// in characters of it.
    pub(super) fn to_visible_text(&self) -> (String, Vec<InlineLink>) {
        let mut shown = String::with_capacity(self.text.len());
        // For each link, the number of characters before its start and before its end.
        let mut places: Vec<(usize, usize)> = self.links.iter().map(|_| (usize::MAX, 0)).collect();
        let (mut count, mut pending) = (0, None::<char>);
        for (at, c) in self.text.char_indices() {
            match c {
                '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{2028}' | '\u{2029}' => pending = Some('\n'),
                c if c.is_whitespace() && c != '\u{a0}' => {
                    pending = pending.filter(|known| *known == '\n').or(Some(c))
                }
                c if c.is_control() || matches!(c, '\u{ad}' | '\u{feff}') => {}
                c => {
                    if let Some(space) = pending.take().filter(|_| !shown.is_empty()) {
                        shown.push(space);
                        count += 1;
                    }
                    mark(&self.links, &mut places, at, count);
                    shown.push(c);
                    count += 1;
                }
            }
        }
        let links = self.links.iter().zip(places).filter(|(_, (start, end))| start < end);
        let links = links.map(|(link, (start, end))| InlineLink { start, end, url: link.url.clone() });
        let links = links.collect();
        (shown, links)
    }
}

/// Records that the character at byte `at` has `count` characters before it.
fn mark(links: &[InlineLink], places: &mut [(usize, usize)], at: usize, count: usize) {
    let first = links.partition_point(|link| link.end <= at);
    for (link, place) in links.iter().zip(places).skip(first) {
        if link.start > at {
            break;
        }
        *place = (place.0.min(count), count + 1);
    }
}

/// Blocks as one line of text, for a cell or a note.
pub(super) fn flattened(blocks: &[FlowBlock]) -> Inline {
    let mut all = Inline::default();
    for block in blocks {
        match block {
            FlowBlock::Heading { text, .. }
            | FlowBlock::Paragraph(text)
            | FlowBlock::Quote(text)
            | FlowBlock::Code(text)
            | FlowBlock::Figure(text)
            | FlowBlock::Footnote { text, .. } => all.join(" ", text),
            FlowBlock::Item { label, text, .. } => {
                all.join(" ", &Inline::plain(label.clone()));
                all.join(" ", text);
            }
            FlowBlock::Table(rows) => {
                for cell in rows.iter().flatten() {
                    all.join(" ", &flattened(&cell.content));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_move_with_what_is_left_out_of_the_text() {
        let mut inline = Inline::plain("  \u{e4}b \u{ad}");
        let start = inline.len();
        inline.push(" go\there ");
        inline.link(start, "https://example.org");
        inline.push("\n\n end");
        let (text, links) = inline.to_visible_text();
        assert_eq!(text, "\u{e4}b go\there\nend");
        let link: String = text.chars().skip(links[0].start).take(links[0].end - links[0].start).collect();
        assert_eq!(link, "go\there");
    }
}
