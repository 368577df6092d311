//! How much one document may ask for.

/// Bounds of a parse. What goes beyond is cut and marked in the metadata, or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the resulting text.
    pub text_bytes: usize,
    /// Pages that are read.
    pub pages: usize,
    /// Glyphs of a PDF that are read.
    pub glyphs: usize,
    /// Glyphs of one page of a PDF that are kept.
    pub page_glyphs: usize,
    /// Drawing operations of a PDF, glyphs included. They bound its time.
    pub operations: usize,
    /// Drawing operations of one page of a PDF.
    pub page_operations: usize,
    /// Nodes of an HTML document that are read.
    pub nodes: usize,
    /// Blocks that are kept.
    pub blocks: usize,
    /// Cells of a table that are kept.
    pub cells: usize,
    /// Files within a container, such as an office document.
    pub entries: usize,
    /// Inflated bytes of one file within a container.
    pub entry_bytes: usize,
    /// Inflated bytes of all that is read from a container.
    pub inflated_bytes: usize,
    /// Inflated bytes for each stored one, once they are many.
    pub inflation_ratio: usize,
    /// Elements within elements of an XML document; deeper ones are left out.
    pub depth: usize,
    /// Documents within documents that are read, at any depth: attachments, entries of archives.
    pub inner_documents: usize,
    /// How deep documents may lie within each other.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 20 << 20,
            pages: 5_000,
            glyphs: 10_000_000,
            page_glyphs: 500_000,
            operations: 12_000_000,
            page_operations: 3_000_000,
            nodes: 2_000_000,
            blocks: 500_000,
            cells: 1_000_000,
            entries: 20_000,
            entry_bytes: 96 << 20,
            inflated_bytes: 256 << 20,
            inflation_ratio: 400,
            depth: 200,
            inner_documents: 500,
            nesting: 4,
        }
    }
}
