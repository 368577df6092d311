//! A glyph on the upright page: its text, its baseline and its marked content.

use kurbo::Point;

/// The marked content that drawn text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// No marked content.
    #[default]
    None,
    /// Content with this id (MCID) on the page.
    Content(u32),
    /// An artifact: running headers, ornaments.
    Artifact,
}

/// A glyph on the upright page, y downwards, in points.
#[derive(Clone, Debug)]
pub(super) struct PlacedGlyph {
    /// Its text; mostly one character.
    pub(super) text: String,
    /// Start of its baseline.
    pub(super) origin: Point,
    /// Direction of its baseline in degrees clockwise: 0 right, 90 down, 180 left, 270 up.
    pub(super) angle: u16,
    /// Its advance width.
    pub(super) advance: f64,
    /// Its em size.
    pub(super) size: f64,
    /// Whether its font is bold.
    pub(super) bold: bool,
    /// Drawn invisibly, as the text layer of scanned pages is.
    pub(super) invisible: bool,
    /// The marked content that it belongs to.
    pub(super) mark: Mark,
}

/// Appends a character in plain form: ligatures are expanded, spaces are alike, and control characters are
/// left out.
pub(super) fn push(text: &mut String, c: char) {
    match c {
        '\u{fb00}' => text.push_str("ff"),
        '\u{fb01}' => text.push_str("fi"),
        '\u{fb02}' => text.push_str("fl"),
        '\u{fb03}' => text.push_str("ffi"),
        '\u{fb04}' => text.push_str("ffl"),
        '\u{fb05}' | '\u{fb06}' => text.push_str("st"),
        '\u{a0}' | '\t' | '\n' | '\r' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => text.push(' '),
        '\u{ad}' => text.push('-'),
        c if c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}') => {}
        c => text.push(c),
    }
}
