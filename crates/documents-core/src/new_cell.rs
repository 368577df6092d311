//! A table cell before it is written.

/// A cell to be written.
#[derive(Clone, Debug)]
pub(crate) struct NewCell {
    pub(crate) text: String,
    pub(crate) row_span: u32,
    pub(crate) column_span: u32,
    pub(crate) header: bool,
}

impl NewCell {
    pub(crate) fn plain(text: impl Into<String>, header: bool) -> Self {
        Self { text: text.into(), row_span: 1, column_span: 1, header }
    }
}
