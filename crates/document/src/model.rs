//! The document model that every format is parsed to.

use serde::{Deserialize, Serialize};

use crate::page_numbers::PageNumbers;

/// A parsed document. `text` is its Markdown; every block, cell and span refers to it by **Unicode character
/// offsets** (`start` inclusive, `end` exclusive).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The detected format.
    pub format: Format,
    /// Declared metadata of the file.
    #[serde(default)]
    pub metadata: Metadata,
    /// The whole content as Markdown.
    pub text: String,
    /// Pages in order, for formats that have them; their ranges cover `text`, except for attachments.
    #[serde(default)]
    pub pages: Vec<Page>,
    /// Blocks in reading order.
    #[serde(default)]
    pub blocks: Vec<Block>,
    /// Parts of `text` with their position on the page, ordered by `start`: one for each printed line, or
    /// several when wide gaps split it.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// Form fields, in document order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FormField>,
    /// Links, ordered by `start`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Embedded documents that state the same as the document in another form, such as the XML of an invoice, in
    /// order. Their text is part of `text`, after their names as headings and outside of the pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
}

/// The supported formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// CommonMark with tables.
    Markdown,
    /// A web page or HTML file.
    Html,
    /// Comma- or otherwise separated values.
    Csv,
    /// A PDF, with or without a text layer.
    Pdf,
    /// Word, Office Open XML.
    Docx,
    /// PowerPoint, Office Open XML.
    Pptx,
    /// Excel, Office Open XML.
    Xlsx,
    /// Excel, binary, 2007 and later.
    Xlsb,
    /// Excel, binary, before 2007.
    Xls,
    /// Word, binary, before 2007.
    Doc,
    /// PowerPoint, binary, before 2007.
    Ppt,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation.
    Odp,
    /// OpenDocument spreadsheet.
    Ods,
    /// Rich Text Format.
    Rtf,
    /// An EPUB book.
    Epub,
    /// JSON, Jupyter notebooks included.
    Json,
    /// XML that is no other format.
    Xml,
    /// An e-mail message.
    Eml,
    /// An Outlook message.
    Msg,
    /// A raster image, whose text only OCR can read.
    Image,
    /// A ZIP archive of documents.
    Zip,
}

/// Declared metadata of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Declared title; a parser may derive one from the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Declared author, as written in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Creation time, as RFC 3339 or a date alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Time of the last change, as RFC 3339 or a date alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Number of pages, slides or sheets: counted, or as declared when the format has no fixed pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
    /// Declared language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether a limit truncated the content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Properties of an image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// Properties of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Content type.
    pub kind: String,
    /// Width in pixels, upright.
    pub width: u32,
    /// Height in pixels, upright.
    pub height: u32,
}

/// A page and its part of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Page number, from 1.
    pub number: u32,
    /// Width in points (1/72 inch), after rotation.
    pub width: f32,
    /// Height in points, after rotation.
    pub height: f32,
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Whether it has text that only OCR can read: it is an image, or its text layer is unusable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_ocr: bool,
    /// Whether its text is from OCR, and may have recognition errors.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recognised: bool,
}

/// A rectangle in points; the origin is the top left of the upright page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x0: f64,
    /// Top edge.
    pub y0: f64,
    /// Right edge.
    pub x1: f64,
    /// Bottom edge.
    pub y1: f64,
}

/// A part of the text and its position on a page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Page number, from 1.
    pub page: u32,
    /// Position on the page.
    #[serde(rename = "box")]
    pub rect: Rect,
}

/// A structural unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    #[serde(flatten)]
    pub kind: BlockKind,
    /// First character in the document's text.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Page number, from 1; `None` for formats without pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Position on the page, if known.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
}

/// What a block is in the structure of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading, of the document or of a section.
    Heading {
        /// Level, 1 (highest) to 6.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem {
        /// Nesting depth, from 0.
        depth: u8,
        /// Whether the list is numbered.
        ordered: bool,
    },
    /// A table; its text is a Markdown table.
    Table {
        /// Its cells, ordered by row and column.
        cells: Vec<Cell>,
    },
    /// Preformatted text.
    Code,
    /// A quotation.
    Quote,
    /// An image or drawing; its text is its description, its caption or its OCR text.
    Figure,
    /// A footnote or endnote.
    Footnote,
}

/// A table cell. Spans of 1 and `header: false` are omitted in its JSON, since a document may have a million
/// cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Row, from 0.
    pub row: u32,
    /// Column, from 0.
    pub column: u32,
    /// Rows spanned, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub row_span: u32,
    /// Columns spanned, at least 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub column_span: u32,
    /// Whether it is a header cell.
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

/// A form field with its value, such as those of PDF forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    /// Its name in the document.
    pub name: String,
    /// Its label for users, if the document has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its value; `None` when it is empty. For a check box: `Some("true")` or `Some("false")`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Type of the field.
    pub kind: FieldKind,
    /// Page number, from 1; `None` for formats without pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Position on the page, if known.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
}

/// Type of a form field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Free text.
    Text,
    /// A check box.
    Checkbox,
    /// One or more of several options.
    Choice,
    /// A field for a digital signature.
    Signature,
}

/// An embedded document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its file name.
    pub name: String,
    /// First character in the text of the document that contains it.
    pub start: usize,
    /// After the last character.
    pub end: usize,
}

/// A link in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// Its target, as written in the document.
    pub url: String,
}

/// A sentence that pages with these numbers, ascending, were not read; `None` when there are none.
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

    /// A sentence on what was not read; `None` when everything was.
    #[must_use]
    pub fn unread_notice(&self) -> Option<String> {
        unread_pages_notice(&self.pages_needing_ocr())
    }

    /// The number of the page that contains character `offset`.
    #[must_use]
    pub fn page_at(&self, offset: usize) -> Option<u32> {
        let after = self.pages.partition_point(|page| page.end <= offset);
        self.pages.get(after).filter(|page| page.start <= offset).map(|page| page.number)
    }

    /// The bounding box of the spans that overlap `start..end` on the page of `start`.
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
