//! The supported standard structure types (ISO 32000-1, 14.8.4).

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) enum Role {
    /// Running text, or a type without further meaning.
    Text,
    /// A heading with its level from 1 to 6, the levels of Markdown; lower ones of the tags are 6.
    Heading(u8),
    /// A list item, with the number of lists around its own.
    Item {
        depth: u8,
    },
    Cell(Cell),
}

/// The grid position of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) struct Cell {
    /// The number of its table.
    pub(in crate::pdf) table: u32,
    pub(in crate::pdf) row: u32,
    pub(in crate::pdf) column: u32,
    pub(in crate::pdf) row_span: u32,
    pub(in crate::pdf) column_span: u32,
    pub(in crate::pdf) header: bool,
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading; without a number its level follows from its sections.
    Heading(Option<u8>),
    Section,
    List,
    Item,
    Label,
    Table,
    Row,
    /// A cell; whether it is a header.
    Cell(bool),
    Figure,
    Paragraph,
    /// A type that says nothing about its content.
    Other,
}

impl Kind {
    /// The type with a standard name.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"H" => Self::Heading(None),
            [b'H', digit @ b'1'..=b'9'] => Self::Heading(Some((digit - b'0').min(6))),
            b"Title" => Self::Heading(Some(1)),
            b"Sect" | b"Art" => Self::Section,
            b"L" => Self::List,
            b"LI" => Self::Item,
            b"Lbl" => Self::Label,
            b"Table" => Self::Table,
            b"TR" => Self::Row,
            b"TH" => Self::Cell(true),
            b"TD" => Self::Cell(false),
            b"Figure" => Self::Figure,
            b"P" | b"Caption" | b"BlockQuote" | b"Note" | b"FENote" | b"TOCI" | b"BibEntry" | b"Code"
            | b"Formula" => Self::Paragraph,
            b"Document" | b"DocumentFragment" | b"Part" | b"Div" | b"NonStruct" | b"Private" | b"TOC"
            | b"Index" | b"Aside" | b"LBody" | b"THead" | b"TBody" | b"TFoot" | b"Span" | b"Quote"
            | b"Reference" | b"Link" | b"Annot" | b"Form" | b"Ruby" | b"Warichu" | b"Sub" | b"Em"
            | b"Strong" => Self::Other,
            _ => return None,
        })
    }
}
