//! A raster image.

use document::{PageColours, ParseError};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use image::imageops::{self, FilterType as Resampling};
use image::{ExtendedColorType, ImageEncoder as _, ImageError, RgbaImage};

// A page has colour if four of 100,000 pixels are saturated: their channels differ by 64 of 256. In
// `tests/render/colours.rs`, yellowed paper, noise of scans and print in gray have none, a small cross in red pen on an A4
// page has 7.7 of 100,000.
const SATURATED: u8 = 64;
const COLOUR_SHARE: f64 = 0.000_04;
/// Bytes of a page in colour at most: eight of them fill a model call. Pages with more as PNG are JPEG, whose quality
/// leaves small print legible, and gray at last.
const MAX_COLOUR_BYTES: usize = 1 << 20;
const JPEG_QUALITY: u8 = 85;

/// Pixels by rows, four bytes each: red, green, blue, and an alpha that is always opaque.
#[derive(Clone, PartialEq, Eq)]
pub struct Raster {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Raster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height) = (self.width, self.height);
        f.debug_struct("Raster").field("width", &width).field("height", &height).finish_non_exhaustive()
    }
}

impl Raster {
    /// Encodes the pixels as a PNG, grayscale (8 bits) or in colour.
    ///
    /// # Errors
    /// [`ParseError::Damaged`] when the length of `rgba` does not match the size.
    pub fn to_png(&self, gray: bool) -> Result<Vec<u8>, ParseError> {
        let mut png = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
        let written = if gray {
            encoder.write_image(&self.luma(), self.width, self.height, ExtendedColorType::L8)
        } else {
            encoder.write_image(&self.rgb(), self.width, self.height, ExtendedColorType::Rgb8)
        };
        written.map_err(encode_error)?;
        Ok(png)
    }

    /// Encodes a page for models and OCR.
    ///
    /// # Errors
    /// As [`Self::to_png`].
    pub fn to_page_image(&self, colours: PageColours) -> Result<Vec<u8>, ParseError> {
        if colours == PageColours::WhereUsed && self.colour_share() >= COLOUR_SHARE {
            for encode in [|own: &Self| own.to_png(false), Self::to_jpeg] {
                let image = encode(self)?;
                if image.len() <= MAX_COLOUR_BYTES {
                    return Ok(image);
                }
            }
        }
        self.to_png(true)
    }

    /// The share of saturated pixels, 0 to 1.
    #[must_use]
    pub fn colour_share(&self) -> f64 {
        let is_saturated = |pixel: &&[u8]| {
            let channels = pixel.get(..3).unwrap_or_default();
            let (least, most) = (channels.iter().min(), channels.iter().max());
            least.zip(most).is_some_and(|(least, most)| most - least >= SATURATED)
        };
        let pixels = self.rgba.chunks_exact(4);
        let all = pixels.len().max(1);
        pixels.filter(is_saturated).count() as f64 / all as f64
    }

    fn to_jpeg(&self) -> Result<Vec<u8>, ParseError> {
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)
            .write_image(&self.rgb(), self.width, self.height, ExtendedColorType::Rgb8)
            .map_err(encode_error)?;
        Ok(jpeg)
    }

    /// Encodes the pixels as a lossless WebP.
    ///
    /// # Errors
    /// As [`Self::to_png`]; WebP allows sides of up to 16,383 pixels.
    pub fn to_webp(&self) -> Result<Vec<u8>, ParseError> {
        let mut webp = Vec::new();
        WebPEncoder::new_lossless(&mut webp)
            .write_image(&self.rgb(), self.width, self.height, ExtendedColorType::Rgb8)
            .map_err(encode_error)?;
        Ok(webp)
    }

    fn rgb(&self) -> Vec<u8> {
        self.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    /// Luminance with the weights of ITU-R BT.601, in parts of 256.
    fn luma(&self) -> Vec<u8> {
        let of = |pixel: &[u8]| {
            let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
            ((77 * red + 150 * green + 29 * blue) >> 8) as u8
        };
        self.rgba.chunks_exact(4).map(of).collect()
    }
}

fn encode_error(error: ImageError) -> ParseError {
    ParseError::Damaged(format!("its picture cannot be written ({error})"))
}

/// The image on white, scaled. To shrink it is averaged first and smoothed then, which costs a fraction of
/// one good filter and looks the same.
pub(crate) fn scaled(mut image: RgbaImage, width: u32, height: u32) -> Raster {
    if image.width() > 2 * width && image.height() > 2 * height {
        image = imageops::thumbnail(&image, 2 * width, 2 * height);
    }
    if image.dimensions() != (width, height) {
        image = imageops::resize(&image, width, height, Resampling::Triangle);
    }
    let mut rgba = image.into_raw();
    on_white(&mut rgba);
    Raster { width, height, rgba }
}

/// Blends non-premultiplied pixels onto white.
fn on_white(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4).filter(|pixel| pixel[3] != 255) {
        let opacity = u32::from(pixel[3]);
        for channel in &mut pixel[..3] {
            *channel = ((u32::from(*channel) * opacity + 255 * (255 - opacity) + 127) / 255) as u8;
        }
        pixel[3] = 255;
    }
}
