//! Resource limits of parsing a document.

/// Limits of a parse. Content beyond them is truncated and marked in the metadata, or the document is
/// refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum bytes of the resulting text.
    pub text_bytes: usize,
    /// Maximum pages.
    pub pages: usize,
    /// Maximum glyphs of a PDF.
    pub glyphs: usize,
    /// Maximum glyphs of one page of a PDF.
    pub page_glyphs: usize,
    /// Maximum drawing operations of a PDF, glyphs included. They bound its time.
    pub operations: usize,
    /// Maximum drawing operations of one page of a PDF.
    pub page_operations: usize,
    /// Maximum nodes of an HTML document.
    pub nodes: usize,
    /// Maximum blocks.
    pub blocks: usize,
    /// Maximum cells of a table.
    pub cells: usize,
    /// Maximum files within a container, such as an office document.
    pub entries: usize,
    /// Maximum inflated bytes of one file within a container.
    pub entry_bytes: usize,
    /// Maximum inflated bytes of all files read from a container.
    pub inflated_bytes: usize,
    /// Maximum compression ratio, checked once the inflated bytes are many.
    pub inflation_ratio: usize,
    /// Maximum nesting of elements of an XML document; deeper ones are left out.
    pub depth: usize,
    /// Maximum nested documents, at any depth: attachments, archive entries.
    pub inner_documents: usize,
    /// Maximum nesting depth of documents.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The values are chosen by hand; no measurement recorded. Each protects memory, time or, by
            // depth, the stack. DEFLATE reaches a ratio of 1,032.
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
