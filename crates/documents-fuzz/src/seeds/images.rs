//! Pictures and drawings.

use document::{ImageFormat, ThumbnailOptions};
use document_samples::numbers;
use documents_core::{Limits, Raster, thumbnail};

pub(crate) fn svg() -> Vec<Vec<u8>> {
    let drawings = [
        r##"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="80" viewBox="0 0 120 80"><title>Quay</title><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient><clipPath id="c"><circle cx="60" cy="40" r="30"/></clipPath><filter id="f"><feGaussianBlur stdDeviation="2"/></filter><symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10"/></symbol></defs><g clip-path="url(#c)" transform="rotate(10) translate(1,2)"><path d="M10 10 L 100 20 C 1 2 3 4 5 6 A 5 5 0 0 1 9 9 Z" fill="url(#g)" stroke="black" stroke-width="2" stroke-dasharray="3 1"/></g><use xlink:href="#s" x="5" width="20"/><text x="10" y="70" font-size="12">a <tspan dy="2">label</tspan></text><ellipse rx="5" ry="9" filter="url(#f)"/><polyline points="0,0 5,5 10,0"/><image xlink:href="data:image/png;base64,iVBORw0KGgo="/></svg>"##,
        r##"<svg width="10cm" height="50%"><style>.a{fill:red}</style><mask id="m"><rect width="5" height="5" fill="white"/></mask><pattern id="p" width="2" height="2"><path d="M0 0h1v1z"/></pattern><rect class="a" mask="url(#m)" fill="url(#p)" width="9" height="9"/><foreignObject><p>text within</p></foreignObject><switch><text>one text of two</text></switch></svg>"##,
    ];
    drawings.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub(crate) fn pictures() -> Vec<Vec<u8>> {
    let rgba = (0..20_u8 * 12).flat_map(|at| [at, 255 - at, at / 2, 255]).collect();
    let raster = Raster { width: 20, height: 12, rgba };
    let options = ThumbnailOptions { width: 16, format: ImageFormat::WebP, ..ThumbnailOptions::default() };
    let webp = svg().first().map(|drawing| thumbnail(drawing, "a.svg", &options, &Limits::default()).bytes);
    let mut all = vec![bitmap(), GIF.to_vec(), tiff()];
    all.extend([false, true].into_iter().filter_map(|gray| raster.to_png(gray).ok()));
    all.extend(webp);
    all
}

/// A transparent image of one pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// An image of two by two pixels of 24 bits (BITMAPINFOHEADER).
fn bitmap() -> Vec<u8> {
    let planes_and_bits = 1 | 24 << 16;
    let header = numbers(&[40, 2, 2, planes_and_bits, 0, 16, 2_835, 2_835, 0, 0]);
    let pixels = [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 9, 9, 9, 0, 0];
    [b"BM".to_vec(), numbers(&[70, 0, 54]), header, pixels.to_vec()].concat()
}

/// An image of two by two grey pixels (TIFF 6.0, section 4).
fn tiff() -> Vec<u8> {
    let entry =
        |tag: u8, high: u8, value: u32| [vec![tag, high, 4, 0, 1, 0, 0, 0], numbers(&[value])].concat();
    let entries = [
        entry(0, 1, 2),
        entry(1, 1, 2),
        entry(2, 1, 8),
        entry(3, 1, 1),
        entry(6, 1, 1),
        entry(17, 1, 8),
        entry(21, 1, 1),
        entry(22, 1, 2),
        entry(23, 1, 4),
    ];
    let count = entries.len().to_le_bytes()[0];
    [b"II*\0".to_vec(), numbers(&[12]), vec![9, 90, 180, 255], vec![count, 0], entries.concat(), vec![0; 4]]
        .concat()
}
