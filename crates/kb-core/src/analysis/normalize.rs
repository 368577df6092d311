//! Normalises Unicode variants to one spelling.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The zero of each common non-Latin set of decimal digits.
const ZEROS: [char; 8] =
    ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ae6}', '\u{be6}', '\u{e50}', '\u{1040}'];

/// The text in Unicode form KC, with Latin digits and without invisible characters.
pub(super) fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let parted = text.chars().filter(|c| !is_unseen(*c)).flat_map(|c| {
        // Form KC turns '6½' into '61⁄2'.
        let apart = matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' | '\u{2189}');
        apart.then_some(' ').into_iter().chain(Some(c))
    });
    Cow::Owned(parted.nfkc().map(plain).collect())
}

/// Soft hyphens, joiners, bidirectional controls and the like, which do not separate words.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{640}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Latin digits for others, and the plain form of the Russian letter that is mostly written without its dots:
/// the stemmer does not know it.
fn plain(c: char) -> char {
    match c {
        c if c.is_ascii() => return c,
        'ё' => return 'е',
        'Ё' => return 'Е',
        _ => {}
    }
    ZEROS
        .iter()
        .find_map(|zero| (c as u32).checked_sub(*zero as u32).filter(|value| *value < 10))
        .and_then(|value| char::from_digit(value, 10))
        .unwrap_or(c)
}

/// Appends a word without its accents, with letter variants normalised.
pub(super) fn without_accents(word: &str, out: &mut String) {
    for c in word.nfd() {
        match c {
            // Only marks that are accents: in Indic scripts marks are vowels.
            '\u{300}'..='\u{36f}' | '\u{5b0}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}' => {}
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            // Arabic letters that are used interchangeably.
            'ٱ' => out.push('ا'),
            'ى' => out.push('ي'),
            'ة' => out.push('ه'),
            c => out.push(c),
        }
    }
}

/// Whether it is a combining mark of the character before it.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_combining_mark(c)
}
