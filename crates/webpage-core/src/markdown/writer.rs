//! Writes nodes as Markdown.

use html::{Id, Tree, heading_level, is_block};

use super::definition;
use super::line::Line;
use super::picture;
use super::syntax::{escaped_begin, is_code, is_item_line, language, marks};
use super::table::{Table, holds_data};
use super::word_boundary;
use crate::address::Addresses;
use crate::content::Content;

/// Maximum indentation levels of lists and quotes. Protects memory: each line has its indentation.
const LEVELS: usize = 12;

/// The content, and whether a limit truncated it.
#[derive(Debug)]
pub(crate) struct Markdown {
    pub(crate) text: String,
    pub(crate) truncated: bool,
}

/// An open element.
struct Open {
    name: &'static str,
    id: Id,
    end: Id,
    /// Length of the line at its start.
    since: usize,
    /// Number of blocks written before it.
    blocks: usize,
}

struct List {
    number: Option<u64>,
}

pub(super) struct Writer<'a, 'h> {
    tree: &'a Tree<'h>,
    content: &'a Content,
    addresses: &'a Addresses,
    most: usize,
    out: String,
    line: Line,
    open: Vec<Open>,
    lists: Vec<List>,
    /// The marker of a list item whose first block is not written yet.
    marker: Option<String>,
    quotes: usize,
    preformatted: Option<String>,
    /// The definition of the term that was just written, when both share a line.
    joined: Option<Id>,
    table: Option<Table>,
    blocks: usize,
    truncated: bool,
}

impl<'a, 'h> Writer<'a, 'h> {
    pub(super) fn new(
        tree: &'a Tree<'h>,
        content: &'a Content,
        addresses: &'a Addresses,
        most: usize,
    ) -> Self {
        Self {
            tree,
            content,
            addresses,
            most,
            out: String::new(),
            line: Line::default(),
            open: Vec::new(),
            lists: Vec::new(),
            marker: None,
            quotes: 0,
            preformatted: None,
            joined: None,
            table: None,
            blocks: 0,
            truncated: false,
        }
    }

    pub(super) fn write(mut self) -> Markdown {
        let range = self.tree.range(self.content.root);
        let mut id = range.start;
        while id < range.end && !self.truncated {
            self.leave_until(id);
            if self.content.measure.is_dropped(id) {
                id = self.tree.end(id);
                continue;
            }
            if let Some(text) = self.tree.text(id) {
                self.text(text);
            } else {
                self.enter(id);
            }
            id += 1;
        }
        self.leave_until(usize::MAX);
        self.flush();
        Markdown { text: self.out, truncated: self.truncated }
    }

    fn text(&mut self, text: &str) {
        match &mut self.preformatted {
            Some(code) if code.len() < self.most => code.push_str(text),
            Some(_) => self.truncated = true,
            None => {
                let in_code = self.open.iter().rev().take(6).any(|open| is_code(open.name));
                self.line.push(text, in_code);
                self.truncated |= self.line.len() > self.most;
            }
        }
    }

    fn leave_until(&mut self, id: Id) {
        while self.open.last().is_some_and(|open| open.end <= id) {
            if let Some(open) = self.open.pop() {
                self.leave(&open);
            }
        }
    }

    fn enter(&mut self, id: Id) {
        let name = self.tree.name(id);
        if self.preformatted.is_some() {
            if name == "br" {
                self.text("\n");
            }
            return;
        }
        let in_code = self.open.iter().rev().take(6).any(|open| is_code(open.name));
        if !in_code && word_boundary::needs_space(self.tree, id, self.line.since(0)) {
            self.line.space();
        }
        if self.table.is_some() {
            self.enter_in_table(id, name);
        } else {
            self.enter_outside(id, name);
        }
        let open = Open { name, id, end: self.tree.end(id), since: self.line.len(), blocks: self.blocks };
        self.open.push(open);
    }

    fn enter_in_table(&mut self, id: Id, name: &'static str) {
        match name {
            "tr" => {
                self.line.take();
                if let Some(table) = &mut self.table {
                    table.row();
                }
            }
            "thead" | "tbody" | "tfoot" => {
                self.line.space();
                if let Some(table) = &mut self.table {
                    table.group();
                }
            }
            "td" | "th" => drop(self.line.take()),
            "a" => self.apart(id),
            "img" => self.picture(id),
            _ if is_block(name) || name == "br" => self.line.space(),
            _ => {}
        }
    }

    fn enter_outside(&mut self, id: Id, name: &'static str) {
        // The definition of a short term shares its line.
        if is_block(name) && !(name == "dd" && self.joined == Some(id)) {
            self.flush();
        }
        match name {
            "br" => self.line.break_line(),
            "hr" => self.block("---"),
            "ul" | "menu" | "dir" => self.lists.push(List { number: None }),
            "ol" => {
                let start = self.tree.raw_attribute(id, "start").and_then(|start| start.trim().parse().ok());
                self.lists.push(List { number: Some(start.unwrap_or(1)) });
            }
            "li" => {
                let marker = match self.lists.last_mut().and_then(|list| list.number.as_mut()) {
                    Some(number) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    None => "- ".to_owned(),
                };
                self.marker = Some(marker);
            }
            "blockquote" => self.quotes += 1,
            "pre" | "xmp" => self.preformatted = Some(String::new()),
            "table" if holds_data(self.tree, id) => self.table = Some(Table::new(id)),
            "td" | "th" => self.line.space(),
            "a" => self.apart(id),
            "img" => self.picture(id),
            _ => {}
        }
    }

    /// Adds a space between adjacent links, which are separate on the screen.
    fn apart(&mut self, id: Id) {
        let touches =
            id > 0 && self.tree.parent(id - 1) != self.tree.parent(id) && self.tree.text(id - 1).is_some();
        let before = touches && self.tree.ancestors(id - 1).take(4).any(|above| self.tree.name(above) == "a");
        if before {
            self.line.space();
        }
    }

    fn picture(&mut self, id: Id) {
        if let Some(markdown) = picture::markdown(self.tree, id, &self.content.measure, self.addresses) {
            self.line.space();
            self.line.raw(&markdown);
            self.line.raw(" ");
        }
    }

    fn leave(&mut self, open: &Open) {
        match open.name {
            "pre" | "xmp" => self.leave_code(open),
            "table" if self.table.as_ref().is_some_and(|table| table.id == open.id) => {
                self.line.take();
                if let Some(table) = self.table.take() {
                    self.block(&table.markdown());
                }
            }
            "td" | "th" if self.table.is_some() => {
                let text = self.line.take();
                let span =
                    |name| self.tree.raw_attribute(open.id, name).and_then(|span| span.trim().parse().ok());
                // A row span of 0 reaches to the end of the row group.
                let rows = match span("rowspan") {
                    Some(0) => usize::MAX,
                    rows => rows.unwrap_or(1),
                };
                let columns = span("colspan").unwrap_or(1);
                if let Some(table) = &mut self.table {
                    table.cell(&text, (rows, columns));
                }
            }
            "a" | "strong" | "b" | "em" | "i" | "code" | "kbd" | "samp" | "tt" | "del" | "s" => {
                self.leave_inline(open)
            }
            name if self.table.is_none() => self.leave_block(open, name),
            name if is_block(name) => self.line.space(),
            _ => {}
        }
    }

    fn leave_block(&mut self, open: &Open, name: &str) {
        if let Some(level) = heading_level(name) {
            let text = self.line.take().replace('\n', " ");
            if !text.is_empty() {
                self.block(&format!("{} {text}", "#".repeat(usize::from(level))));
            }
            return;
        }
        if name == "dt" {
            self.line.wrap(open.since, "**", "**");
            self.joined = definition::single_definition(self.tree, self.content, open.id);
            if self.joined.is_some() && !self.line.since(0).is_empty() {
                self.line.raw(if self.line.since(0).ends_with(":**") { " " } else { ": " });
                return;
            }
        }
        if is_block(name) {
            self.flush();
        }
        match name {
            "ul" | "ol" | "menu" | "dir" => {
                self.lists.pop();
                self.marker = None;
            }
            "li" => self.marker = None,
            "blockquote" => self.quotes = self.quotes.saturating_sub(1),
            _ => {}
        }
    }

    fn leave_inline(&mut self, open: &Open) {
        // A block ended in between, so the line is another one.
        if self.blocks != open.blocks || self.line.len() <= open.since {
            return;
        }
        let in_heading = self.open.iter().any(|above| heading_level(above.name).is_some());
        let nested = self.open.iter().any(|above| marks(above.name) == marks(open.name));
        match open.name {
            "a" => self.leave_link(open),
            _ if nested => {}
            "strong" | "b" if !in_heading => self.line.wrap(open.since, "**", "**"),
            "em" | "i" => self.line.wrap(open.since, "*", "*"),
            "del" | "s" => self.line.wrap(open.since, "~~", "~~"),
            name if is_code(name) && !self.line.since(open.since).contains('`') => {
                self.line.wrap(open.since, "`", "`");
            }
            _ => {}
        }
    }

    fn leave_link(&mut self, open: &Open) {
        let Some(href) = self.tree.attribute(open.id, "href") else { return };
        if href.trim_start().starts_with('#') || self.open.iter().any(|above| above.name == "a") {
            return;
        }
        let Some(url) = self.addresses.absolute(&href) else { return };
        let after = format!("]({})", picture::destination(url.as_str()));
        self.line.wrap(open.since, "[", &after);
    }

    fn leave_code(&mut self, open: &Open) {
        let Some(code) = self.preformatted.take() else { return };
        let code = code.trim_matches('\n').trim_end();
        if code.trim().is_empty() {
            return;
        }
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let language = language(self.tree, open.id);
        let code: String = code.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        self.block(&format!("{fence}{language}\n{code}\n{fence}"));
    }

    fn flush(&mut self) {
        let text = self.line.take();
        if !text.is_empty() {
            self.block(&escaped_begin(&text));
        }
    }

    /// Writes a block with the prefixes of its lists and quotes.
    fn block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.out.len() + text.len() > self.most {
            self.truncated = true;
            return;
        }
        let marker = self.marker.take();
        let is_item = marker.is_some();
        let levels = self.lists.len().min(LEVELS);
        let indent = "  ".repeat(if is_item { levels.saturating_sub(1) } else { levels });
        let quotes = "> ".repeat(self.quotes.min(LEVELS));
        if !self.out.is_empty() {
            let tight = is_item && self.out.rsplit('\n').next().is_some_and(is_item_line);
            self.out.push_str(if tight { "\n" } else { "\n\n" });
        }
        for (place, row) in text.split('\n').enumerate() {
            if place > 0 {
                self.out.push('\n');
            }
            self.out.push_str(&quotes);
            self.out.push_str(&indent);
            if let Some(marker) = &marker {
                self.out.push_str(if place == 0 { marker } else { "  " });
            }
            self.out.push_str(row);
        }
        self.blocks += 1;
    }
}
