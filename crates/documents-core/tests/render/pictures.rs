//! Image files.

use document::{Format, ParseError, RenderSize};
use documents_core::{Limits, parse, sniff};
use image::{ImageFormat, Rgba, RgbaImage};

use crate::support::{draw, file, halves, pixel, wide};

const FORMATS: [(ImageFormat, &str); 6] = [
    (ImageFormat::Png, "image/png"),
    (ImageFormat::Jpeg, "image/jpeg"),
    (ImageFormat::Gif, "image/gif"),
    (ImageFormat::WebP, "image/webp"),
    (ImageFormat::Bmp, "image/bmp"),
    (ImageFormat::Tiff, "image/tiff"),
];

fn is_near(found: [u8; 3], expected: [u8; 3]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) < 12)
}

#[test]
fn pictures_of_each_format_are_told_by_their_content_and_drawn() {
    for (format, kind) in FORMATS {
        let bytes = file(&halves(64, 32), format);
        assert_eq!(sniff(&bytes, "a.txt"), kind);
        let picture = wide(&bytes, 32);
        assert_eq!((picture.width, picture.height), (32, 16), "{kind}");
        assert!(is_near(pixel(&picture, 4, 8), [255, 0, 0]), "{kind}");
        assert!(is_near(pixel(&picture, 28, 8), [0, 0, 255]), "{kind}");
    }
}

#[test]
fn a_picture_is_never_enlarged_and_keeps_its_own_density() {
    let bytes = file(&halves(20, 10), ImageFormat::Png);
    for size in [RenderSize::Width(500), RenderSize::Dpi(300)] {
        let picture = draw(&bytes, 1, size).unwrap();
        assert_eq!((picture.width, picture.height), (20, 10));
    }
}

#[test]
fn what_is_transparent_lies_on_white() {
    let image = RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0]));
    assert_eq!(pixel(&wide(&file(&image, ImageFormat::Png), 8), 3, 3), [255; 3]);
    let half = RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 128]));
    assert_eq!(pixel(&wide(&file(&half, ImageFormat::Png), 8), 3, 3), [127; 3]);
}

/// A JPEG whose Exif says how it is to be turned.
fn turned(orientation: u8) -> Vec<u8> {
    let jpeg = file(&halves(32, 16), ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    let mut bytes = jpeg[..2].to_vec();
    bytes.extend([0xff, 0xe1]);
    bytes.extend((exif.len() as u16 + 2).to_be_bytes());
    bytes.extend(exif);
    bytes.extend(&jpeg[2..]);
    bytes
}

#[test]
fn a_photograph_stands_as_its_camera_was_held() {
    let upright = wide(&turned(1), 32);
    assert!(is_near(pixel(&upright, 4, 8), [255, 0, 0]));
    let half = wide(&turned(3), 32);
    assert!(is_near(pixel(&half, 4, 8), [0, 0, 255]));
    let quarter = wide(&turned(6), 32);
    assert_eq!((quarter.width, quarter.height), (16, 32));
    assert!(is_near(pixel(&quarter, 8, 4), [255, 0, 0]) && is_near(pixel(&quarter, 8, 28), [0, 0, 255]));
}

#[test]
fn a_picture_has_one_page() {
    let bytes = file(&halves(20, 10), ImageFormat::Png);
    assert!(matches!(draw(&bytes, 2, RenderSize::Width(9)), Err(ParseError::NoPage { pages: 1 })));
}

#[test]
fn a_picture_is_a_document_of_one_page_that_needs_ocr() {
    let result = parse(&file(&halves(20, 10), ImageFormat::Png), "a.png", &Limits::default());
    assert!(matches!(result, Err(ParseError::NeedsOcr(_))), "{result:?}");
    assert!(matches!(parse(b"\x89PNG\r\n\x1a\n", "a.png", &Limits::default()), Err(ParseError::Damaged(_))));
}

#[test]
fn the_text_of_a_drawing_is_read() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><text x='1' y='9'>Quay 7</text></svg>";
    let document = parse(svg.as_bytes(), "a.svg", &Limits::default()).unwrap();
    assert_eq!((document.text.as_str(), document.format), ("Quay 7", Format::Image));
    let empty = parse(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg", &Limits::default());
    assert!(matches!(empty, Err(ParseError::NoText)), "{empty:?}");
}

#[test]
fn pictures_that_are_not_decoded_are_named() {
    let avif = b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf";
    assert_eq!(sniff(avif, "a"), "image/avif");
    assert_eq!(sniff(b"\0\0\0\x18ftypheic\0\0\0\0", "a"), "image/heic");
    assert!(matches!(draw(avif, 1, RenderSize::Width(9)), Err(ParseError::Unsupported(_))));
}
