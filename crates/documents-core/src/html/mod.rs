//! HTML, parsed from the token stream: no tree is built, so nesting costs nothing.

mod elements;
mod table;

use std::borrow::Cow;

use document::{BlockKind, Document, Format};
use html::{Lexer, Tag, Token, decode_text, heading_level, is_void};

use crate::Limits;
use crate::builder::Builder;
use elements::{BLOCKS, CLOSED_BY_NEXT, SKIPPED, is_hidden, language};
use table::Table;

/// Parses HTML, whose lines end with line feeds, to blocks and Markdown.
pub(crate) fn parse_html(text: &str, limits: &Limits) -> Document {
    let mut state = State::new(limits);
    let mut lexer = Lexer::new(text);
    while let Some(token) = lexer.next() {
        match token {
            Token::Text(text) => state.text(text),
            Token::Start(tag) if state.is_title(&tag) => state.title.push_str(&title(&tag, &mut lexer)),
            Token::Start(tag) => {
                let is_raw = matches!(tag.name, "script" | "style" | "iframe" | "noscript");
                if state.tag(&tag, true) && is_raw && !tag.closed {
                    lexer.raw_text(tag.name);
                }
            }
            Token::End(tag) => _ = state.tag(&tag, false),
        }
    }
    state.finish()
}

struct State<'a> {
    builder: Builder,
    limits: Limits,
    /// Text of the open block.
    open: String,
    kind: BlockKind,
    lists: Vec<(bool, u32)>,
    table: Option<Table>,
    /// The element whose content is skipped, and its nesting depth.
    skipped: Option<(&'a str, usize)>,
    preformatted: usize,
    quotes: usize,
    /// Bytes of `open` that are the term of a definition that begins.
    defining: Option<usize>,
    title: String,
    nodes: usize,
}

impl<'a> State<'a> {
    fn new(limits: &Limits) -> Self {
        Self {
            builder: Builder::new(Format::Html, limits),
            limits: *limits,
            open: String::new(),
            kind: BlockKind::Paragraph,
            lists: Vec::new(),
            table: None,
            skipped: None,
            preformatted: 0,
            quotes: 0,
            defining: None,
            title: String::new(),
            nodes: 0,
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_none() && self.count_node() {
            let target = self.table.as_mut().and_then(Table::open_cell).unwrap_or(&mut self.open);
            target.push_str(&decode_text(text));
        }
    }

    /// Counts a node; false when the limit is reached.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limits.nodes || self.open.len() > self.limits.text_bytes {
            self.builder.truncate();
        }
        !self.builder.is_full()
    }

    /// Whether a start tag begins the title of the document.
    fn is_title(&self, tag: &Tag<'_>) -> bool {
        tag.name == "title" && self.skipped.is_none_or(|(skipped, _)| skipped.eq_ignore_ascii_case("head"))
    }

    /// Handles a tag; returns whether it belongs to a skipped element.
    fn tag(&mut self, tag: &Tag<'a>, start: bool) -> bool {
        if tag.name == "html" && start {
            self.builder.document_mut().metadata.language = language(tag);
        }
        let is_skipped = self.skip(tag, start);
        if !is_skipped && self.count_node() {
            self.element(tag, start);
        }
        is_skipped
    }

    /// Tracks skipped elements; returns whether this tag belongs to one.
    fn skip(&mut self, tag: &Tag<'a>, start: bool) -> bool {
        let is_same = |skipped: &str| skipped.eq_ignore_ascii_case(tag.raw_name);
        match &mut self.skipped {
            // A hidden element that ends where the next of its kind begins.
            Some((skipped, _)) if start && is_same(skipped) && CLOSED_BY_NEXT.contains(&tag.name) => {
                self.skipped = None;
                self.skip(tag, start)
            }
            Some((skipped, depth)) if is_same(skipped) => {
                *depth = if start { *depth + 1 } else { *depth - 1 };
                if *depth == 0 {
                    self.skipped = None;
                }
                true
            }
            // An unclosed head ends where the body begins.
            Some((skipped, _)) if skipped.eq_ignore_ascii_case("head") && tag.name == "body" => {
                self.skipped = None;
                false
            }
            Some(_) => true,
            None if start
                && !tag.closed
                && (SKIPPED.contains(&tag.name) || (is_hidden(tag) && !is_void(tag.name))) =>
            {
                self.skipped = Some((tag.raw_name, 1));
                true
            }
            None => false,
        }
    }

    fn element(&mut self, tag: &Tag<'_>, start: bool) {
        let name = tag.name;
        if self.table.is_some() || (name == "table" && start) {
            self.table_element(tag, start);
            return;
        }
        match name {
            "br" => self.open.push('\n'),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = heading_level(name).unwrap_or(1);
                self.switch(if start { BlockKind::Heading { level } } else { BlockKind::Paragraph });
            }
            "ul" | "ol" => {
                self.flush();
                if start {
                    self.lists.push((name == "ol", 0));
                } else {
                    self.lists.pop();
                }
            }
            "li" => {
                let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
                let ordered = self.lists.last().is_some_and(|(ordered, _)| *ordered);
                self.switch(if start {
                    BlockKind::ListItem { depth, ordered }
                } else {
                    BlockKind::Paragraph
                });
            }
            "pre" => {
                self.flush();
                self.preformatted =
                    if start { self.preformatted + 1 } else { self.preformatted.saturating_sub(1) };
                self.kind = if start { BlockKind::Code } else { BlockKind::Paragraph };
            }
            "blockquote" => {
                self.flush();
                self.quotes = if start { self.quotes + 1 } else { self.quotes.saturating_sub(1) };
            }
            // A term waits for its definition.
            "dt" if !start => {}
            "dd" if start && !self.open.trim().is_empty() => self.define(),
            _ if BLOCKS.contains(&name) && !(start && self.is_defining()) => self.flush(),
            _ => {}
        }
    }

    /// Appends a definition to its term, as in "Port: left side".
    fn define(&mut self) {
        self.open.truncate(self.open.trim_end().len());
        self.open.push_str(if self.open.ends_with(':') { " " } else { ": " });
        self.defining = Some(self.open.len());
    }

    /// Whether a definition is still empty.
    fn is_defining(&self) -> bool {
        let said = self.defining.and_then(|term| self.open.get(term..));
        said.is_some_and(|said| said.trim().is_empty())
    }

    fn switch(&mut self, kind: BlockKind) {
        self.flush();
        self.kind = kind;
    }

    fn table_element(&mut self, tag: &Tag<'_>, start: bool) {
        if self.table.is_none() {
            self.flush();
        }
        let limit = self.limits.cells;
        if self.table.get_or_insert_with(Table::default).element(start, tag, limit) {
            self.end_table();
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        let rows = table.into_rows(self.limits.cells);
        // A caption, and any text outside of cells, precedes the table.
        self.flush();
        // A table of one column is layout, not data.
        if rows.iter().all(|row| row.len() <= 1) {
            for cell in rows.into_iter().flatten() {
                self.open.push_str(&cell.text);
                self.flush();
            }
        } else {
            self.builder.table(&rows, &self.limits);
        }
    }

    /// Closes the open block.
    fn flush(&mut self) {
        let raw = std::mem::take(&mut self.open);
        self.defining = None;
        let text = if self.preformatted > 0 { raw.trim_matches('\n').to_owned() } else { collapsed(&raw) };
        if text.trim().is_empty() {
            return;
        }
        let kind = if self.quotes > 0 && self.kind == BlockKind::Paragraph {
            BlockKind::Quote
        } else {
            self.kind.clone()
        };
        let mark = match &kind {
            BlockKind::Heading { level } => format!("{} ", "#".repeat(usize::from(*level))),
            BlockKind::ListItem { depth, ordered: false } => {
                format!("{}- ", "  ".repeat(usize::from(*depth).min(20)))
            }
            BlockKind::ListItem { depth, ordered: true } => {
                let number = self.lists.last_mut().map_or(1, |(_, count)| {
                    *count += 1;
                    *count
                });
                format!("{}{number}. ", "  ".repeat(usize::from(*depth).min(20)))
            }
            BlockKind::Quote => "> ".to_owned(),
            _ => String::new(),
        };
        if kind == BlockKind::Code {
            // A fence that the code itself does not contain.
            let fence = if text.contains("```") { "~~~~" } else { "```" };
            self.builder.block(kind, &format!("{fence}\n"), &text);
            self.builder.push(&format!("\n{fence}"));
        } else {
            self.builder.block(kind, &mark, &text);
        }
        if matches!(self.kind, BlockKind::ListItem { .. }) {
            self.kind = BlockKind::Paragraph;
        }
    }

    fn finish(mut self) -> Document {
        while self.table.is_some() {
            self.end_table();
        }
        self.flush();
        let title = collapsed(&self.title).replace('\n', " ");
        self.builder.document_mut().metadata.title = (!title.is_empty()).then_some(title);
        self.builder.finish()
    }
}

/// The text of a title; one without its end tag has none.
fn title<'a>(tag: &Tag<'a>, lexer: &mut Lexer<'a>) -> Cow<'a, str> {
    if tag.closed { Cow::Borrowed("") } else { decode_text(lexer.raw_text(tag.name)) }
}

/// Collapses white space as a browser does; explicit line breaks stay.
fn collapsed(text: &str) -> String {
    let lines = text.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
