//! Decodes image files.

use std::io::Cursor;

use document::{Document, Format, ParseError, Picture};
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, RgbaImage, metadata::Orientation,
};

use super::exif;
use super::raster::{Raster, scaled};
use super::{MAX_PIXELS, MAX_SIDE, RenderSize, fitted};
use crate::Limits;
use crate::builder::Builder;

/// Maximum bytes that a decoder may allocate.
const MAX_ALLOCATION: u64 = 400 << 20;

const FORMATS: &[(&str, ImageFormat)] = &[
    ("image/png", ImageFormat::Png),
    ("image/jpeg", ImageFormat::Jpeg),
    ("image/gif", ImageFormat::Gif),
    ("image/webp", ImageFormat::WebP),
    ("image/bmp", ImageFormat::Bmp),
    ("image/tiff", ImageFormat::Tiff),
];

/// Whether images of this content type are decoded.
pub(crate) fn is_decoded_kind(kind: &str) -> bool {
    FORMATS.iter().any(|(known, _)| *known == kind)
}

/// An upright image; the first frame of an animation.
pub(super) fn picture(bytes: &[u8], kind: &str, size: RenderSize, _: &Limits) -> Result<Raster, ParseError> {
    let image = decoded(bytes, kind)?;
    let (width, height) = image.dimensions();
    let scale = match size {
        RenderSize::Width(pixels) => (f64::from(pixels.max(1)) / f64::from(width)).min(1.0),
        RenderSize::Dpi(_) => 1.0,
        RenderSize::LongSide(pixels) => (f64::from(pixels.max(1)) / f64::from(width.max(height))).min(1.0),
    };
    let (width, height) = fitted(f64::from(width), f64::from(height), scale)?;
    Ok(scaled(image, width, height))
}

/// Its pixels in original size, upright.
pub(super) fn decoded(bytes: &[u8], kind: &str) -> Result<RgbaImage, ParseError> {
    let (mut decoder, orientation) = open_decoder(bytes, kind)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_ALLOCATION);
    limits.reserve(decoder.total_bytes()).and_then(|()| decoder.set_limits(limits)).map_err(decode_error)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(decode_error)?;
    image.apply_orientation(orientation);
    Ok(image.into_rgba8())
}

/// An image as a document of one page without text, with one point per pixel. Only the header of the file is
/// decoded.
pub(crate) fn parse_picture(bytes: &[u8], kind: &str, limits: &Limits) -> Result<Document, ParseError> {
    let (mut decoder, orientation) = open_decoder(bytes, kind)?;
    let (width, height) = upright(decoder.dimensions(), orientation);
    let mut builder = Builder::new(Format::Image, limits);
    let metadata = &mut builder.document_mut().metadata;
    if let Ok(Some(exif)) = decoder.exif_metadata() {
        exif::read(&exif, metadata);
    }
    metadata.page_count = Some(1);
    metadata.picture = Some(Picture { kind: kind.to_owned(), width, height });
    builder.add_page(1, (width as f32, height as f32), 0);
    let mut document = builder.finish();
    document.pages.iter_mut().for_each(|page| page.needs_ocr = true);
    Ok(document)
}

fn upright((width, height): (u32, u32), orientation: Orientation) -> (u32, u32) {
    let turned = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    if turned { (height, width) } else { (width, height) }
}

/// A decoder that has read the file's header, and the orientation of the image.
fn open_decoder<'a>(
    bytes: &'a [u8],
    kind: &str,
) -> Result<(impl ImageDecoder + 'a, Orientation), ParseError> {
    let format = FORMATS.iter().find(|(known, _)| *known == kind);
    let (_, format) = format.ok_or_else(|| ParseError::Unsupported(kind.to_owned()))?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), *format);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOCATION);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(decode_error)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(ParseError::Damaged("the picture has no pixels".to_owned()));
    }
    if u64::from(width) * u64::from(height) > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE {
        return Err(ParseError::Limit("pixels"));
    }
    // An invalid orientation is no reason to refuse the image.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    Ok((decoder, orientation))
}

fn decode_error(error: ImageError) -> ParseError {
    match error {
        ImageError::Limits(_) => ParseError::Limit("pixels"),
        ImageError::Unsupported(_) => ParseError::Unsupported("a picture of a rare kind".to_owned()),
        error => ParseError::Damaged(format!("the picture cannot be decoded ({error})")),
    }
}
