//! Invariants of every document, whatever its file.

use document::{Block, BlockKind, Cell, Document, Rect};
use documents_core::Limits;

/// Maximum bytes of a document as JSON: the limit of the server.
const MOST_JSON: usize = 64 << 20;

/// The first violated rule, with the detail.
pub(crate) fn first_violation(document: &Document, limits: &Limits) -> Option<(&'static str, String)> {
    let characters = Characters::of(&document.text);
    text(document, limits)
        .or_else(|| pages(document, &characters))
        .or_else(|| blocks(document, &characters))
        .or_else(|| tables(document))
        .or_else(|| spans(document, &characters))
        .or_else(|| links(document, &characters))
        .or_else(|| round_trips(document))
}

type RuleBreach = Option<(&'static str, String)>;

/// The characters of a text, for checks of ranges.
struct Characters(Vec<char>);

impl Characters {
    fn of(text: &str) -> Self {
        Self(text.chars().collect())
    }

    fn range(&self, start: usize, end: usize) -> Option<&[char]> {
        self.0.get(start..end)
    }

    fn is_blank(&self, start: usize, end: usize) -> bool {
        self.range(start, end).is_none_or(|text| text.iter().all(|c| c.is_whitespace()))
    }
}

fn violation_if(condition: bool, name: &'static str, told: impl FnOnce() -> String) -> RuleBreach {
    condition.then(|| (name, told()))
}

fn text(document: &Document, limits: &Limits) -> RuleBreach {
    let length = document.text.len();
    // Image-only pages have no text.
    violation_if(length == 0 && document.pages.is_empty(), "a document has text", String::new)
        .or_else(|| {
            violation_if(length > limits.text_bytes, "the text is bounded", || format!("{length} bytes"))
        })
        .or_else(|| violation_if(document.text.contains('\r'), "lines end with line feeds", String::new))
        .or_else(|| violation_if(has_nul(document), "there is no NUL", String::new))
}

/// Databases reject NUL.
fn has_nul(document: &Document) -> bool {
    let Document { text, metadata, fields, links, .. } = document;
    let about =
        [&metadata.title, &metadata.author, &metadata.created, &metadata.modified, &metadata.language];
    let beside =
        about.into_iter().chain(fields.iter().flat_map(|field| [&field.label, &field.value])).flatten();
    let named = fields.iter().map(|field| &field.name).chain(links.iter().map(|link| &link.url));
    beside.chain(named).chain([text]).any(|text| text.contains('\0'))
}

/// Pages are in order and do not overlap; text outside of them is only white space.
fn pages(document: &Document, characters: &Characters) -> RuleBreach {
    let mut end = 0;
    let mut number = 0;
    for page in &document.pages {
        let told = || format!("{page:?} after {end}, of {}", characters.0.len());
        let wrong = page.start > page.end
            || page.end > characters.0.len()
            || page.start < end
            || !(page.width.is_finite() && page.height.is_finite());
        if wrong {
            return Some(("pages are in order within the text", told()));
        }
        if page.number <= number {
            return Some(("pages are counted", told()));
        }
        if !characters.is_blank(end, page.start) {
            return Some(("pages cover the text", told()));
        }
        (end, number) = (page.end, page.number);
    }
    // Embedded invoices follow the pages.
    let last = document.attachments.first().map_or(characters.0.len(), |attachment| attachment.start);
    let rest = !document.pages.is_empty() && !characters.is_blank(end, last);
    violation_if(rest, "pages cover the text", || format!("{end} of {}", characters.0.len()))
}

/// Blocks are in order and hold text. They are nested or disjoint.
fn blocks(document: &Document, characters: &Characters) -> RuleBreach {
    let mut start = 0;
    for block in &document.blocks {
        let told = || format!("{:?}", without_cells(block));
        if characters.range(block.start, block.end).is_none_or(<[char]>::is_empty) {
            return Some(("blocks hold text", told()));
        }
        if block.start < start {
            return Some(("blocks are in order", told()));
        }
        if characters.is_blank(block.start, block.end) {
            return Some(("blocks are not blank", told()));
        }
        if block.rect.is_some_and(|rect| !is_sound(rect)) {
            return Some(("boxes are sound", told()));
        }
        let page = block.page.map(|number| document.pages.iter().find(|page| page.number == number));
        if page.is_some_and(|page| page.is_none_or(|page| block.start < page.start || block.start > page.end))
        {
            return Some(("blocks are on their pages", told()));
        }
        start = block.start;
    }
    None
}

fn without_cells(block: &Block) -> (Option<u32>, usize, usize, Option<Rect>) {
    (block.page, block.start, block.end, block.rect)
}

fn is_sound(rect: Rect) -> bool {
    let numbers = [rect.x0, rect.y0, rect.x1, rect.y1];
    numbers.iter().all(|number| number.is_finite()) && rect.x0 <= rect.x1 && rect.y0 <= rect.y1
}

fn tables(document: &Document) -> RuleBreach {
    document.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Table { cells } => cells_of(block, cells),
        _ => None,
    })
}

/// Cells lie within their table, in order, and do not overlap in the grid.
fn cells_of(block: &Block, cells: &[Cell]) -> RuleBreach {
    let mut last = None;
    let mut end = block.start;
    let mut ends_below: Vec<u32> = Vec::new();
    for cell in cells {
        let told = || format!("{cell:?} in {:?}", without_cells(block));
        if cell.start > cell.end || cell.start < end || cell.end > block.end {
            return Some(("cells lie in order within their table", told()));
        }
        if cell.row_span == 0 || cell.column_span == 0 {
            return Some(("cells cover a place", told()));
        }
        if last.is_some_and(|last| last >= (cell.row, cell.column)) {
            return Some(("cells are in order", told()));
        }
        let (Some(right), Some(below)) =
            (cell.column.checked_add(cell.column_span), cell.row.checked_add(cell.row_span))
        else {
            return Some(("spans are bounded", told()));
        };
        if right > MOST_COLUMNS || below > MOST_ROWS {
            return Some(("spans are bounded", told()));
        }
        if ends_below.len() < right as usize {
            ends_below.resize(right as usize, 0);
        }
        for column in ends_below.iter_mut().take(right as usize).skip(cell.column as usize) {
            if *column > cell.row {
                return Some(("cells share no place", told()));
            }
            *column = below;
        }
        (last, end) = (Some((cell.row, cell.column)), cell.end);
    }
    None
}

/// The widest tables are those of Excel and its successors.
const MOST_COLUMNS: u32 = 1 << 20;
const MOST_ROWS: u32 = 1 << 21;

/// Spans are in order, hold text of one line, and lie on an existing page.
fn spans(document: &Document, characters: &Characters) -> RuleBreach {
    let mut end = 0;
    for span in &document.spans {
        let told = || format!("{span:?}");
        if span.start < end || characters.range(span.start, span.end).is_none_or(<[char]>::is_empty) {
            return Some(("places are in order within the text", told()));
        }
        if characters.is_blank(span.start, span.end) {
            return Some(("places hold text", told()));
        }
        if !is_sound(span.rect) {
            return Some(("boxes are sound", told()));
        }
        let page = document.pages.iter().find(|page| page.number == span.page);
        if page.is_none_or(|page| span.start < page.start || span.end > page.end) {
            return Some(("places are on their pages", told()));
        }
        end = span.end;
    }
    None
}

fn links(document: &Document, characters: &Characters) -> RuleBreach {
    let mut start = 0;
    for link in &document.links {
        if characters.range(link.start, link.end).is_none_or(<[char]>::is_empty) || link.start < start {
            return Some(("links are in order within the text", format!("{link:?}")));
        }
        start = link.start;
    }
    None
}

/// A document is unchanged by serialization from a parser process.
fn round_trips(document: &Document) -> RuleBreach {
    let json = match serde_json::to_vec(document) {
        Ok(json) => json,
        Err(error) => return Some(("a document can be sent", error.to_string())),
    };
    if json.len() > MOST_JSON {
        return Some(("a document can be sent", format!("{} bytes", json.len())));
    }
    match serde_json::from_slice::<Document>(&json) {
        Ok(again) => violation_if(again != *document, "a document arrives as it was sent", String::new),
        Err(error) => Some(("a document arrives as it was sent", error.to_string())),
    }
}
