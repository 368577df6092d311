//! HTML, read from the token stream: no tree is built, so nesting costs nothing.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::RefCell;

use crate::Limits;
use crate::builder::{Builder, NewCell};
use crate::model::{BlockKind, Document, Format};

/// Reads HTML into blocks and Markdown.
pub(crate) fn parse_html(text: &str, limits: &Limits) -> Document {
    let sink = Sink(RefCell::new(State::new(limits)));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    // The sink never asks for a pause.
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

/// The charset that a document declares in its first kilobyte.
pub(crate) fn declared_charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(1_024))?).to_ascii_lowercase();
    let after = head.split("charset=").nth(1)?;
    let label: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_:".contains(*c))
        .collect();
    (!label.is_empty()).then_some(label)
}

struct Sink(RefCell<State>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => state.text(&text),
            Token::TagToken(tag) => return state.tag(&tag),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// A table while it is read. Inner tables add their text to the outer cell.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<NewCell>>,
    depth: usize,
    in_cell: bool,
    cells: usize,
}

struct State {
    builder: Builder,
    limits: Limits,
    /// Text of the block that is open.
    open: String,
    kind: BlockKind,
    lists: Vec<(bool, u32)>,
    table: Option<Table>,
    /// The element whose content is left out, and how often it is open.
    skipped: Option<(String, usize)>,
    preformatted: usize,
    quotes: usize,
    in_title: bool,
    title: String,
    nodes: usize,
}

/// Elements whose content is no text of the page.
const SKIPPED: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select", "canvas",
];
/// Elements that begin a new block.
const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "header",
    "footer",
    "main",
    "nav",
    "aside",
    "address",
    "form",
    "fieldset",
    "figure",
    "figcaption",
    "dl",
    "dt",
    "dd",
    "hr",
    "body",
    "html",
    "details",
    "summary",
    "legend",
    "caption",
    "center",
];

impl State {
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
            in_title: false,
            title: String::new(),
            nodes: 0,
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.push_str(text);
        } else if self.skipped.is_none() && self.room() {
            let target = match self.table.as_mut().filter(|table| table.in_cell) {
                Some(table) => match table.rows.last_mut().and_then(|row| row.last_mut()) {
                    Some(cell) => &mut cell.text,
                    None => &mut self.open,
                },
                None => &mut self.open,
            };
            target.push_str(text);
        }
    }

    /// Whether more may be read.
    fn room(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limits.nodes || self.open.len() > self.limits.text_bytes {
            self.builder.truncate();
        }
        !self.builder.is_full()
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let start = tag.kind == TagKind::StartTag;
        if name == "title" && (self.skipped.as_ref().is_none_or(|(skipped, _)| skipped == "head")) {
            self.in_title = start;
            return if start {
                TokenSinkResult::RawData(html5ever::tokenizer::states::Rcdata)
            } else {
                TokenSinkResult::Continue
            };
        }
        if self.skip(name, start, tag) {
            return if start && (name == "script" || name == "style" || name == "iframe" || name == "noscript")
            {
                TokenSinkResult::RawData(html5ever::tokenizer::states::Rawtext)
            } else {
                TokenSinkResult::Continue
            };
        }
        if self.room() {
            self.element(name, start, tag);
        }
        TokenSinkResult::Continue
    }

    /// Follows elements that are left out; answers whether this tag belongs to one.
    fn skip(&mut self, name: &str, start: bool, tag: &Tag) -> bool {
        match &mut self.skipped {
            Some((skipped, depth)) if skipped == name => {
                *depth = if start { *depth + 1 } else { *depth - 1 };
                if *depth == 0 {
                    self.skipped = None;
                }
                true
            }
            // A head that is never closed ends where the body begins.
            Some((skipped, _)) if skipped == "head" && name == "body" => {
                self.skipped = None;
                false
            }
            Some(_) => true,
            None if start
                && !tag.self_closing
                && (SKIPPED.contains(&name) || (hidden(tag) && !is_void(name))) =>
            {
                self.skipped = Some((name.to_owned(), 1));
                true
            }
            None => false,
        }
    }

    fn element(&mut self, name: &str, start: bool, tag: &Tag) {
        if self.table.is_some() || (name == "table" && start) {
            self.table_element(name, start, tag);
            return;
        }
        match name {
            "br" => self.open.push('\n'),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.as_bytes().get(1).map_or(1, |digit| digit - b'0');
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
            _ if BLOCKS.contains(&name) => self.flush(),
            _ => {}
        }
    }

    fn switch(&mut self, kind: BlockKind) {
        self.flush();
        self.kind = kind;
    }

    fn table_element(&mut self, name: &str, start: bool, tag: &Tag) {
        if self.table.is_none() {
            self.flush();
        }
        let cells = self.limits.cells;
        let table = self.table.get_or_insert_with(Table::default);
        let inner = table.depth > 1;
        match (name, start) {
            ("table", true) => table.depth += 1,
            ("table", false) => {
                table.depth -= 1;
                if table.depth == 0 {
                    self.end_table();
                }
            }
            ("tr", true) if !inner => {
                table.in_cell = false;
                table.rows.push(Vec::new());
            }
            ("td" | "th", true) if !inner && table.cells < cells => {
                table.in_cell = true;
                table.cells += 1;
                if table.rows.is_empty() {
                    table.rows.push(Vec::new());
                }
                let cell = NewCell {
                    text: String::new(),
                    row_span: span(tag, "rowspan"),
                    column_span: span(tag, "colspan"),
                    header: name == "th",
                };
                if let Some(row) = table.rows.last_mut() {
                    row.push(cell);
                }
            }
            ("td" | "th" | "tr", false) if !inner => table.in_cell = false,
            _ => {
                // Elements within a cell must not join words.
                if let Some(cell) = table.rows.last_mut().and_then(|row| row.last_mut())
                    && !is_inline(name)
                {
                    cell.text.push(' ');
                }
            }
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        let rows = spread(table.rows, self.limits.cells);
        let rows: Vec<_> =
            rows.into_iter().filter(|row| row.iter().any(|cell| !cell.text.trim().is_empty())).collect();
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

    /// Ends the open block.
    fn flush(&mut self) {
        let raw = std::mem::take(&mut self.open);
        let text = if self.preformatted > 0 { raw.trim_matches('\n').to_owned() } else { collapsed(&raw) };
        if text.is_empty() {
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
        self.builder.block(kind, &mark, &text);
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

/// White space collapsed as a browser shows it; line breaks that were asked for stay.
fn collapsed(text: &str) -> String {
    let lines = text.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Repeats nothing: a cell that spans columns leaves the columns after it empty.
fn spread(rows: Vec<Vec<NewCell>>, cells: usize) -> Vec<Vec<NewCell>> {
    let mut left = cells;
    let mut below: Vec<u32> = Vec::new();
    let mut out = Vec::with_capacity(rows.len());
    for row in rows {
        let mut line: Vec<NewCell> = Vec::new();
        for cell in row {
            while below.get(line.len()).is_some_and(|rows| *rows > 0) {
                let column = line.len();
                below[column] -= 1;
                line.push(NewCell::plain("", false));
            }
            let width = cell.column_span as usize;
            let height = cell.row_span;
            let column = line.len();
            line.push(cell);
            for _ in 1..width.min(left.max(1)) {
                line.push(NewCell::plain("", false));
            }
            left = left.saturating_sub(width);
            if below.len() < line.len() {
                below.resize(line.len(), 0);
            }
            below[column..].iter_mut().take(width).for_each(|rows| *rows = height - 1);
        }
        out.push(line);
    }
    out
}

fn span(tag: &Tag, name: &str) -> u32 {
    let value = tag.attrs.iter().find(|attribute| &*attribute.name.local == name);
    value.and_then(|attribute| attribute.value.trim().parse().ok()).unwrap_or(1).clamp(1, 1_000)
}

fn hidden(tag: &Tag) -> bool {
    tag.attrs.iter().any(|attribute| match &*attribute.name.local {
        "hidden" => true,
        "style" => {
            let style: String = attribute.value.chars().filter(|c| !c.is_whitespace()).collect();
            style.to_ascii_lowercase().contains("display:none")
        }
        _ => false,
    })
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "br" | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "area"
            | "base"
            | "col"
            | "embed"
            | "source"
            | "wbr"
    )
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "i"
            | "em"
            | "strong"
            | "span"
            | "u"
            | "s"
            | "sub"
            | "sup"
            | "small"
            | "font"
            | "code"
            | "mark"
            | "abbr"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Document {
        parse_html(html, &Limits::default())
    }

    #[test]
    fn blocks_never_join_words_and_inline_elements_never_part_them() {
        let text = read("<h1>Hello</h1><p>This is <b>bo</b>ld.<br>Next</p><div>a</div><div>b</div>").text;
        assert_eq!(text, "# Hello\n\nThis is bold.\nNext\n\na\n\nb");
    }

    #[test]
    fn scripts_styles_and_hidden_parts_are_left_out_and_the_title_kept() {
        let document = read(
            "<html><head><title>T &amp; x</title><style>p{}</style></head><body><script>if (a<b) {}</script>\
             <p hidden>no</p><div style='display: none'>no<div>no</div></div><p>yes</p></body></html>",
        );
        assert_eq!(document.text, "yes");
        assert_eq!(document.metadata.title.as_deref(), Some("T & x"));
    }

    #[test]
    fn tables_keep_rows_columns_and_spans() {
        let document = read(
            "<table><tr><th>a<th>b</tr><tr><td colspan=2>wide</td></tr><tr><td>1</td><td><p>2</p><p>3</p></td></tr></table>",
        );
        assert_eq!(document.text, "| a | b |\n| --- | --- |\n| wide |  |\n| 1 | 2 3 |");
        let BlockKind::Table { cells } = &document.blocks[0].kind else { panic!("a table") };
        assert_eq!((cells[2].row, cells[2].column_span, cells[0].header), (1, 2, true));
    }

    #[test]
    fn lists_are_marked_and_nested() {
        assert_eq!(read("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>").text, "- a\n\n  1. b\n\n  2. c\n\n- d");
    }

    #[test]
    fn a_hundred_thousand_nested_elements_are_read() {
        for tag in ["div", "ul", "table", "blockquote", "b"] {
            let html = format!("{}deep", format!("<{tag}>").repeat(100_000));
            assert!(read(&html).text.contains("deep"), "{tag}");
        }
    }
}
