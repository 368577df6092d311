//! A white canvas for text, as an SVG drawing.

use std::fmt::Write as _;

use document::RenderSize;

use crate::render::fonts::Face;
use crate::render::{Raster, draw_svg};

/// Line height in font sizes.
const LEADING: f32 = 1.32;
/// Width of a character that the font lacks, and of the bar drawn for it, in font sizes.
const BAR: f32 = 1.0;

/// Style of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) color: &'static str,
}

/// A canvas that is filled from the top.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) margin: f32,
    /// Top of the next line.
    pub(super) y: f32,
    svg: String,
    upright: Face,
    bold: Face,
}

impl Canvas {
    /// `None` only if the bundled fonts were damaged.
    pub(super) fn new(width: f32, height: f32, margin: f32) -> Option<Self> {
        let (upright, bold) = (Face::new(false)?, Face::new(true)?);
        Some(Self { width, height, margin, y: margin, svg: String::new(), upright, bold })
    }

    /// Whether there is no space left.
    pub(super) fn is_full(&self) -> bool {
        self.y >= self.height - self.margin
    }

    /// Adds vertical space.
    pub(super) fn skip(&mut self, room: f32) {
        self.y += room;
    }

    /// Draws text from `x` to before `right` in at most `most` lines. What does not fit below is left out.
    pub(super) fn text(&mut self, text: &str, x: f32, right: f32, most: usize, style: Style) {
        for line in self.lines(text, right - x, most, style) {
            if self.y + style.size > self.height - self.margin / 2.0 {
                self.y = self.height;
                return;
            }
            self.line(&line, x, right, self.y, style);
            self.y += style.size * LEADING;
        }
    }

    /// Draws one line with its top at `y`. Overlong text is clipped.
    pub(super) fn line(&mut self, line: &str, x: f32, right: f32, y: f32, style: Style) {
        let baseline = y + style.size * 0.93;
        if reads_leftwards(line) {
            self.run(line, right, baseline, "end", style);
            return;
        }
        let mut at = x;
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let known = self.has_glyph(first, style);
            let end = rest.find(|c: char| !c.is_whitespace() && self.has_glyph(c, style) != known);
            let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
            let wide = self.measure(run, style);
            if at + wide > right + style.size && at > x {
                return;
            }
            if known {
                self.run(run, at, baseline, "start", style);
            } else {
                let bar = (wide - style.size * 0.12).min(right - at).max(0.0);
                self.rect(at, y + style.size * 0.22, bar, style.size * 0.72, "#b9bec6");
            }
            at += wide;
            rest = after;
        }
    }

    /// A filled rectangle.
    pub(super) fn rect(&mut self, x: f32, y: f32, width: f32, height: f32, fill: &str) {
        write!(
            self.svg,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        )
        .unwrap_or_default();
    }

    /// Adds an SVG fragment.
    pub(super) fn raw(&mut self, svg: &str) {
        self.svg.push_str(svg);
    }

    fn run(&mut self, text: &str, x: f32, baseline: f32, anchor: &str, style: Style) {
        let weight = if style.bold { "bold" } else { "normal" };
        let (size, color) = (style.size, style.color);
        let text = escaped(text);
        write!(
            self.svg,
            r#"<text x="{x:.1}" y="{baseline:.1}" font-size="{size}" font-weight="{weight}" fill="{color}" text-anchor="{anchor}" xml:space="preserve">{text}</text>"#
        )
        .unwrap_or_default();
    }

    fn face(&self, style: Style) -> &Face {
        if style.bold { &self.bold } else { &self.upright }
    }

    fn has_glyph(&self, character: char, style: Style) -> bool {
        self.face(style).width(character).is_some()
    }

    /// The width of a text in one line.
    pub(super) fn measure(&self, text: &str, style: Style) -> f32 {
        let face = self.face(style);
        text.chars().map(|c| face.width(c).unwrap_or(BAR)).sum::<f32>() * style.size
    }

    /// Wraps a text to a width; longer words are broken.
    fn lines(&self, text: &str, width: f32, most: usize, style: Style) -> Vec<String> {
        let space = self.measure(" ", style);
        let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0.0);
        let pieces = text.split_whitespace().flat_map(|word| self.pieces(word, width, style));
        for (piece, wide) in pieces {
            if !line.is_empty() && used + space + wide > width {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
                if lines.len() >= most {
                    return lines;
                }
            }
            if !line.is_empty() {
                line.push(' ');
                used += space;
            }
            line.push_str(piece);
            used += wide;
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    /// Breaks a word into pieces that fit, with their widths.
    fn pieces<'t>(&self, word: &'t str, width: f32, style: Style) -> Vec<(&'t str, f32)> {
        let face = self.face(style);
        let (mut pieces, mut start, mut used) = (Vec::new(), 0, 0.0);
        for (offset, character) in word.char_indices() {
            let wide = face.width(character).unwrap_or(BAR) * style.size;
            if used + wide > width && offset > start {
                pieces.push((word.get(start..offset).unwrap_or_default(), used));
                (start, used) = (offset, 0.0);
            }
            used += wide;
        }
        pieces.push((word.get(start..).unwrap_or_default(), used));
        pieces
    }

    /// Renders it at this width in pixels.
    pub(super) fn render(self, pixels: u32) -> Option<Raster> {
        let (width, height, content) = (self.width, self.height, self.svg);
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="DejaVu Sans">{content}</svg>"#
        );
        draw_svg(&svg, RenderSize::Width(pixels)).ok()
    }
}

/// Whether the first letter belongs to a right-to-left script.
fn reads_leftwards(text: &str) -> bool {
    text.chars().find(|c| c.is_alphabetic()).is_some_and(
        |c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'),
    )
}

/// Escapes text for XML; characters that XML does not allow are left out.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
