//! Which pages are sent in colour.

use document::PageColours;
use documents_core::Raster;

const WIDTH: u32 = 1_109;
const HEIGHT: u32 = 1_568;

/// A page of A4 with lines of gray print; `pixel` changes its colours.
fn page(mut pixel: impl FnMut(u32, u32, [u8; 3]) -> [u8; 3]) -> Raster {
    let mut rgba = Vec::new();
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let is_print = y % 40 < 10 && (x * 7 + y * 3) % 11 < 4;
            let gray = if is_print { 30 } else { 250 };
            rgba.extend(pixel(x, y, [gray; 3]));
            rgba.push(255);
        }
    }
    Raster { width: WIDTH, height: HEIGHT, rgba }
}

/// A linear congruential generator (Knuth, MMIX); about normal, with a standard deviation of 1.
fn noise(seed: &mut u64) -> f64 {
    let mut sum = -6.0;
    for _ in 0..12 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sum += (*seed >> 33) as f64 / f64::from(1_u32 << 31);
    }
    sum
}

fn noisy(seed: &mut u64, pixel: [u8; 3]) -> [u8; 3] {
    pixel.map(|channel| (f64::from(channel) + 8.0 * noise(seed)).clamp(0.0, 255.0) as u8)
}

/// Yellowed paper.
fn yellowed(pixel: [u8; 3]) -> [u8; 3] {
    [pixel[0], (f64::from(pixel[1]) * 0.94) as u8, (f64::from(pixel[2]) * 0.82) as u8]
}

/// The two strokes of a cross in a small box.
fn is_cross(x: u32, y: u32) -> bool {
    let (x, y) = (i64::from(x) - 300, i64::from(y) - 400);
    (0..24).contains(&x) && (0..24).contains(&y) && ((x - y).abs() < 2 || (x + y - 24).abs() < 2)
}

fn is_stamp(x: u32, y: u32) -> bool {
    let distance = (f64::from(x) - 800.0).hypot(f64::from(y) - 1_200.0);
    (90.0..94.0).contains(&distance)
}

#[test]
fn gray_print_yellowed_paper_and_the_noise_of_scans_have_no_colour() {
    let mut seed = 7;
    let pages = [
        page(|_, _, pixel| pixel),
        page(|_, _, pixel| yellowed(pixel)),
        page(|_, _, pixel| noisy(&mut seed, pixel)),
    ];
    for page in pages {
        println!("{:.6}", page.colour_share());
        assert!(page.colour_share() < 0.000_01, "{}", page.colour_share());
        let image = page.to_page_image(PageColours::WhereUsed).unwrap();
        assert_eq!(image, page.to_png(true).unwrap());
    }
}

#[test]
fn a_mark_in_red_a_stamp_and_a_highlighted_line_are_seen_in_colour() {
    let pages = [
        page(|x, y, pixel| if is_cross(x, y) { [200, 30, 40] } else { pixel }),
        page(|x, y, pixel| if is_stamp(x, y) { [60, 70, 190] } else { pixel }),
        page(|x, y, pixel| if (520..540).contains(&y) && x < 700 { [250, 240, pixel[2] / 3] } else { pixel }),
    ];
    for page in pages {
        println!("{:.6}", page.colour_share());
        assert!(page.colour_share() >= 0.000_07, "{}", page.colour_share());
        let image = page.to_page_image(PageColours::WhereUsed).unwrap();
        let read = image::load_from_memory(&image).unwrap();
        assert!(read.color().has_color());
        assert_eq!((read.width(), read.height()), (WIDTH, HEIGHT));
        // OCR gets gray.
        let gray = image::load_from_memory(&page.to_page_image(PageColours::Gray).unwrap()).unwrap();
        assert!(!gray.color().has_color());
    }
}

#[test]
fn a_page_in_colour_is_small_enough_for_a_call_or_gray() {
    let mut seed = 7;
    let scan = page(|x, y, pixel| {
        let pixel = if is_stamp(x, y) { [60, 70, 190] } else { pixel };
        noisy(&mut seed, pixel)
    });
    let image = scan.to_page_image(PageColours::WhereUsed).unwrap();
    println!("{} bytes", image.len());
    assert!(scan.to_png(false).unwrap().len() > 1 << 20);
    assert!(image.starts_with(b"\xff\xd8\xff") && image.len() <= 1 << 20, "{} bytes", image.len());
    // Colours at random fit in no format.
    let mut seed = 7;
    let random = page(|_, _, _| [0; 3].map(|_| (128.0 + 90.0 * noise(&mut seed)) as u8));
    let image = random.to_page_image(PageColours::WhereUsed).unwrap();
    assert_eq!(image, random.to_png(true).unwrap());
}
