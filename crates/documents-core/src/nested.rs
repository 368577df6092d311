//! Nested documents: attachments and archive entries, each under a heading with its name.

use document::{BlockKind, Document, ParseError};

use crate::Limits;
use crate::builder::Builder;
use crate::same_invoice::{NestedPart, PartKind};

/// Bytes that a nested document may always inflate to, and the factor for its own size. Protects memory.
const INFLATED: usize = 16 << 20;
const INFLATION: usize = 50;

/// Parses a document of any format by its bytes and name.
pub(crate) type DocumentParser = fn(&[u8], &str, &Limits, &mut Nesting) -> Result<Document, ParseError>;

/// The remaining limits of nested documents, and their parser. All of them share it, at any depth.
#[derive(Debug)]
pub(crate) struct Nesting {
    parser: DocumentParser,
    documents: usize,
    bytes: usize,
    text: usize,
    depth: usize,
    /// Whether a document or a part of one was left out.
    pub(crate) cut: bool,
}

impl Nesting {
    pub(crate) fn new(limits: &Limits, parser: DocumentParser) -> Self {
        Self {
            parser,
            documents: limits.inner_documents,
            bytes: limits.inflated_bytes,
            text: limits.text_bytes,
            depth: limits.nesting,
            cut: false,
        }
    }

    /// Bytes that may still be inflated.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes
    }

    /// Counts inflated bytes: all nested documents share the limit.
    pub(crate) fn charge(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Parses a document within these limits.
    pub(crate) fn parse(
        &mut self,
        bytes: &[u8],
        name: &str,
        limits: &Limits,
    ) -> Result<Document, ParseError> {
        (self.parser)(bytes, name, limits, self)
    }

    /// Writes a heading with the document's name, and the document as far as it can be parsed. Returns false
    /// when no more documents may be parsed.
    pub(crate) fn add(&mut self, builder: &mut Builder, name: &str, bytes: &[u8], limits: &Limits) -> bool {
        self.add_read(builder, name, bytes.len(), limits, |nesting, limits| {
            nesting.parse(bytes, name, limits)
        })
    }

    /// As [`Self::add`], for content that is not parsed by its bytes alone.
    pub(crate) fn add_read(
        &mut self,
        builder: &mut Builder,
        name: &str,
        bytes: usize,
        limits: &Limits,
        read: impl FnOnce(&mut Self, &Limits) -> Result<Document, ParseError>,
    ) -> bool {
        let has_room = self.documents > 0 && bytes <= self.bytes && !builder.is_full();
        if !has_room {
            self.cut = true;
            return false;
        }
        self.documents -= 1;
        self.bytes -= bytes;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = builder.begin_part();
        builder.block(BlockKind::Heading { level: 1 }, "# ", if name.is_empty() { "unnamed" } else { &name });
        if self.depth == 0 {
            self.cut = true;
            return true;
        }
        self.depth -= 1;
        let limits = Limits {
            text_bytes: self.text,
            inflated_bytes: self.bytes.min(bytes.saturating_mul(INFLATION).max(INFLATED)),
            ..*limits
        };
        // An unreadable document leaves its name.
        if let Ok(mut document) = read(self, &limits) {
            self.text = self.text.saturating_sub(document.text.len());
            forget_pages(&mut document);
            for attachment in &mut document.attachments {
                attachment.name = format!("{name}#{}", attachment.name);
            }
            // A truncated document must not stop the others.
            self.cut |= std::mem::take(&mut document.metadata.truncated);
            let kind = PartKind::of(&document);
            builder.append(document);
            builder.add_part(NestedPart { name, start, end: builder.offset(), kind });
        }
        self.depth += 1;
        true
    }
}

/// The pages of a nested document are not pages of the outer one.
fn forget_pages(document: &mut Document) {
    document.pages.clear();
    document.spans.clear();
    for block in &mut document.blocks {
        (block.page, block.rect) = (None, None);
    }
    for field in &mut document.fields {
        (field.page, field.rect) = (None, None);
    }
}
