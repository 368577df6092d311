//! Tokenises text into words: runs of letters and digits, and character pairs of scripts without spaces.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Maximum bytes of a word; longer runs are not words.
const MAX_WORD: usize = 96;

/// A word with its byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

/// Whether a character is of a script without spaces between words.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

/// The words in order. A number keeps points, commas, colons and slashes between digits; a single letter
/// keeps its hyphen, as in `e-mail`. Chinese, Japanese, Korean and Thai are split into overlapping pairs of
/// characters.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let skipped: usize = rest.chars().take_while(|c| !c.is_alphanumeric()).map(char::len_utf8).sum();
            let start = at + skipped;
            let rest = text.get(start..)?;
            let first = rest.chars().next()?;
            if is_cjk(first) {
                let (word, step) = pair(rest, first, text.get(..start)?.chars().next_back());
                at = start + step;
                if let Some(text) = word {
                    return Some(Word { start, text });
                }
                continue;
            }
            let length = word_len(rest);
            at = start + length;
            if length <= MAX_WORD {
                return rest.get(..length).map(|text| Word { start, text });
            }
        }
    })
}

/// The pair that begins here, and the step to the next one. The last character of a run is a word only if it
/// is the whole run.
fn pair(rest: &str, first: char, before: Option<char>) -> (Option<&str>, usize) {
    let step = first.len_utf8();
    match rest.get(step..).and_then(|rest| rest.chars().next()).filter(|c| is_cjk(*c)) {
        Some(second) => (rest.get(..step + second.len_utf8()), step),
        None if before.is_some_and(is_cjk) => (None, step),
        None => (rest.get(..step), step),
    }
}

/// The length in bytes of the word at the start of `rest`.
fn word_len(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    let mut previous = ' ';
    while let Some((at, c)) = characters.next() {
        let goes_on = c.is_alphanumeric() && !is_cjk(c) || is_combining_mark(c);
        let next = characters.peek().map_or(' ', |(_, c)| *c);
        let inside_number =
            matches!(c, '.' | ',' | ':' | '/') && previous.is_ascii_digit() && next.is_ascii_digit();
        let single =
            c == '-' && at == previous.len_utf8() && previous.is_alphabetic() && next.is_alphabetic();
        if !goes_on && !inside_number && !single {
            return at;
        }
        previous = c;
    }
    rest.len()
}

/// Lower case without accents; `ß` becomes `ss`.
pub(crate) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'ł' => folded.push('l'),
            'ø' => folded.push('o'),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ı' => folded.push('i'),
            '-' | '\u{307}' => {}
            c => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_numbers_together_and_pair_characters_without_spaces() {
        let read = |text| words(text).map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(
            read("Pay 1,250.50 by 3/4, e-mail l'ami."),
            ["Pay", "1,250.50", "by", "3/4", "e-mail", "l", "ami"]
        );
        assert_eq!(read("東京都 a 駅"), ["東京", "京都", "a", "駅"]);
        assert_eq!(read(&"x".repeat(500)), Vec::<&str>::new());
        assert_eq!(fold("Größe-É"), "grossee");
    }
}
