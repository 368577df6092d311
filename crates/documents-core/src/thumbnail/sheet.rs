//! Renders a page from a document's blocks: what a reader would see first of it, not its print layout.

use document::{Block, BlockKind, Document, Format, TextSlices};

use super::canvas::{Canvas, Style};
use super::inline_markdown::plain;
use super::table;
use crate::render::Raster;

/// A sheet with the proportions of ISO 216, and a slide; in units in which text of size [`BODY`] is legible
/// at the usual width of thumbnails.
const SHEET: (f32, f32) = (400.0, 566.0);
const SLIDE: (f32, f32) = (400.0, 225.0);
const MARGIN: f32 = 30.0;
/// Font size of running text.
const BODY: f32 = 10.5;
const HEADINGS: [f32; 6] = [18.0, 15.0, 13.0, 12.0, 11.0, 11.0];
/// Maximum characters of a block.
const LONGEST: usize = 4_000;
const INK: &str = "#24292f";
const FAINT: &str = "#6e7681";

/// Renders the blocks of a page; `None` when there is nothing to render.
pub(super) fn render_sheet(document: &Document, page: u32, pixels: u32) -> Option<Raster> {
    let slide = matches!(document.format, Format::Pptx | Format::Ppt | Format::Odp);
    let (width, height) = if slide { slide_size(document, page) } else { SHEET };
    let mut canvas = Canvas::new(width, height, if slide { 22.0 } else { MARGIN })?;
    let slices = TextSlices::new(&document.text);
    let on_page = document.pages.iter().find(|candidate| candidate.number == page);
    let range = on_page.map_or(0..usize::MAX, |page| page.start..page.end);
    let mut blocks: Vec<&Block> =
        document.blocks.iter().filter(|block| block.end > range.start && block.start < range.end).collect();
    if slide {
        // The speaker's notes are not on the slide.
        let notes = |block: &&Block| slices.get(block.start, block.end).starts_with("Notes:");
        blocks.truncate(blocks.iter().rposition(notes).unwrap_or(blocks.len()));
    }
    let mut number = 0;
    for block in blocks {
        if canvas.is_full() {
            break;
        }
        let ordered = matches!(block.kind, BlockKind::ListItem { ordered: true, .. });
        number = if ordered { number + 1 } else { 0 };
        write(&mut canvas, block, number, &slices);
    }
    if document.blocks.is_empty() {
        let start: String = document.text.chars().take(LONGEST).collect();
        let right = canvas.width - canvas.margin;
        for line in start.lines().take(60) {
            canvas.text(line, MARGIN, right, usize::MAX, body());
        }
    }
    canvas.render(pixels)
}

/// The size of a slide, in units as wide as [`SLIDE`].
fn slide_size(document: &Document, page: u32) -> (f32, f32) {
    let page = document.pages.iter().find(|candidate| candidate.number == page);
    let ratio =
        page.filter(|page| page.width > 0.0 && page.height > 0.0).map(|page| page.height / page.width);
    let height = ratio.map_or(SLIDE.1, |ratio| SLIDE.0 * ratio.clamp(0.4, 1.6));
    (SLIDE.0, height)
}

fn body() -> Style {
    Style { size: BODY, bold: false, color: INK }
}

fn write(canvas: &mut Canvas, block: &Block, number: u32, slices: &TextSlices<'_>) {
    let end = block.end.min(block.start + LONGEST);
    let text = plain(slices.get(block.start, end));
    let (left, right) = (canvas.margin, canvas.width - canvas.margin);
    match &block.kind {
        BlockKind::Heading { level } => {
            let size = HEADINGS.get(usize::from(*level).saturating_sub(1)).copied().unwrap_or(BODY);
            canvas.skip(size * 0.2);
            canvas.text(&text, left, right, 3, Style { size, bold: true, color: INK });
            canvas.skip(size * 0.35);
        }
        BlockKind::Paragraph => {
            for line in text.lines() {
                canvas.text(line, left, right, usize::MAX, body());
            }
            canvas.skip(BODY * 0.6);
        }
        BlockKind::ListItem { depth, ordered } => {
            let indent = left + 14.0 * f32::from((*depth).min(5));
            let mark = if *ordered { format!("{number}.") } else { "\u{2022}".to_owned() };
            canvas.line(&mark, indent, right, canvas.y, body());
            canvas.text(&text, indent + if *ordered { 20.0 } else { 11.0 }, right, usize::MAX, body());
            canvas.skip(BODY * 0.2);
        }
        BlockKind::Table { cells } => {
            table::write(canvas, cells, slices);
            canvas.skip(BODY * 0.8);
        }
        BlockKind::Code => {
            for line in text.lines() {
                canvas.text(line, left + 8.0, right, 2, Style { size: 9.0, bold: false, color: FAINT });
            }
            canvas.skip(BODY * 0.6);
        }
        BlockKind::Quote => {
            let top = canvas.y;
            canvas.text(&text, left + 12.0, right, usize::MAX, Style { color: FAINT, ..body() });
            let bottom = canvas.y.min(canvas.height - canvas.margin);
            canvas.rect(left, top, 2.5, (bottom - top).max(0.0), "#d0d7de");
            canvas.skip(BODY * 0.6);
        }
        BlockKind::Figure => {
            let top = canvas.y;
            canvas.rect(left, top, right - left, 54.0, "#eef1f4");
            canvas.skip(19.0);
            canvas.text(&text, left + 12.0, right - 12.0, 2, Style { size: 9.0, bold: false, color: FAINT });
            canvas.y = canvas.y.max(top + 60.0);
        }
        BlockKind::Footnote => {
            canvas.text(&text, left, right, 2, Style { size: 8.0, bold: false, color: FAINT });
        }
    }
}
