//! Files that are made to hurt.

use std::fmt::Write as _;

use document::{ParseError, RenderSize, ThumbnailOptions};
use documents_core::{Limits, thumbnail};
use image::ImageFormat;

use crate::support::{draw, file, halves, pdf};

const SMALL: RenderSize = RenderSize::Width(64);

fn drawn(bytes: &[u8]) -> Result<(u32, u32), ParseError> {
    draw(bytes, 1, SMALL).map(|raster| (raster.width, raster.height))
}

/// A PNG whose head says so many pixels.
fn vast_png(side: u32) -> Vec<u8> {
    let mut png = file(&halves(4, 4), ImageFormat::Png);
    png[16..20].copy_from_slice(&side.to_be_bytes());
    png[20..24].copy_from_slice(&side.to_be_bytes());
    let sum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8)
            .fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (!(sum & 1)).wrapping_add(1)))
    })
}

#[test]
fn a_picture_that_says_it_is_vast_is_refused_by_its_head() {
    for side in [10_000, 60_000, u32::MAX >> 1] {
        assert!(matches!(drawn(&vast_png(side)), Err(ParseError::Limit(_))), "{side}");
        let parsed = documents_core::parse(&vast_png(side), "a.png", &Limits::default());
        assert!(matches!(parsed, Err(ParseError::Limit(_))), "{side}: {parsed:?}");
    }
    let mut bmp = file(&halves(4, 4), ImageFormat::Bmp);
    bmp[18..22].copy_from_slice(&60_000_u32.to_le_bytes());
    bmp[22..26].copy_from_slice(&60_000_u32.to_le_bytes());
    assert!(drawn(&bmp).is_err());
    let mut gif = file(&halves(4, 4), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    assert!(drawn(&gif).is_err());
}

#[test]
fn of_a_picture_that_moves_without_end_the_first_frame_is_drawn() {
    let one = file(&halves(8, 4), ImageFormat::Gif);
    let frame = one.windows(2).position(|two| two == [0x21, 0xf9]).unwrap();
    let mut gif = one[..frame].to_vec();
    for _ in 0..100_000 {
        gif.extend(&one[frame..one.len() - 1]);
    }
    gif.push(0x3b);
    assert_eq!(drawn(&gif).unwrap(), (8, 4));
}

#[test]
fn absurd_numbers_in_a_tiff_are_no_harm() {
    let tiff = file(&halves(8, 4), ImageFormat::Tiff);
    for at in 0..tiff.len() {
        for value in [0, 0xff] {
            let mut bytes = tiff.clone();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].fill(value);
            let _ = drawn(&bytes);
        }
    }
}

#[test]
fn pictures_that_are_cut_or_changed_never_panic() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Bmp]
    {
        let whole = file(&halves(16, 8), format);
        for end in 0..whole.len() {
            let _ = drawn(&whole[..end]);
            let mut bytes = whole.clone();
            bytes[end] ^= 0x55;
            let _ = drawn(&bytes);
        }
    }
}

fn svg(content: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'>{content}</svg>").into_bytes()
}

#[test]
fn entities_of_entities_are_refused() {
    let mut declared = "<!ENTITY a0 'ha'>".to_owned();
    for level in 1..10 {
        let inner = format!("&a{};", level - 1).repeat(10);
        write!(declared, "<!ENTITY a{level} '{inner}'>").unwrap();
    }
    let bomb =
        format!("<!DOCTYPE svg [{declared}]><svg xmlns='http://www.w3.org/2000/svg'><text>&a9;</text></svg>");
    assert!(matches!(drawn(bomb.as_bytes()), Err(ParseError::Limit(_))));
    let long = "x".repeat(1_000);
    let many = "&a;".repeat(100_000);
    let flat = format!(
        "<!DOCTYPE svg [<!ENTITY a '{long}'>]><svg xmlns='http://www.w3.org/2000/svg'><text>{many}</text></svg>"
    );
    assert!(matches!(drawn(flat.as_bytes()), Err(ParseError::Limit(_))));
}

/// Groups that each repeat the one before ten times by an element or a property.
fn repeated(group: impl Fn(usize, String) -> String, reference: impl Fn(usize) -> String) -> Vec<u8> {
    let mut content = String::from("<defs>");
    content += &group(0, "<rect width='1' height='1'/>".to_owned());
    for level in 1..9 {
        content += &group(level, reference(level - 1).repeat(10));
    }
    content += "</defs>";
    content += &reference(8);
    svg(&content)
}

#[test]
fn parts_that_repeat_each_other_are_refused() {
    let uses = repeated(
        |level, content| format!("<g id='p{level}'>{content}</g>"),
        |level| format!("<use href='#p{level}'/>"),
    );
    let patterns = repeated(
        |level, content| {
            format!(
                "<pattern id='p{level}' width='2' height='2' patternUnits='userSpaceOnUse'>{content}</pattern>"
            )
        },
        |level| format!("<rect width='50' height='50' fill='url(#p{level})'/>"),
    );
    let masks = repeated(
        |level, content| format!("<mask id='p{level}'>{content}</mask>"),
        |level| format!("<rect width='50' height='50' style='mask: url(\"#p{level}\")'/>"),
    );
    let markers = repeated(
        |level, content| format!("<marker id='p{level}' markerWidth='2' markerHeight='2'>{content}</marker>"),
        |level| format!("<path d='M0 0 L1 1 L2 2 L3 3 L4 4' marker-mid='url(#p{level})'/>"),
    );
    for (name, bomb) in [("use", uses), ("pattern", patterns), ("mask", masks), ("marker", markers)] {
        let result = drawn(&bomb);
        assert!(matches!(result, Err(ParseError::Limit(_))), "{name}: {result:?}");
    }
}

#[test]
fn a_drawing_that_draws_itself_is_refused() {
    for content in [
        "<g id='a'><use href='#a'/></g>",
        "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
        "<pattern id='a' width='9' height='9'><rect width='9' height='9' fill='url(#a)'/></pattern><rect width='9' height='9' fill='url(#a)'/>",
    ] {
        assert!(matches!(drawn(&svg(content)), Err(ParseError::Damaged(_))), "{content}");
    }
}

#[test]
fn filters_and_depth_without_measure_are_refused() {
    let blur = "<feGaussianBlur stdDeviation='900'/>".repeat(2_000);
    let filtered =
        svg(&format!("<filter id='f'>{blur}</filter><rect width='9' height='9' filter='url(#f)'/>"));
    assert!(matches!(drawn(&filtered), Err(ParseError::Limit(_))));
    let noise = svg(
        "<filter id='f'><feTurbulence baseFrequency='1' numOctaves='900000000'/></filter><rect width='9' height='9' filter='url(#f)'/>",
    );
    assert!(matches!(drawn(&noise), Err(ParseError::Limit(_))));
    let deep = svg(&("<g>".repeat(50_000) + &"</g>".repeat(50_000)));
    assert!(drawn(&deep).is_err());
}

#[test]
fn groups_within_groups_are_drawn_as_deep_as_drawings_are() {
    let inner = "<rect width='50' height='50'/>";
    let deep = svg(&("<g opacity='0.99'>".repeat(150) + inner + &"</g>".repeat(150)));
    assert_eq!(drawn(&deep).unwrap(), (64, 64));
}

#[test]
fn a_drawing_of_any_size_fits() {
    for size in [
        "width='1e30' height='1'",
        "width='1' height='1e30'",
        "width='1e-30' height='1e-30'",
        "width='NaN' height='-1'",
    ] {
        let svg =
            format!("<svg xmlns='http://www.w3.org/2000/svg' {size}><rect width='9' height='9'/></svg>");
        if let Ok((width, height)) = drawn(svg.as_bytes()) {
            assert!(u64::from(width) * u64::from(height) <= documents_core::render::MAX_PIXELS, "{size}");
        }
    }
}

#[test]
fn a_page_of_any_size_fits() {
    for size in ["0 0 1 30000", "0 0 30000 1", "0 0 1e9 1e9", "0 0 0 0", "5 5 -9 -9"] {
        let page = pdf(&[(&format!("/MediaBox[{size}]"), "0 g 0 0 9 9 re f")]);
        for width in [RenderSize::Width(2_048), RenderSize::Dpi(1_200), RenderSize::Width(u32::MAX)] {
            if let Ok(raster) = draw(&page, 1, width) {
                let pixels = u64::from(raster.width) * u64::from(raster.height);
                assert!(pixels <= documents_core::render::MAX_PIXELS + 60_000, "{size}: {raster:?}");
            }
        }
    }
}

#[test]
fn each_of_them_has_a_thumbnail_all_the_same() {
    let options = ThumbnailOptions { width: 64, ..ThumbnailOptions::default() };
    let files =
        [vast_png(60_000), svg("<g id='a'><use href='#a'/></g>"), b"%PDF-1.4 rubbish".to_vec(), Vec::new()];
    for bytes in files {
        let made = thumbnail(&bytes, "a.bin", &options, &Limits::default());
        assert_eq!(image::load_from_memory(&made.bytes).unwrap().width(), 64);
    }
}
