//! Small files, made here, and a look at pixels.

use std::io::Cursor;

use document::{ParseError, RenderSize};
use documents_core::{Limits, Raster, render};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

/// Width, height and page.
pub(crate) fn draw(bytes: &[u8], number: u32, size: RenderSize) -> Result<Raster, ParseError> {
    render::page(bytes, "", number, size, &Limits::default())
}

pub(crate) fn wide(bytes: &[u8], width: u32) -> Raster {
    draw(bytes, 1, RenderSize::Width(width)).unwrap()
}

/// Red, green and blue of a pixel.
pub(crate) fn pixel(raster: &Raster, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * raster.width + x) * 4) as usize;
    raster.rgba[at..at + 3].try_into().unwrap()
}

/// How many pixels are darker than mid-grey.
pub(crate) fn dark(raster: &Raster) -> usize {
    raster.rgba.chunks_exact(4).filter(|pixel| pixel[..3].iter().all(|channel| *channel < 128)).count()
}

/// A PDF whose pages have these sizes and contents; `F` is Helvetica.
pub(crate) fn pdf(pages: &[(&str, &str)]) -> Vec<u8> {
    let kids: String = (0..pages.len()).map(|index| format!("{} 0 R ", 4 + 2 * index)).collect();
    let mut pdf = format!(
        "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
         2 0 obj <</Type/Pages/Kids[{kids}]/Count {}>> endobj\n\
         3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n",
        pages.len()
    );
    for (index, (entries, content)) in pages.iter().enumerate() {
        let number = 4 + 2 * index;
        pdf.push_str(&format!(
            "{number} 0 obj <</Type/Page/Parent 2 0 R{entries}/Contents {} 0 R/Resources<</Font<</F 3 0 R>>>>>> endobj\n\
             {} 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n",
            number + 1,
            number + 1,
            content.len(),
        ));
    }
    pdf.push_str("trailer <</Root 1 0 R>>\n%%EOF\n");
    pdf.into_bytes()
}

/// A picture whose left half is red and whose right half is blue.
pub(crate) fn halves(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, _| {
        if x < width / 2 { Rgba([255, 0, 0, 255]) } else { Rgba([0, 0, 255, 255]) }
    })
}

pub(crate) fn file(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::ImageRgba8(image.clone());
    let image = if format == ImageFormat::Jpeg { DynamicImage::ImageRgb8(image.into_rgb8()) } else { image };
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}
