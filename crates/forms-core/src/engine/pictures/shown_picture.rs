//! A picture as it stands in a prompt.

use gen_core::Media;

/// A picture in a prompt. Its number is its position, from 1.
#[derive(Clone, Debug)]
pub(in super::super) struct ShownPicture {
    /// Index of its segment in the prompt.
    pub(super) segment: usize,
    /// Index of its document.
    pub(super) document: usize,
    pub(super) page: u32,
    /// Width and height of the page in points, where known.
    pub(super) size: Option<(f32, f32)>,
    pub(super) media: Media,
}
