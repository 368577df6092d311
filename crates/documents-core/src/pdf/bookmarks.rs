//! Bookmarks: their titles identify headings and their levels. Source: ISO 32000-1, 12.3.3.

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Object, ObjectIdentifier, String as PdfString};

use super::lines::Line;
use super::metadata::text_string;
use super::page_layout::LaidOutPage;
use super::tags::{LineTag, Role};

/// Maximum bookmarks, and maximum nesting. Protects time and memory: bookmarks may refer to each other in a
/// circle.
const MAX_BOOKMARKS: usize = 20_000;
const MAX_DEPTH: u8 = 32;
/// Maximum bytes of a title. Protects memory.
const MAX_TITLE: usize = 1_000;
/// Maximum characters of a line that may be a heading, and minimum letters and digits.
/// Chosen by hand; no measurement recorded.
const MAX_LINE: usize = 200;
const MIN_LETTERS: usize = 3;
/// Font sizes of two lines of one title that differ by less than this many points are equal. Chosen by hand;
/// no measurement recorded.
const SAME_SIZE: f64 = 0.1;
/// Element numbers of bookmarks begin here, so that they do not collide with those of tags.
const FIRST_BLOCK: u32 = 1 << 31;

/// A bookmark that refers to a part of the text.
#[derive(Debug)]
struct Bookmark {
    title: String,
    /// Level; 1 is the highest, 6 the lowest, as in Markdown.
    level: u8,
    /// Page index, from 0, if the bookmark has a target page.
    page: Option<usize>,
}

/// A line by page, region and index, and whether the next line continues it.
#[derive(Clone, Copy, Debug)]
struct Place {
    sheet: usize,
    region: usize,
    line: usize,
    two: bool,
}

/// Marks the lines that bookmarks refer to as headings.
pub(super) fn mark(pdf: &Pdf, sheets: &mut [LaidOutPage]) {
    let bookmarks = read(pdf).unwrap_or_default();
    if bookmarks.is_empty() {
        return;
    }
    let places = places(sheets);
    let mut last = 0;
    for (number, bookmark) in (0..).zip(&bookmarks) {
        let title = key(&bookmark.title);
        let found = places.get(&title).or_else(|| places.get(without_number(&title)));
        let fits = |place: &&Place| bookmark.page.map_or(place.sheet >= last, |page| place.sheet == page);
        let Some(place) = found.into_iter().flatten().find(fits).copied() else { continue };
        last = place.sheet;
        let lines = sheets
            .get_mut(place.sheet)
            .and_then(|sheet| sheet.flows.first_mut()?.regions.get_mut(place.region));
        let lines = lines.into_iter().flatten().skip(place.line).take(if place.two { 2 } else { 1 });
        for line in lines {
            let (order, label) = line.tag.map_or((0, 0), |tag| (tag.order, tag.label));
            let role = Role::Heading(bookmark.level);
            line.tag = Some(LineTag { role, block: FIRST_BLOCK | number, order, label });
        }
    }
}

/// Positions of all lines that may be headings, keyed by their letters and digits, in document order.
fn places(sheets: &[LaidOutPage]) -> HashMap<String, Vec<Place>> {
    let mut places: HashMap<String, Vec<Place>> = HashMap::new();
    for (sheet, found) in sheets.iter().enumerate() {
        for (region, lines) in
            found.flows.first().into_iter().flat_map(|flow| flow.regions.iter().enumerate())
        {
            for (line, first) in lines.iter().enumerate().filter(|(_, line)| may_head(line)) {
                let mut add = |key: &str, two: bool| {
                    if key.chars().count() >= MIN_LETTERS {
                        places.entry(key.to_owned()).or_default().push(Place { sheet, region, line, two });
                    }
                };
                let one = key(&first.text);
                add(&one, false);
                if without_number(&one) != one {
                    add(without_number(&one), false);
                }
                let next = lines
                    .get(line + 1)
                    .filter(|next| may_head(next) && (next.size - first.size).abs() < SAME_SIZE);
                if let Some(next) = next {
                    add(&format!("{one}{}", key(&next.text)), true);
                }
            }
        }
    }
    places
}

fn may_head(line: &Line) -> bool {
    line.table.is_none() && !line.figure && line.text.chars().count() <= MAX_LINE
}

/// The key that a title and its line share: letters and digits.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn without_number(key: &str) -> &str {
    let rest = key.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.chars().count() >= MIN_LETTERS { rest } else { key }
}

/// The bookmarks, from top to bottom.
fn read(pdf: &Pdf) -> Option<Vec<Bookmark>> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    let first = catalog.get::<Dict<'_>>("Outlines")?.get::<Dict<'_>>("First")?;
    let pages =
        pdf.pages().iter().enumerate().filter_map(|(index, page)| Some((page.raw().obj_id()?, index)));
    let pages: HashMap<ObjectIdentifier, usize> = pages.collect();
    let mut bookmarks = Vec::new();
    let mut open = vec![(first, 1_u8)];
    while let Some((entry, level)) = open.pop() {
        if bookmarks.len() >= MAX_BOOKMARKS {
            break;
        }
        if let Some(next) = entry.get::<Dict<'_>>("Next") {
            open.push((next, level));
        }
        if let Some(first) = entry.get::<Dict<'_>>("First").filter(|_| level < MAX_DEPTH) {
            open.push((first, level + 1));
        }
        let title = entry.get::<PdfString<'_>>("Title");
        let title = title.filter(|title| title.as_bytes().len() <= MAX_TITLE);
        bookmarks.push(Bookmark {
            title: title.map(|title| text_string(title.as_bytes())).unwrap_or_default(),
            level: level.min(6),
            page: page(&entry, &pages),
        });
    }
    Some(bookmarks)
}

/// The target page of a bookmark, if it has one of its own.
fn page(entry: &Dict<'_>, pages: &HashMap<ObjectIdentifier, usize>) -> Option<usize> {
    let place =
        entry.get::<Array<'_>>("Dest").or_else(|| entry.get::<Dict<'_>>("A")?.get::<Array<'_>>("D"))?;
    match place.raw_iter().next()? {
        MaybeRef::Ref(page) => pages.get(&page.into()).copied(),
        MaybeRef::NotRef(Object::Number(number)) => usize::try_from(number.as_i64()).ok(),
        MaybeRef::NotRef(_) => None,
    }
}
