//! Measures the thresholds on boxes that are drawn with a seed: half of the kinds set them, the others are held out.

use image::{GrayImage, Luma};

use super::page_pixels::PagePixels;
use super::region::{InkKind, PixelBox, empty_share, ink_share};
use super::{CHECK_SHARES, Ink, InkShares, WRITING_SHARES, judge};

/// Boxes of each kind on each scan.
const BOXES: usize = 4;
const PAGE: (u32, u32) = (480, 360);

/// A linear congruential generator (Knuth, MMIX).
struct Seeded(u64);

impl Seeded {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// About normal, with a standard deviation of 1.
    fn normal(&mut self) -> f64 {
        ((0..3).map(|_| self.next()).sum::<f64>() - 1.5) * 2.0
    }
}

struct Sheet {
    pixels: GrayImage,
    random: Seeded,
}

impl Sheet {
    fn dot(&mut self, x: f64, y: f64, thickness: f64, gray: u8) {
        let radius = thickness / 2.0;
        let reach = radius.ceil() as i64;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (column, row) = (x.round() as i64 + dx, y.round() as i64 + dy);
                let is_within = ((dx * dx + dy * dy) as f64).sqrt() <= radius;
                let inside =
                    (0..i64::from(PAGE.0)).contains(&column) && (0..i64::from(PAGE.1)).contains(&row);
                if is_within && inside {
                    self.pixels.put_pixel(column as u32, row as u32, Luma([gray]));
                }
            }
        }
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), thickness: f64, gray: u8) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let at = step as f64 / steps;
            self.dot(from.0 + (to.0 - from.0) * at, from.1 + (to.1 - from.1) * at, thickness, gray);
        }
    }

    fn frame(&mut self, [left, top, right, bottom]: [f64; 4], gray: u8) {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        for pair in corners.windows(2) {
            self.line(pair[0], pair[1], 1.0, gray);
        }
    }

    /// A wave as of a hand, within a box.
    fn scribble(&mut self, [left, top, right, bottom]: [f64; 4], thickness: f64, gray: u8) {
        let (middle, high) = ((top + bottom) / 2.0, (bottom - top) / 2.0);
        let mut before = (left, middle);
        let mut x = left;
        while x < right {
            x += self.random.between(2.0, 7.0);
            let y = middle + high * self.random.between(-0.9, 0.9);
            self.line(before, (x.min(right), y), thickness, gray);
            before = (x.min(right), y);
        }
    }

    fn ring(&mut self, [left, top, right, bottom]: [f64; 4], thickness: f64, gray: u8) {
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        for step in 0..200 {
            let angle = f64::from(step) * std::f64::consts::TAU / 200.0;
            let (dx, dy) = ((right - left) / 2.0 * angle.cos(), (bottom - top) / 2.0 * angle.sin());
            self.dot(x + dx, y + dy, thickness, gray);
        }
    }
}

/// What stands in a box.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    EmptyFrame,
    Tick,
    Cross,
    Filled,
    Dot,
    Slash,
    Blank,
    Line,
    Signature,
    Digits,
    Cell,
    FaintSignature,
    Stamp,
}

impl Content {
    /// What the thresholds are set on, and what is held out.
    const TUNED: [Self; 6] =
        [Self::EmptyFrame, Self::Tick, Self::Cross, Self::Blank, Self::Line, Self::Signature];
    const HELD_OUT: [Self; 7] =
        [Self::Filled, Self::Dot, Self::Slash, Self::Digits, Self::Cell, Self::FaintSignature, Self::Stamp];

    fn kind(self) -> InkKind {
        match self {
            Self::EmptyFrame | Self::Tick | Self::Cross | Self::Filled | Self::Dot | Self::Slash => {
                InkKind::Check
            }
            _ => InkKind::Writing,
        }
    }

    fn is_empty(self) -> bool {
        matches!(self, Self::EmptyFrame | Self::Blank | Self::Line | Self::Cell)
    }

    /// Draws it; returns the box that holds it.
    fn draw(self, sheet: &mut Sheet) -> [f64; 4] {
        let (left, top) = (sheet.random.between(60.0, 160.0), sheet.random.between(60.0, 200.0));
        let size = sheet.random.between(16.0, 34.0);
        let (wide, high) = match self.kind() {
            InkKind::Check => (size, size),
            InkKind::Writing => (sheet.random.between(90.0, 240.0), sheet.random.between(18.0, 60.0)),
        };
        let whole = [left, top, left + wide, top + high];
        let part = |share: f64| {
            let (x, y) = (wide * share, high * share);
            [left + x, top + y, left + wide - x, top + high - y]
        };
        let thickness = sheet.random.between(1.6, 3.0);
        let [x0, y0, x1, y1] = part(0.22);
        if self.kind() == InkKind::Check {
            sheet.frame(whole, 60);
        }
        match self {
            Self::EmptyFrame | Self::Blank => {}
            Self::Tick => {
                sheet.line((x0, (y0 + y1) / 2.0), ((x0 + x1) / 2.0, y1), thickness, 40);
                sheet.line(((x0 + x1) / 2.0, y1), (x1, y0), thickness, 40);
            }
            Self::Cross => {
                sheet.line((x0, y0), (x1, y1), thickness, 40);
                sheet.line((x0, y1), (x1, y0), thickness, 40);
            }
            Self::Slash => sheet.line((x0, y1), (x1, y0), thickness, 40),
            Self::Filled => (0..=high as u32).for_each(|row| {
                let y = top + f64::from(row);
                sheet.line((left, y), (left + wide, y), 1.0, 50);
            }),
            Self::Dot => sheet.dot((x0 + x1) / 2.0, (y0 + y1) / 2.0, size * 0.35, 40),
            Self::Line => sheet.line((left, top + high * 0.9), (left + wide, top + high * 0.9), 1.0, 70),
            Self::Cell => sheet.frame(whole, 70),
            Self::Signature | Self::FaintSignature => {
                sheet.line((left, top + high * 0.9), (left + wide, top + high * 0.9), 1.0, 70);
                let gray = if self == Self::Signature { 50 } else { 165 };
                sheet.scribble(part(0.15), thickness, gray);
            }
            Self::Digits => {
                for digit in 0..4 {
                    let x = x0 + f64::from(digit) * (x1 - x0) / 4.0;
                    sheet.scribble([x, y0, x + (x1 - x0) / 7.0, y1], thickness, 50);
                }
            }
            Self::Stamp => {
                sheet.ring(part(0.05), 2.0, 110);
                sheet.scribble(part(0.3), 1.6, 110);
            }
        }
        whole
    }
}

/// How a page was scanned.
#[derive(Clone, Copy, Debug)]
enum Scan {
    Clean,
    Noise(f64),
    Shade,
    Specks,
}

impl Scan {
    const TUNED: [Self; 2] = [Self::Clean, Self::Noise(6.0)];
    const HELD_OUT: [Self; 3] = [Self::Noise(10.0), Self::Shade, Self::Specks];

    fn apply(self, sheet: &mut Sheet) {
        for y in 0..PAGE.1 {
            for x in 0..PAGE.0 {
                let gray = f64::from(sheet.pixels.get_pixel(x, y).0[0]);
                let scanned = match self {
                    Self::Clean => gray,
                    Self::Noise(deviation) => gray + deviation * sheet.random.normal(),
                    Self::Shade => {
                        gray * (0.62 + 0.38 * f64::from(x) / f64::from(PAGE.0)) + 3.0 * sheet.random.normal()
                    }
                    Self::Specks if sheet.random.next() < 0.004 => 30.0,
                    Self::Specks => gray + 4.0 * sheet.random.normal(),
                };
                sheet.pixels.put_pixel(x, y, Luma([scanned.clamp(0.0, 255.0) as u8]));
            }
        }
    }
}

/// A page with other print, and a box that is named as a model does it: not exactly.
fn page(content: Content, scan: Scan, seed: u64) -> (PagePixels, PixelBox) {
    let paper = if matches!(scan, Scan::Clean) { 255 } else { 238 };
    let mut sheet =
        Sheet { pixels: GrayImage::from_pixel(PAGE.0, PAGE.1, Luma([paper])), random: Seeded(seed) };
    (0..20).for_each(|_| {
        sheet.random.next();
    });
    for row in 0..3 {
        let y = 296.0 + 20.0 * f64::from(row);
        sheet.scribble([30.0, y, 440.0, y + 8.0], 1.4, 30);
    }
    let whole = content.draw(&mut sheet);
    scan.apply(&mut sheet);
    let (x, y) = ((whole[2] - whole[0]) * 0.2, (whole[3] - whole[1]) * 0.2);
    let mut named = whole;
    for (edge, side) in named.iter_mut().zip([-x, -y, x, y]) {
        *edge += side * sheet.random.between(-0.15, 1.0);
    }
    let scale = [PAGE.0, PAGE.1, PAGE.0, PAGE.1];
    for (edge, side) in named.iter_mut().zip(scale) {
        *edge = (*edge * 1_000.0 / f64::from(side)).round();
    }
    let pixels = PagePixels::new(sheet.pixels);
    let area = PixelBox::of(named, pixels.size()).unwrap();
    (pixels, area)
}

/// Of all boxes, how many are judged rightly, wrongly, and not at all.
#[derive(Debug, Default, PartialEq)]
struct Judged {
    right: usize,
    wrong: usize,
    unclear: usize,
}

fn measure(contents: &[Content], scans: &[Scan]) -> Judged {
    let mut all = Judged::default();
    for content in contents {
        for scan in scans {
            let mut shares = Vec::new();
            for seed in 0..BOXES {
                let (pixels, area) = page(*content, *scan, seed as u64);
                shares.push(ink_share(&pixels, area, &[], content.kind()).unwrap());
                match (judge(&pixels, area, &[], content.kind()), content.is_empty()) {
                    (Ink::Unclear, _) => all.unclear += 1,
                    (ink, is_empty) if (ink == Ink::Blank) == is_empty => all.right += 1,
                    _ => all.wrong += 1,
                }
            }
            shares.sort_by(f64::total_cmp);
            println!("{content:?} {scan:?}: {:.4} to {:.4}", shares.first().unwrap(), shares.last().unwrap());
        }
    }
    println!("{all:?}");
    all
}

#[test]
fn boxes_of_the_kinds_that_set_the_thresholds_are_judged_rightly() {
    let found = measure(&Content::TUNED, &Scan::TUNED);
    assert_eq!(found.wrong, 0);
}

#[test]
fn boxes_of_kinds_and_scans_that_were_held_out_are_seldom_judged_wrongly() {
    let kinds = measure(&Content::HELD_OUT, &Scan::TUNED);
    let scans = measure(&Content::TUNED, &Scan::HELD_OUT);
    let both = measure(&Content::HELD_OUT, &Scan::HELD_OUT);
    for found in [kinds, scans, both] {
        let all = found.right + found.wrong + found.unclear;
        assert!(found.wrong * 100 <= all, "{found:?}");
    }
}

#[test]
fn the_lower_share_is_below_the_upper_one() {
    for InkShares { blank, written } in [CHECK_SHARES, WRITING_SHARES] {
        assert!(0.0 < blank && blank < written && written < 1.0);
    }
}

#[test]
fn an_empty_area_is_found_on_a_page_with_print() {
    let (pixels, area) = page(Content::Signature, Scan::Clean, 7);
    assert_eq!(empty_share(&pixels, area), 0.0);
}

#[test]
fn print_in_a_box_is_no_ink_and_a_box_of_print_alone_is_unclear() {
    let (pixels, area) = page(Content::Signature, Scan::Clean, 7);
    assert_eq!(judge(&pixels, area, &[area], InkKind::Writing), Ink::Unclear);
    assert_eq!(judge(&pixels, area, &[], InkKind::Writing), Ink::Written);
}

#[test]
fn a_box_of_a_few_pixels_is_none() {
    for edges in [[0.0, 0.0, 1.0, 1.0], [500.0, 500.0, 400.0, 600.0], [990.0, 0.0, 1_000.0, 900.0]] {
        let found = PixelBox::of(edges, (100, 100));
        assert_eq!(found, None, "{edges:?}");
    }
}
