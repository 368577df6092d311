//! Sizes of drawn pages.

/// How large a page is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderSize {
    /// Pixels across.
    Width(u32),
    /// Pixels to the inch.
    Dpi(u32),
}
