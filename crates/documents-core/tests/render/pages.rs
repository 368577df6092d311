//! Pages of PDFs.

use document::{ParseError, RenderSize};

use crate::support::{dark, draw, pdf, pixel, wide};

const LETTER: &str = "/MediaBox[0 0 612 792]";
/// A black square in the lower left corner of the page as it is described.
const CORNER: &str = "0 g 0 0 100 100 re f";

#[test]
fn a_page_is_as_wide_as_asked_for_and_white_where_nothing_is_drawn() {
    let page = wide(&pdf(&[(LETTER, CORNER)]), 306);
    assert_eq!((page.width, page.height, page.rgba.len()), (306, 396, 306 * 396 * 4));
    assert_eq!((pixel(&page, 10, 390), pixel(&page, 200, 10)), ([0; 3], [255; 3]));
}

#[test]
fn points_become_pixels_by_their_density() {
    let page = draw(&pdf(&[(LETTER, "")]), 1, RenderSize::Dpi(144)).unwrap();
    assert_eq!((page.width, page.height), (1_224, 1_584));
}

#[test]
fn a_page_that_is_turned_stands_upright() {
    let page = wide(&pdf(&[("/MediaBox[0 0 612 792]/Rotate 90", CORNER)]), 396);
    assert_eq!((page.width, page.height), (396, 306));
    assert_eq!(pixel(&page, 10, 10), [0; 3]);
}

#[test]
fn the_crop_box_is_what_is_shown() {
    let page = wide(&pdf(&[("/MediaBox[0 0 612 792]/CropBox[0 0 100 50]", "0 g 90 0 10 10 re f")]), 200);
    assert_eq!((page.width, page.height), (200, 100));
    assert_eq!((pixel(&page, 195, 95), pixel(&page, 5, 95)), ([0; 3], [255; 3]));
}

#[test]
fn text_in_a_standard_font_is_drawn_without_any_font_of_the_system() {
    let page = wide(&pdf(&[(LETTER, "BT /F 40 Tf 72 700 Td (Ledger of the quay) Tj ET")]), 612);
    assert!(dark(&page) > 1_500, "{}", dark(&page));
}

#[test]
fn each_page_can_be_drawn_and_none_behind_the_last() {
    let pages = pdf(&[(LETTER, ""), (LETTER, CORNER)]);
    let small = RenderSize::Width(61);
    assert_eq!(
        (dark(&draw(&pages, 1, small).unwrap()), dark(&draw(&pages, 2, small).unwrap()) > 50),
        (0, true)
    );
    for number in [0, 3, u32::MAX] {
        let result = draw(&pages, number, small);
        assert!(matches!(result, Err(ParseError::NoPage { pages: 2 })), "{number}: {result:?}");
    }
}

#[test]
fn a_page_becomes_a_png_in_shades_of_gray_or_in_colour() {
    let page = wide(&pdf(&[(LETTER, "1 0 0 rg 0 0 612 792 re f")]), 20);
    let gray = image::load_from_memory(&page.to_png(true).unwrap()).unwrap();
    assert_eq!((gray.color(), gray.as_luma8().unwrap().get_pixel(9, 9).0), (image::ColorType::L8, [76]));
    let colour = image::load_from_memory(&page.to_png(false).unwrap()).unwrap();
    assert_eq!(colour.as_rgb8().unwrap().get_pixel(9, 9).0, [255, 0, 0]);
    let webp = image::load_from_memory(&page.to_webp().unwrap()).unwrap();
    assert_eq!(webp.to_rgb8().get_pixel(9, 9).0, [255, 0, 0]);
}

#[test]
fn files_without_pages_to_draw_are_named() {
    for (bytes, expected) in [
        (&b""[..], "the file is empty"),
        (b"words", "the file is not of a kind that can be read (text/plain)"),
        (b"%PDF-1.4 rubbish", "the document is damaged: it is not a PDF that can be read"),
    ] {
        assert_eq!(draw(bytes, 1, RenderSize::Width(9)).unwrap_err().to_string(), expected);
    }
}
