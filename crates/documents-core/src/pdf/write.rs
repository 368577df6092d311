//! Writes pages of paragraphs to the document.

use document::{BlockKind, Link, Rect, Span};

use super::layout::{corners, corners_between};
use super::lines::Line;
use super::page_layout::{LaidOutPage, TextSource};
use super::paragraphs::{Kind, Paragraph, paragraphs};
use super::reading_order::{self, PlacedParagraph};
use super::styles::{Sizes, Styles};
use super::table_links::add_links_to_tables;
use super::{links, tables};
use crate::Limits;
use crate::builder::Builder;

/// Minimum words of a line after which a paragraph may continue elsewhere.
/// Chosen by hand; no measurement recorded.
const MIN_WORDS: usize = 3;
/// Font sizes that differ by less than this part are those of one paragraph.
/// Chosen by hand; no measurement recorded.
const SAME_SIZE: f64 = 0.1;

/// Writes all pages.
pub(super) fn document(builder: &mut Builder, sheets: &[LaidOutPage], limits: &Limits) {
    let styles = Styles::of(sheets);
    let pages: Vec<Vec<PlacedParagraph<'_>>> = sheets.iter().map(|sheet| pieces(sheet, &styles)).collect();
    let mut last: Option<&PlacedParagraph<'_>> = None;
    let mut open = false;
    // Pages that begin within a table of the page before.
    let mut starts: Vec<(u32, usize)> = Vec::new();
    for (index, (sheet, page)) in sheets.iter().zip(&pages).enumerate() {
        if !builder.has_room() {
            break;
        }
        separate(builder, last, page.first(), open);
        let start = builder.offset();
        for (place, piece) in page.iter().enumerate() {
            if place > 0 {
                separate(builder, last, Some(piece), open);
            }
            let same_page = page.get(place + 1);
            let next = same_page.or_else(|| pages.get(index + 1)?.first());
            let next = next.filter(|next| continues_in(piece, next, same_page.is_none()));
            match table_of(sheet, piece) {
                Some(table) => {
                    starts.extend(tables::write(builder, sheet.number, piece.angle, table, limits));
                }
                None => write(builder, sheet, piece, next, open),
            }
            open = next.is_some();
            last = Some(piece);
        }
        builder.add_page(sheet.number, sheet.size, start);
        record_source(builder, sheet);
    }
    move_pages(builder, &starts);
    add_links_to_tables(builder.document_mut(), sheets);
}

/// Records the source of the last page's text, and converts its positions back to a skewed page.
fn record_source(builder: &mut Builder, sheet: &LaidOutPage) {
    let document = builder.document_mut();
    let Some(page) = document.pages.last_mut() else { return };
    page.needs_ocr = sheet.source == TextSource::InPicture;
    let TextSource::Recognised(skew) = sheet.source else { return };
    page.recognised = true;
    let own = |number: &u32| *number == sheet.number;
    for span in document.spans.iter_mut().rev().take_while(|span| own(&span.page)) {
        span.rect = skew.to_page(span.rect);
    }
    for block in document.blocks.iter_mut().rev().take_while(|block| block.page.as_ref().is_some_and(own)) {
        block.rect = block.rect.map(|rect| skew.to_page(rect));
    }
}

/// The table that a paragraph stands for.
fn table_of<'s>(sheet: &'s LaidOutPage, piece: &PlacedParagraph<'_>) -> Option<&'s tables::Table> {
    match piece.paragraph.kind {
        Kind::Table(table) => sheet.flows.get(piece.flow)?.tables.get(table),
        _ => None,
    }
}

/// Moves the boundaries of pages to the row where a table continues on the next page.
fn move_pages(builder: &mut Builder, starts: &[(u32, usize)]) {
    let pages = &mut builder.document_mut().pages;
    for (number, start) in starts {
        let Some(index) = pages.iter().position(|page| page.number == *number) else { continue };
        if let Some(before) = index.checked_sub(1).and_then(|before| pages.get_mut(before)) {
            before.end = *start;
        }
        if let Some(page) = pages.get_mut(index) {
            page.start = *start;
        }
    }
}

fn pieces<'l>(sheet: &'l LaidOutPage, styles: &Styles) -> Vec<PlacedParagraph<'l>> {
    let sizes = Sizes::of(sheet.main_lines());
    let mut pieces = Vec::new();
    for (flow, found) in sheet.flows.iter().enumerate() {
        // Text in another direction is a mark on the page and no heading.
        let styles = Some(styles).filter(|_| flow == 0);
        for (region, lines) in found.regions.iter().enumerate() {
            let paragraphs = paragraphs(lines, styles, &sizes).into_iter();
            pieces.extend(paragraphs.map(|paragraph| PlacedParagraph {
                paragraph,
                flow,
                region,
                angle: found.angle,
            }));
        }
    }
    reading_order::by_tags(&mut pieces);
    // Text in other directions precedes a table that continues on further pages, so that it stays separate.
    pieces.sort_by_key(|piece| table_of(sheet, piece).is_some_and(|table| !table.pages.is_empty()));
    pieces
}

/// Writes the separator of two paragraphs: nothing within a paragraph, a newline between list items, else a
/// blank line.
fn separate(
    builder: &mut Builder,
    last: Option<&PlacedParagraph<'_>>,
    next: Option<&PlacedParagraph<'_>>,
    open: bool,
) {
    let is_item = |piece: Option<&PlacedParagraph<'_>>| {
        piece.is_some_and(|piece| matches!(piece.paragraph.kind, Kind::Item { .. }))
    };
    if open {
    } else if is_item(last) && is_item(next) {
        builder.push("\n");
    } else {
        builder.separate();
    }
}

/// Whether a paragraph continues in the next column or page: it ends within a sentence, and the next one
/// begins within one.
fn continues_in(piece: &PlacedParagraph<'_>, next: &PlacedParagraph<'_>, new_page: bool) -> bool {
    let (Some(last), Some(first)) = (piece.paragraph.lines.last(), next.paragraph.lines.first()) else {
        return false;
    };
    let plain =
        next.paragraph.kind == Kind::Plain && matches!(piece.paragraph.kind, Kind::Plain | Kind::Item { .. });
    let elsewhere = new_page || piece.region != next.region;
    let main = piece.flow == 0 && next.flow == 0;
    let size = last.size.max(first.size);
    let prose = |line: &Line| !line.text.contains("  ") && line.words.len() >= MIN_WORDS;
    let within = last.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '\u{2010}'));
    plain
        && elsewhere
        && main
        && (last.size - first.size).abs() < SAME_SIZE * size
        && prose(last)
        && prose(first)
        && within
        && first.text.starts_with(char::is_lowercase)
}

/// Writes a paragraph; `open` if it continues the one before, `next` if that one continues this.
fn write(
    builder: &mut Builder,
    sheet: &LaidOutPage,
    piece: &PlacedParagraph<'_>,
    next: Option<&PlacedParagraph<'_>>,
    open: bool,
) {
    let lines = piece.paragraph.lines;
    let kind = match piece.paragraph.kind {
        Kind::Plain | Kind::Table(_) => BlockKind::Paragraph,
        Kind::Figure => BlockKind::Figure,
        Kind::Heading { level } => BlockKind::Heading { level },
        Kind::Item { depth, ordered, .. } => BlockKind::ListItem { depth, ordered },
    };
    let cut = write_mark(builder, &piece.paragraph);
    let start = builder.offset();
    let mut around: Option<Rect> = None;
    for (index, line) in lines.iter().enumerate() {
        let own = lines.get(index + 1);
        let following = own.or_else(|| next?.paragraph.lines.first());
        let rect = rect(corners(line, piece.angle));
        around = Some(around.map_or(rect, |all| union(all, rect)));
        let joined = following.and_then(|following| dehyphenated(&line.text, &following.text));
        let cut = if index == 0 { cut } else { 0 };
        write_line(builder, sheet, (line, piece.angle), joined.unwrap_or(&line.text), cut);
        match following {
            Some(_) if joined.is_some() => {}
            Some(_) if own.is_some() && matches!(kind, BlockKind::Heading { .. }) => builder.push(" "),
            Some(_) => builder.push("\n"),
            None => {}
        }
    }
    if open {
        builder.extend_block();
    } else {
        let is_figure = kind == BlockKind::Figure;
        let around = around.filter(|rect| !is_figure || rect.x0 < rect.x1);
        builder.add_block(kind, start, Some(sheet.number), around);
        if is_figure {
            builder.push("]()");
        }
    }
}

/// Writes the mark of a heading or an item; returns the number of characters of the first line that it
/// replaces.
fn write_mark(builder: &mut Builder, paragraph: &Paragraph<'_>) -> usize {
    match paragraph.kind {
        Kind::Figure => {
            builder.push("![");
            0
        }
        Kind::Heading { level } => {
            builder.push(&"#".repeat(usize::from(level)));
            builder.push(" ");
            0
        }
        Kind::Item { depth, ordered, mark } => {
            builder.push(&"  ".repeat(usize::from(depth)));
            let own: String = paragraph
                .lines
                .first()
                .map(|line| line.text.chars().take(mark).collect())
                .unwrap_or_default();
            builder.push(if ordered { own.trim_end() } else { "-" });
            builder.push(" ");
            mark
        }
        _ => 0,
    }
}

/// Writes the `text` of a line without its first `cut` characters.
fn write_line(
    builder: &mut Builder,
    sheet: &LaidOutPage,
    (line, angle): (&Line, u16),
    text: &str,
    cut: usize,
) {
    let begin = builder.offset();
    let from = text.char_indices().nth(cut).map_or(text.len(), |(offset, _)| offset);
    builder.push(text.get(from..).unwrap_or_default());
    let end = builder.offset();
    // A description of a figure without a known position has no span.
    if line.figure && line.x0 < line.x1 {
        let rect = rect(corners(line, angle));
        builder.document_mut().spans.push(Span { start: begin, end, page: sheet.number, rect });
    }
    for (first, after, x) in parts(line) {
        let place = |character: usize| (begin + character.saturating_sub(cut)).min(end);
        let (start, end) = (place(first), place(after));
        if start < end {
            let rect = rect(corners_between(line, x, angle));
            builder.document_mut().spans.push(Span { start, end, page: sheet.number, rect });
        }
    }
    for (first, after, url) in links::links_over_line(&sheet.links, line, angle) {
        let place = |character: usize| (begin + character.saturating_sub(cut)).min(end);
        let link = Link { start: place(first), end: place(after), url: url.to_owned() };
        if link.start < link.end {
            builder.document_mut().links.push(link);
        }
    }
}

/// The parts of a line between its wide gaps: their characters, and their positions along the baseline.
fn parts(line: &Line) -> Vec<(usize, usize, (f64, f64))> {
    let mut parts: Vec<(usize, usize, (f64, f64))> = Vec::new();
    for word in &line.words {
        match parts.last_mut() {
            // Words are separated by one character, columns by two.
            Some((_, after, x)) if word.start < *after + 2 => {
                *after = word.end;
                *x = (x.0.min(word.x0), x.1.max(word.x1));
            }
            _ => parts.push((word.start, word.end, (word.x0, word.x1))),
        }
    }
    parts
}

/// The line without its hyphen, when the word continues in the next line.
fn dehyphenated<'a>(line: &'a str, next: &str) -> Option<&'a str> {
    let stem = line.strip_suffix(['-', '\u{2010}'])?;
    let word_before = stem.chars().next_back().is_some_and(char::is_lowercase);
    let word_after = next.chars().next().is_some_and(char::is_lowercase);
    (word_before && word_after).then_some(stem)
}

fn rect([x0, y0, x1, y1]: [f64; 4]) -> Rect {
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    Rect { x0: tenth(x0), y0: tenth(y0), x1: tenth(x1), y1: tenth(y1) }
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect { x0: a.x0.min(b.x0), y0: a.y0.min(b.y0), x1: a.x1.max(b.x1), y1: a.y1.max(b.y1) }
}
