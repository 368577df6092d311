//! Normalises text for one line of an answer.

/// One line of at most `most` characters: white space is collapsed, and characters that change the direction
/// or the look of the text are removed.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for character in text.trim_end().chars() {
        let shown = if character.is_whitespace() || character.is_control() { ' ' } else { character };
        if is_invisible(shown) || (shown == ' ' && (out.is_empty() || out.ends_with(' '))) {
            continue;
        }
        if count == most {
            out.truncate(out.trim_end().len());
            out.push('…');
            return out;
        }
        out.push(shown);
        count += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

/// Bidirectional controls (Unicode Bidirectional Algorithm, UAX 9), byte order marks, tags and noncharacters.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}' | '\u{ad}'
    )
}

/// Letters and digits in lower case, words separated by one space: a key for comparisons.
pub(crate) fn comparison_key(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() {
            out.extend(character.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_breaks_no_controls_and_no_tricks() {
        assert_eq!(line(" a\u{0}\u{7}b\n\t c\u{202e}gnp.exe ", 100), "a b cgnp.exe");
        assert_eq!(line("abcdef", 3), "abc…");
        assert_eq!(line("ab ", 2), "ab");
        assert_eq!(comparison_key("What's  new?"), "what s new");
    }
}
