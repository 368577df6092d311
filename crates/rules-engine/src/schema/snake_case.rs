//! Converts field names to ASCII snake case.

use language::Words;
use language::form_words::FormWords;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Most characters of a generated name. Chosen by hand; no measurement is recorded.
pub(super) const MAX_NAME_CHARACTERS: usize = 60;

/// Lower case without diacritics. Letters without a Latin form stay.
pub(super) fn fold(text: &str) -> String {
    transliterate(text, Words::default())
}

/// `letters` says what stands for a letter: `ü ue`.
fn transliterate(text: &str, letters: Words) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        for lower in c.to_lowercase() {
            match lower {
                _ if let Some(written) = written(lower, letters) => out.push_str(written),
                'ß' => out.push_str("ss"),
                'æ' => out.push_str("ae"),
                'œ' => out.push_str("oe"),
                'ø' => out.push('o'),
                'ł' => out.push('l'),
                'đ' | 'ð' => out.push('d'),
                'þ' => out.push_str("th"),
                'ı' => out.push('i'),
                '’' => out.push('\''),
                other => out.extend(std::iter::once(other).nfkd().filter(|part| !is_combining_mark(*part))),
            }
        }
    }
    out
}

/// The same, with what a language writes for its letters where only ASCII may stand: `ue` for `ü` in German.
pub(super) fn written_in_ascii(text: &str, lexicon: &FormWords) -> String {
    let letters = lexicon.language().locale().map(|locale| locale.transliteration);
    transliterate(text, letters.unwrap_or_default())
}

fn written(letter: char, letters: Words) -> Option<&'static str> {
    letters.iter().find_map(|pair| pair.strip_prefix(letter)?.strip_prefix(' '))
}

/// `Years of experience` becomes `years_of_experience`. Empty when the text has neither letters nor digits. A
/// name that would start with a digit gets the prefix `field_`.
pub(super) fn snake_case(text: &str, lexicon: &FormWords) -> String {
    let mut out = String::new();
    let mut gap = false;
    for c in written_in_ascii(text, lexicon).chars() {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push('_');
            }
            gap = false;
            out.push(c);
        } else {
            gap = true;
        }
    }
    if out.starts_with(|c: char| c.is_numeric()) {
        out.insert_str(0, "field_");
    }
    if out.chars().count() > MAX_NAME_CHARACTERS {
        let cut: String = out.chars().take(MAX_NAME_CHARACTERS).collect();
        // A word that would be truncated is dropped.
        out = cut.rsplit_once('_').map_or(cut.clone(), |(whole, _)| whole.to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use language::Language;

    use super::{FormWords, snake_case};

    #[test]
    fn names_are_ascii_snake_case_in_their_own_language() {
        let german = FormWords::of(Language::from_code("de").unwrap());
        let plain = FormWords::of(Language::ENGLISH);
        for (text, lexicon, name) in [
            ("Years of experience", plain, "years_of_experience"),
            ("Führerschein-Größe", german, "fuehrerschein_groesse"),
            ("Prénom & nom", plain, "prenom_nom"),
            ("Año", plain, "ano"),
            ("  --E-Mail!  ", german, "e_mail"),
            ("2nd name", plain, "field_2nd_name"),
            ("🎉", plain, ""),
        ] {
            assert_eq!(snake_case(text, lexicon), name);
        }
        assert!(snake_case(&"word ".repeat(100), plain).len() <= 60);
    }
}
