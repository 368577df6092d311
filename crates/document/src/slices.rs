//! Slices of a text by character offsets.

/// Characters between two stored offsets.
const STRIDE: usize = 64;

/// A text with an index, so that slices by character offset need no scan from its beginning.
#[derive(Clone, Debug)]
pub struct TextSlices<'a> {
    text: &'a str,
    /// The byte offset of each `STRIDE`th character.
    marks: Vec<usize>,
}

impl<'a> TextSlices<'a> {
    /// Indexes the text in one pass.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let marks = match text.is_ascii() {
            // In ASCII, character offsets are byte offsets.
            true => Vec::new(),
            false => text.char_indices().step_by(STRIDE).map(|(at, _)| at).collect(),
        };
        Self { text, marks }
    }

    /// The characters from `start` to before `end`, clipped to the text.
    #[must_use]
    pub fn get(&self, start: usize, end: usize) -> &'a str {
        let (start, end) = (self.byte(start), self.byte(end));
        self.text.get(start..end.max(start)).unwrap_or_default()
    }

    fn byte(&self, offset: usize) -> usize {
        if self.marks.is_empty() {
            return offset.min(self.text.len());
        }
        let Some(&mark) = self.marks.get(offset / STRIDE) else { return self.text.len() };
        let rest = self.text.get(mark..).unwrap_or_default();
        rest.char_indices().nth(offset % STRIDE).map_or(self.text.len(), |(at, _)| mark + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_counting_gives() {
        for text in ["", "abc", &"xyz-".repeat(50), &"äö\u{1F600}e\u{301} ".repeat(40)] {
            let (slices, chars) = (TextSlices::new(text), text.chars().collect::<Vec<_>>());
            for start in (0..chars.len() + 3).step_by(7) {
                for end in start..chars.len() + 3 {
                    let expected: String = chars.iter().take(end).skip(start).collect();
                    assert_eq!(slices.get(start, end), expected, "{start}..{end}");
                }
            }
            assert_eq!(slices.get(2, 1), "");
        }
    }
}
