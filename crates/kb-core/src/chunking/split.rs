//! Splits a text that is too long for one chunk.

use gen_core::token_quarters;

/// Minimum letters of a word before a full stop; shorter words are taken for abbreviations. Case:
/// `a_text_is_cut_at_its_sentences_evenly`, with `Dr.`. Chosen by hand; no measurement recorded.
const WORD: usize = 3;

/// Quality of a split position, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CutQuality {
    Character,
    Word,
    Line,
    Sentence,
    Paragraph,
}

/// Size in quarter tokens. A run of white space between words counts as one character; at the end it does not
/// count.
pub(super) fn size(text: &str) -> usize {
    let mut blank = false;
    let size = |c: char| {
        let again = std::mem::replace(&mut blank, c.is_whitespace()) && blank;
        if again { 0 } else { quarters(c) }
    };
    text.trim_end().chars().map(size).sum()
}

fn quarters(c: char) -> usize {
    if c.is_whitespace() { 1 } else { token_quarters(c) }
}

/// Ends of the parts of a text, in bytes; the last is its length. The parts are of similar size, at most
/// `first` and then `room` quarter tokens (without trailing white space, at least one character). A part ends
/// with a sentence where possible, else with a line, a word, or any character.
pub(super) fn parts(text: &str, first: usize, room: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut at, mut left, mut room_here) = (0, size(text), first);
    while left > room_here && at < text.len() {
        // The first part may have less room; the others share the rest evenly.
        let count = 1 + left.saturating_sub(room_here).div_ceil(room.max(1));
        let target = left.div_ceil(count).min(room_here);
        let rest = text.get(at..).unwrap_or_default();
        let (length, used) = cut(rest, target, room_here);
        at += length;
        left = left.saturating_sub(used);
        ends.push(at);
        room_here = room;
    }
    if at < text.len() {
        ends.push(text.len());
    }
    ends
}

/// A split position: its byte offset, and the size before it.
type Found = (usize, usize);

/// The first part of a text that is too long: its bytes with the white space after it, and its size with
/// them.
fn cut(text: &str, target: usize, room: usize) -> Found {
    let mut best: Option<(CutQuality, Found)> = None;
    let mut characters = text.char_indices().peekable();
    let (mut size, mut word, mut before_word) = (0, 0_usize, 0_usize);
    let mut last = ' ';
    while let Some((at, c)) = characters.next() {
        let after = size + quarters(c);
        if !c.is_whitespace() && after > room && at > 0 {
            break;
        }
        size = after;
        let mut end = at + c.len_utf8();
        let place = if c.is_whitespace() {
            let mut lines = usize::from(c == '\n');
            while let Some((at, c)) = characters.next_if(|(_, c)| c.is_whitespace()) {
                lines += usize::from(c == '\n');
                end = at + c.len_utf8();
            }
            match lines {
                2.. => CutQuality::Paragraph,
                _ if ends_sentence(last, before_word.max(word)) => CutQuality::Sentence,
                1 => CutQuality::Line,
                0 => CutQuality::Word,
            }
        } else if matches!(c, '。' | '！' | '？' | '｡') {
            CutQuality::Sentence
        } else {
            CutQuality::Character
        };
        (before_word, word) = match c.is_alphanumeric() {
            true => (0, word + 1),
            false if c.is_whitespace() => (0, 0),
            false => (before_word.max(word), 0),
        };
        last = c;
        if c.is_whitespace() && at == 0 {
            // A part must not be empty.
            continue;
        }
        let found = (end, size);
        // Of positions of equal quality, the nearest to the target; a bad one only where there is no better.
        let better = best.is_none_or(|(other, (_, old))| {
            let near = |size: usize| size.abs_diff(target);
            // A part of less than half the target is too short. Chosen by hand.
            let early = |size: usize| size * 2 < target;
            match (early(old), early(size)) {
                (true, false) => true,
                (false, true) => false,
                _ if place == other && place == CutQuality::Character => size >= old,
                _ if place == other => near(size) <= near(old),
                _ => place > other,
            }
        });
        if better {
            best = Some((place, found));
        }
    }
    best.map_or((text.len(), size), |(_, found)| found)
}

/// Whether a sentence ends with `last`, before white space and after a word of this many letters.
fn ends_sentence(last: char, word: usize) -> bool {
    match last {
        '!' | '?' | '…' | ';' | '؟' | '।' | '。' | '！' | '？' => true,
        '.' | '"' | '”' | '»' | ')' | ':' => word >= WORD,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, room: usize) -> Vec<&str> {
        let mut start = 0;
        parts(text, room, room)
            .into_iter()
            .map(|end| &text[std::mem::replace(&mut start, end)..end])
            .collect()
    }

    #[test]
    fn what_fits_stays_whole() {
        assert_eq!(split("One two.   \n", 8), ["One two.   \n"]);
        assert_eq!(split("", 8), Vec::<&str>::new());
    }

    #[test]
    fn a_text_is_cut_at_its_sentences_evenly() {
        let text = "Hedges are cut in March. Paths are swept in May. Roses need water. Dr. Lee pays.";
        let expected =
            ["Hedges are cut in March. Paths are swept in May. ", "Roses need water. Dr. Lee pays."];
        assert_eq!(split(text, 60), expected);
    }

    #[test]
    fn without_sentences_it_is_cut_at_words_and_without_words_anywhere() {
        let words = "word ".repeat(40);
        assert!(split(&words, 50).iter().all(|part| part.ends_with("word ") && size(part) <= 50));
        let run = "x".repeat(1_000);
        assert_eq!(split(&run, 100).iter().map(|part| part.len()).collect::<Vec<_>>(), [100; 10]);
        assert!(split(&"東".repeat(90), 100).iter().all(|part| size(part) <= 100));
    }

    #[test]
    fn blanks_stay_with_what_is_before_them() {
        let text = format!("one{}two{}three", " ".repeat(500), "\n".repeat(500));
        let parts = split(&text, 16);
        assert!(parts.iter().all(|part| !part.trim().is_empty() && part.trim_start() == *part), "{parts:?}");
        assert_eq!(parts.concat(), text);
    }
}
