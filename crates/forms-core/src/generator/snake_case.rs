//! Converts field names to ASCII snake case.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Most characters of a generated name. Chosen by hand; no measurement is recorded.
pub(super) const MAX_NAME_CHARACTERS: usize = 60;

/// Lower case without diacritics. Letters without a Latin form stay. In German text, umlauts become two
/// letters.
pub(super) fn plain(text: &str, german: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        for lower in c.to_lowercase() {
            match lower {
                'ä' if german => out.push_str("ae"),
                'ö' if german => out.push_str("oe"),
                'ü' if german => out.push_str("ue"),
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

/// `Years of experience` becomes `years_of_experience`. Empty when the text has neither letters nor digits. A
/// name that would start with a digit gets the prefix `field_`.
pub(super) fn snake_case(text: &str, german: bool) -> String {
    let mut out = String::new();
    let mut gap = false;
    for c in plain(text, german).chars() {
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
    use super::snake_case;

    #[test]
    fn names_are_ascii_snake_case_in_their_own_language() {
        for (text, german, name) in [
            ("Years of experience", false, "years_of_experience"),
            ("Führerschein-Größe", true, "fuehrerschein_groesse"),
            ("Prénom & nom", false, "prenom_nom"),
            ("Año", false, "ano"),
            ("  --E-Mail!  ", true, "e_mail"),
            ("2nd name", false, "field_2nd_name"),
            ("🎉", false, ""),
        ] {
            assert_eq!(snake_case(text, german), name);
        }
        assert!(snake_case(&"word ".repeat(100), false).len() <= 60);
    }
}
