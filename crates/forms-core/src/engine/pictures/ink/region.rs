//! The share of a box that is ink.

use super::page_pixels::{PagePixels, count, percentile};

/// The edge of a picture in the units of models.
const EDGE: f64 = 1_000.0;
/// Pixels of a side, below which nothing can be told.
const MIN_SIDE: u32 = 4;
/// The share of a check box on each side that may be its frame.
const FRAME: f64 = 0.15;
/// The share of a side, for check boxes of the shorter one, from which a straight run of dark pixels is a line.
const LINE: f64 = 0.6;
/// The share of the shorter side that a line is thick at most, and pixels that any line may be thick.
const THICKNESS: f64 = 0.12;
const MIN_THICKNESS: usize = 4;
/// The part of a check box on each side in which lines are taken for its frame: one across the middle is a mark.
const CHECK_BORDER: f64 = 0.3;
/// The part of other boxes at the left and right in which upright lines are taken for those of a table.
const CELL_BORDER: f64 = 0.15;
/// How much darker than the paper ink is: pencil is some 60 darker, shading of print on the reverse some 20.
const CONTRAST: f64 = 45.0;
/// Ink is also darker than noise; in units of its standard deviation.
const NOISE_FACTOR: f64 = 4.0;
/// What is lighter by more than this is no noise but print around a dark area.
const MAX_NOISE: f64 = 80.0;
/// How bright paper is at least, as a share of the page's median: what is darker is ink, all around too.
const SHADED: f64 = 0.6;
/// Dark neighbours of eight that a pixel of ink has at least: specks have fewer.
const NEIGHBOURS: usize = 2;
/// Areas of the page that are compared, in each direction, and pixels of their sides at most.
const GRID: u32 = 6;
const MAX_TILE: u32 = 64;

/// What is looked for in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InkKind {
    /// A tick inside a frame.
    Check,
    /// Handwriting, a signature or a stamp, perhaps on a line.
    Writing,
}

/// A box of pixels; right and bottom are excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelBox {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl PixelBox {
    /// The box with these edges, of 1,000, in a picture; `None` when it has too few pixels.
    pub(super) fn of(edges: [f64; 4], (width, height): (u32, u32)) -> Option<Self> {
        let pixel = |edge: f64, side: u32| (edge.clamp(0.0, EDGE) / EDGE * f64::from(side)).round() as u32;
        let [left, top, right, bottom] = edges;
        let area = Self {
            left: pixel(left, width),
            top: pixel(top, height),
            right: pixel(right, width),
            bottom: pixel(bottom, height),
        };
        (area.left + MIN_SIDE <= area.right && area.top + MIN_SIDE <= area.bottom).then_some(area)
    }

    fn width(self) -> u32 {
        self.right - self.left
    }

    fn height(self) -> u32 {
        self.bottom - self.top
    }

    pub(super) fn pixels(self) -> usize {
        self.width() as usize * self.height() as usize
    }

    /// The box without a share of it on each side.
    fn inset(self, share: f64) -> Self {
        let (x, y) = (f64::from(self.width()) * share, f64::from(self.height()) * share);
        let (x, y) = (x.round() as u32, y.round() as u32);
        Self { left: self.left + x, top: self.top + y, right: self.right - x, bottom: self.bottom - y }
    }

    /// The box with half of its sides around it.
    fn surroundings(self, (width, height): (u32, u32)) -> Self {
        let (x, y) = (self.width() / 2 + MIN_SIDE, self.height() / 2 + MIN_SIDE);
        Self {
            left: self.left.saturating_sub(x),
            top: self.top.saturating_sub(y),
            right: (self.right + x).min(width),
            bottom: (self.bottom + y).min(height),
        }
    }

    fn meets(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn has(self, x: u32, y: u32) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }
}

/// The share of a box that is ink, beside print, lines and frames; `None` when print covers all of it.
pub(super) fn ink_share(
    pixels: &PagePixels,
    area: PixelBox,
    words: &[PixelBox],
    kind: InkKind,
) -> Option<f64> {
    let inner = if kind == InkKind::Check { area.inset(FRAME) } else { area };
    let mut dark = DarkPixels::of(pixels, inner, threshold(pixels, area));
    dark.remove_lines(kind);
    let words: Vec<&PixelBox> = words.iter().filter(|word| word.meets(inner)).collect();
    let (mut all, mut ink) = (0_usize, 0_usize);
    for y in 0..dark.height {
        for x in 0..dark.width {
            let (column, row) = (inner.left + x as u32, inner.top + y as u32);
            if words.iter().any(|word| word.has(column, row)) {
                continue;
            }
            all += 1;
            ink += usize::from(dark.is_ink(x, y));
        }
    }
    (all > 0).then(|| ink as f64 / all as f64)
}

/// The share of an empty area of the page that looks like ink: that of the tenth part of the page with the least.
pub(super) fn empty_share(pixels: &PagePixels, area: PixelBox) -> f64 {
    let (width, height) = pixels.size();
    let (wide, high) = (area.width().min(MAX_TILE).min(width), area.height().min(MAX_TILE).min(height));
    let mut shares = Vec::new();
    for row in 0..GRID {
        for column in 0..GRID {
            let (left, top) = ((width - wide) * column / (GRID - 1), (height - high) * row / (GRID - 1));
            let tile = PixelBox { left, top, right: left + wide, bottom: top + high };
            shares.extend(ink_share(pixels, tile, &[], InkKind::Writing));
        }
    }
    shares.sort_by(f64::total_cmp);
    shares.get(shares.len() / 10).copied().unwrap_or_default()
}

/// The gray value below which a pixel is dark, by the paper around and in a box.
fn threshold(pixels: &PagePixels, area: PixelBox) -> f64 {
    let around = area.surroundings(pixels.size());
    let mut counts = [0_usize; 256];
    for y in around.top..around.bottom {
        (around.left..around.right).for_each(|x| count(&mut counts, pixels.at(x, y)));
    }
    // A quarter of the surroundings at least is paper. Its upper quarter spreads as the noise does: in a normal
    // distribution, these percentiles are one standard deviation apart.
    let (paper, light) = (f64::from(percentile(&counts, 75)), f64::from(percentile(&counts, 95)));
    let noise = (NOISE_FACTOR * (light - paper)).min(MAX_NOISE);
    paper.max(SHADED * f64::from(pixels.median())) - CONTRAST.max(noise)
}

/// Which pixels of a box are dark.
struct DarkPixels {
    width: usize,
    height: usize,
    dark: Vec<bool>,
}

impl DarkPixels {
    fn of(pixels: &PagePixels, area: PixelBox, threshold: f64) -> Self {
        let rows = area.top..area.bottom;
        let dark =
            rows.flat_map(|y| (area.left..area.right).map(move |x| f64::from(pixels.at(x, y)) < threshold));
        Self { width: area.width() as usize, height: area.height() as usize, dark: dark.collect() }
    }

    fn at(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.dark.get(y * self.width + x).copied().unwrap_or(false)
    }

    /// Whether a pixel is dark and no speck.
    fn is_ink(&self, x: usize, y: usize) -> bool {
        let around = (0..9).filter(|place| *place != 4).filter(|place| {
            let (x, y) = ((x + place % 3).checked_sub(1), (y + place / 3).checked_sub(1));
            x.zip(y).is_some_and(|(x, y)| self.at(x, y))
        });
        self.at(x, y) && around.take(NEIGHBOURS).count() == NEIGHBOURS
    }

    /// Removes thin straight lines: those near the border, and on the way across what is no check box.
    fn remove_lines(&mut self, kind: InkKind) {
        let shorter = self.width.min(self.height);
        let thickness = ((shorter as f64 * THICKNESS) as usize).max(MIN_THICKNESS);
        let least = |side: usize| ((side as f64 * LINE) as usize).max(MIN_SIDE as usize);
        let (across, upright) = match kind {
            InkKind::Check => ((least(shorter), CHECK_BORDER), (least(shorter), CHECK_BORDER)),
            InkKind::Writing => ((least(self.width), 1.0), (least(self.height), CELL_BORDER)),
        };
        let mut found = self.rows_of_lines(across, thickness);
        let turned = self.turned().rows_of_lines(upright, thickness);
        found.extend(turned.into_iter().map(|(x, y)| (y, x)));
        for (x, y) in found {
            if let Some(pixel) = self.dark.get_mut(y * self.width + x) {
                *pixel = false;
            }
        }
    }

    fn turned(&self) -> Self {
        let dark = (0..self.width).flat_map(|x| (0..self.height).map(move |y| self.at(x, y)));
        Self { width: self.height, height: self.width, dark: dark.collect() }
    }

    /// The pixels of horizontal lines of a least length and a greatest thickness, in a part of the rows at the top and
    /// at the bottom.
    fn rows_of_lines(&self, (least, border): (usize, f64), thickness: usize) -> Vec<(usize, usize)> {
        let border = (self.height as f64 * border) as usize;
        let mut found = Vec::new();
        for y in (0..self.height).filter(|y| *y < border || *y + border >= self.height) {
            let mut start = 0;
            for x in 0..=self.width {
                if self.at(x, y) {
                    continue;
                }
                if x - start >= least {
                    found.extend((start..x).filter(|x| self.is_thin(*x, y, thickness)).map(|x| (x, y)));
                }
                start = x + 1;
            }
        }
        found
    }

    /// Whether the dark pixels above and below a pixel are a few.
    fn is_thin(&self, x: usize, y: usize, thickness: usize) -> bool {
        let above = (0..y).rev().take_while(|y| self.at(x, *y)).take(thickness).count();
        let below = (y + 1..self.height).take_while(|y| self.at(x, *y)).take(thickness).count();
        above + below < thickness
    }
}
