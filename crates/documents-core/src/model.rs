//! The one shape that every format is read into.

use serde::{Deserialize, Serialize};

use crate::ocr::PageNumbers;

/// A parsed document. `text` is its Markdown; every block, cell and span points into it by
/// **Unicode character offsets** (`start` inclusive, `end` exclusive).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The format it was read as.
    pub format: Format,
    /// What the file says about itself.
    #[serde(default)]
    pub metadata: Metadata,
    /// The whole content as Markdown.
    pub text: String,
    /// Pages, where the format has them, in order; their ranges cover `text`.
    #[serde(default)]
    pub pages: Vec<Page>,
    /// Blocks in reading order.
    #[serde(default)]
    pub blocks: Vec<Block>,
    /// Pieces of `text` with their place on the page, ordered by `start`: one per printed line, or several where
    /// wide gaps part it.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// Fields that can be filled in, in the order of the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FormField>,
    /// Links, ordered by `start`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
}

/// The formats that can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// CommonMark with tables.
    Markdown,
    /// HTML.
    Html,
    /// Comma- or otherwise separated values.
    Csv,
    /// PDF.
    Pdf,
    /// Word, Office Open XML.
    Docx,
    /// PowerPoint, Office Open XML.
    Pptx,
    /// Excel, Office Open XML.
    Xlsx,
    /// Excel, binary, of 2007 and later.
    Xlsb,
    /// Excel, binary, until 2003.
    Xls,
    /// Word, binary, until 2003.
    Doc,
    /// PowerPoint, binary, until 2003.
    Ppt,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation.
    Odp,
    /// OpenDocument spreadsheet.
    Ods,
    /// Rich Text Format.
    Rtf,
    /// EPUB.
    Epub,
    /// JSON.
    Json,
    /// XML of no other kind.
    Xml,
    /// An e-mail message.
    Eml,
    /// An Outlook message.
    Msg,
    /// A picture.
    Image,
    /// A ZIP archive of documents.
    Zip,
}

/// What the file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was made, as RFC 3339, or a date alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// When it was last changed, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Pages, slides or sheets: counted, or as the file says where it has no fixed pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
    /// Language tag as the file declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// True when a limit cut the content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Of a picture: what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// What a picture is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Content type.
    pub kind: String,
    /// Pixels, upright.
    pub width: u32,
    /// Pixels, upright.
    pub height: u32,
}

/// A page and the part of the text that is on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// From 1.
    pub number: u32,
    /// Width in points (1/72 inch), after rotation.
    pub width: f32,
    /// Height in points, after rotation.
    pub height: f32,
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Whether it shows text that only OCR can read: it is a picture, or its text layer is of no use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_ocr: bool,
    /// Whether its text was read by OCR, and may have mistakes that the page has not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recognised: bool,
}

/// A rectangle in points; origin at the top left of the upright page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left.
    pub x0: f64,
    /// Top.
    pub y0: f64,
    /// Right.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
}

/// A part of the text and its place on a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Page number, from 1.
    pub page: u32,
    /// Where it is printed.
    #[serde(rename = "box")]
    pub rect: Rect,
}

/// A unit of structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    #[serde(flatten)]
    pub kind: BlockKind,
    /// First character in the document's text.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Page number, from 1, where the format has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Where it is printed, where known.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
}

/// The kinds of blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading.
    Heading {
        /// 1 (highest) to 6.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem {
        /// Nesting, from 0.
        depth: u8,
        /// Whether the list is numbered.
        ordered: bool,
    },
    /// A table.
    Table {
        /// Its cells, by row and then column.
        cells: Vec<Cell>,
    },
    /// Preformatted text.
    Code,
    /// A quotation.
    Quote,
    /// A picture or drawing; its text is its description, its caption or what was read in it.
    Figure,
    /// A note that belongs to another place of the document.
    Footnote,
}

/// A cell of a table. Spans of 1 and `header: false` are left out of its JSON, of which a document may have a million.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Row, from 0.
    pub row: u32,
    /// Column, from 0.
    pub column: u32,
    /// Rows covered, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub row_span: u32,
    /// Columns covered, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub column_span: u32,
    /// Whether it is a header.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub header: bool,
    /// First character in the document's text.
    pub start: usize,
    /// After the last character.
    pub end: usize,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_one(span: &u32) -> bool {
    *span == 1
}

/// A field that can be filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    /// The name that the document gives it.
    pub name: String,
    /// What the document calls it for people, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What is filled in; `None` when nothing is. Of a box to tick: `Some("true")` or `Some("false")`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What can be filled in.
    pub kind: FieldKind,
    /// Page number, from 1, where the format has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Where it is, where known.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
}

/// What can be filled into a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Text.
    Text,
    /// A box to tick.
    Checkbox,
    /// One or more of several.
    Choice,
    /// A signature.
    Signature,
}

/// A part of the text that leads elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Where it leads, as the document has it.
    pub url: String,
}

/// That pages of these numbers, ascending, were not read, as a sentence; `None` where there are none.
#[must_use]
pub fn unread_pages_notice(numbers: &[u32]) -> Option<String> {
    let (need, were) = match numbers {
        [] => return None,
        [_] => ("needs", "was"),
        _ => ("need", "were"),
    };
    Some(format!("{} {need} OCR and {were} not read", PageNumbers(numbers.to_vec())))
}

impl Document {
    /// The numbers of the pages that still need OCR, ascending.
    #[must_use]
    pub fn pages_needing_ocr(&self) -> Vec<u32> {
        self.pages.iter().filter(|page| page.needs_ocr).map(|page| page.number).collect()
    }

    /// What of it was not read, as a sentence; `None` where all was.
    #[must_use]
    pub fn unread_notice(&self) -> Option<String> {
        unread_pages_notice(&self.pages_needing_ocr())
    }

    /// The number of the page that holds character `offset`.
    #[must_use]
    pub fn page_at(&self, offset: usize) -> Option<u32> {
        let after = self.pages.partition_point(|page| page.end <= offset);
        self.pages.get(after).filter(|page| page.start <= offset).map(|page| page.number)
    }

    /// The smallest box around the spans that touch `start..end` on the page of `start`.
    #[must_use]
    pub fn bounding_box(&self, start: usize, end: usize) -> Option<Rect> {
        let first = self.spans.partition_point(|span| span.end <= start);
        let page = self.spans.get(first)?.page;
        self.spans[first..]
            .iter()
            .take_while(|span| span.start < end && span.page == page)
            .map(|span| span.rect)
            .reduce(|a, b| Rect {
                x0: a.x0.min(b.x0),
                y0: a.y0.min(b.y0),
                x1: a.x1.max(b.x1),
                y1: a.y1.max(b.y1),
            })
    }
}
