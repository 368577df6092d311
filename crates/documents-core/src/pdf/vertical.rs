//! Vertical text in a font with horizontal writing: programs without support for vertical writing place each
//! letter below the one before it.

use super::glyphs::{TO_MIDDLE, TO_TOP};
use super::placed_glyph::PlacedGlyph;

/// Minimum stacked letters of a vertical line. The lines of `tests/pdf/letters.rs` have five. Chosen by hand;
/// no measurement recorded.
const MIN_RUN: usize = 4;
/// Distance from one letter to the next, in font sizes. Letters set solid are 1 apart.
/// Chosen by hand; no measurement recorded.
const STEP: std::ops::Range<f64> = 0.7..1.35;
/// Maximum horizontal offset of letters in a line, in font sizes: punctuation is off its middle.
/// Chosen by hand; no measurement recorded.
const SIDEWAYS: f64 = 0.35;
/// Sizes of letters in a line that differ by less than this part are equal.
/// Chosen by hand; no measurement recorded.
const SAME_SIZE: f64 = 0.05;

/// Rotates vertical lines, which are letters that were drawn one after the other and one below the other.
pub(super) fn turn_columns(glyphs: &mut [PlacedGlyph]) {
    let mut start = 0;
    for end in 1..=glyphs.len() {
        let goes_on = matches!(glyphs.get(end - 1..=end), Some([above, below]) if stands_below(above, below));
        if goes_on {
            continue;
        }
        let run = glyphs.get_mut(start..end).unwrap_or_default();
        if run.len() >= MIN_RUN {
            run.iter_mut().for_each(turn_down);
        }
        start = end;
    }
}

fn stands_below(above: &PlacedGlyph, below: &PlacedGlyph) -> bool {
    let size = above.size;
    is_written_down(above)
        && is_written_down(below)
        && (above.size - below.size).abs() < SAME_SIZE * size
        && (above.origin.x - below.origin.x).abs() < SIDEWAYS * size
        && STEP.contains(&((below.origin.y - above.origin.y) / size))
}

/// Whether a glyph is upright and of a script that is also written vertically.
fn is_written_down(glyph: &PlacedGlyph) -> bool {
    let of_script = |c: char| matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe10}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}');
    glyph.angle == 0 && glyph.text.chars().all(of_script)
}

fn turn_down(glyph: &mut PlacedGlyph) {
    glyph.origin.y -= TO_TOP * glyph.size;
    glyph.origin.x += TO_MIDDLE * glyph.size;
    glyph.angle = 90;
    glyph.advance = glyph.size;
}
