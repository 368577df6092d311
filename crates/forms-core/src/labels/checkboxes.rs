//! Checkboxes of a line, printed or typed.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::Line;

#[allow(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
static BOX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?<on>\[[xX✓✔]\]|\([xX]\)|[☑☒✓✔🗹])|(?<off>\[ ?\]|\( \)|[☐□])").unwrap());

/// A checkbox and the text after it, up to the next one.
#[derive(Clone, Copy, Debug)]
pub struct Checkbox<'a> {
    /// Whether it has a cross or tick.
    pub is_ticked: bool,
    /// The text after it.
    pub text: &'a str,
    /// Its first byte in the line.
    pub start: usize,
    /// The byte after its text.
    pub end: usize,
}

/// The checkboxes of a line, in order.
#[must_use]
pub fn boxes(line: &Line) -> Vec<Checkbox<'_>> {
    let marks: Vec<_> =
        BOX.captures_iter(&line.text).filter_map(|c| Some((c.name("on").is_some(), c.get(0)?))).collect();
    let ends = marks.iter().skip(1).map(|(_, mark)| mark.start()).chain([line.text.len()]);
    let ticked = marks.iter().zip(ends).map(|((on, mark), end)| {
        let text = line.slice(mark.end(), end).trim();
        Checkbox {
            is_ticked: *on,
            text,
            start: mark.start(),
            end: line.text.get(..end).map_or(end, |before| before.trim_end().len()),
        }
    });
    ticked.collect()
}
