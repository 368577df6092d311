//! The pixels of a picture of a page.

use std::io::Cursor;

use gen_core::Media;
use image::{GrayImage, ImageReader, Limits};

/// Pixels of a side, and bytes that are decoded, at most. A picture is drawn with 1,568 pixels of the longer side.
const MAX_SIDE: u32 = 4_096;
const MAX_BYTES: u64 = 64 << 20;

/// The pixels of a page, as gray values.
#[derive(Debug)]
pub(super) struct PagePixels {
    gray: GrayImage,
    /// The gray value that half of the pixels exceed.
    median: u8,
}

impl PagePixels {
    /// `None` when the picture is none, or larger than pages are drawn.
    pub(super) fn decode(media: &Media) -> Option<Self> {
        let mut reader = ImageReader::new(Cursor::new(&media.bytes)).with_guessed_format().ok()?;
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
        limits.max_alloc = Some(MAX_BYTES);
        reader.limits(limits);
        Some(Self::new(reader.decode().ok()?.into_luma8()))
    }

    pub(super) fn new(gray: GrayImage) -> Self {
        let mut counts = [0_usize; 256];
        gray.as_raw().iter().for_each(|value| count(&mut counts, *value));
        Self { median: percentile(&counts, 50), gray }
    }

    pub(super) fn median(&self) -> u8 {
        self.median
    }

    /// Width and height.
    pub(super) fn size(&self) -> (u32, u32) {
        self.gray.dimensions()
    }

    /// The gray value; white outside of the page.
    pub(super) fn at(&self, x: u32, y: u32) -> u8 {
        self.gray.get_pixel_checked(x, y).map_or(u8::MAX, |pixel| pixel.0[0])
    }
}

/// Counts a gray value.
pub(super) fn count(counts: &mut [usize; 256], value: u8) {
    if let Some(count) = counts.get_mut(usize::from(value)) {
        *count += 1;
    }
}

/// The gray value that a share of the counted pixels, in percent, does not exceed.
pub(super) fn percentile(counts: &[usize; 256], percent: usize) -> u8 {
    let wanted = counts.iter().sum::<usize>() * percent / 100;
    let mut below = 0;
    let found = (0..=u8::MAX).zip(counts).find(|(_, count)| {
        below += **count;
        below > wanted
    });
    found.map_or(u8::MAX, |(value, _)| value)
}
