//! Marks at the ends of a phrase that make a field required or optional.

use super::words::{Lexicon, Word, longest_at, longest_at_end, text_before, text_from, words};

/// Whether the whole `text` is a mark: required or optional.
pub(super) fn parse_mark(text: &str, lexicon: Lexicon) -> Option<bool> {
    let words = words(text);
    let length = |key: &str| longest_at_end(&words, lexicon.list(key));
    let rest = |count: usize| words.len() - count;
    let linked =
        |count: usize| words.iter().take(rest(count)).all(|word| lexicon.has("mark_link", &word.plain));
    let (optional, required) = (length("optional"), length("required"));
    if optional > 0 && optional >= required && linked(optional) {
        return Some(false);
    }
    (required > 0 && linked(required)).then_some(true)
}

/// Strips a mark from the start or the end of a phrase.
pub(super) fn strip_mark(text: &str, lexicon: Lexicon) -> (&str, Option<bool>) {
    let trimmed =
        text.trim().trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '.'));
    if let Some(rest) = trimmed.strip_suffix('*') {
        return (rest.trim(), Some(true));
    }
    let found = words(trimmed);
    if let Some((cut, required)) = at_end(&found, lexicon) {
        return (text_before(trimmed, &found, cut), Some(required));
    }
    for (key, required) in [("optional", false), ("required_before", true)] {
        let skip = usize::from(found.first().is_some_and(|word| lexicon.has("mark_article", &word.plain)));
        let count = longest_at(&found, skip, lexicon.list(key));
        if count > 0 && found.len() > skip + count {
            return (text_from(trimmed, &found, skip + count), Some(required));
        }
    }
    (text, None)
}

/// Splits off a trailing clause about all fields.
pub(super) fn trailing_clause(piece: &str, lexicon: Lexicon) -> (&str, Option<&str>) {
    let found = words(piece);
    for at in (1..found.len()).rev().take(30) {
        let all = longest_at(&found, at, lexicon.list("everything"));
        if all == 0 || !found.get(at).is_some_and(|word| lexicon.has("everything_head", &word.plain)) {
            continue;
        }
        let except = (at + all..found.len()).find(|n| longest_at(&found, *n, lexicon.list("all_but")) > 0);
        let end = except.and_then(|n| found.get(n)).map_or(piece.len(), |word| word.start);
        let said = found.get(at + all).and_then(|word| piece.get(word.start..end)).unwrap_or_default();
        if parse_mark(said, lexicon).is_some() {
            let list = text_before(piece, &found, at).trim_end_matches([',', '-', ';', '(', ' ', '.']);
            return (list, Some(text_from(piece, &found, at).trim_end_matches(')')));
        }
    }
    (piece, None)
}

/// Index at which the trailing mark starts, including its links, and whether it means required.
fn at_end(words: &[Word], lexicon: Lexicon) -> Option<(usize, bool)> {
    let (optional, required) =
        (longest_at_end(words, lexicon.list("optional")), longest_at_end(words, lexicon.list("required")));
    let count = optional.max(required);
    let mut cut = words.len().checked_sub(count).filter(|cut| count > 0 && *cut > 0)?;
    loop {
        let before = words.get(..cut).unwrap_or_default();
        match longest_at_end(before, lexicon.list("mark_link")) {
            0 => break,
            linked if linked < cut => cut -= linked,
            _ => break,
        }
    }
    Some((cut, optional < required || (optional == required && optional == 0)))
}

#[cfg(test)]
mod tests {
    use language::Language;
    use language::form_words::FormWords;

    use super::*;

    #[test]
    fn marks_are_taken_off_either_end() {
        let lexicon = FormWords::of(Language::ENGLISH);
        for (text, rest, required) in [
            ("email (x) required", "email (x)", Some(true)),
            ("an optional comment", "comment", Some(false)),
            ("email must be given", "email", Some(true)),
            ("known allergies if any", "known allergies", Some(false)),
            ("Name*", "Name", Some(true)),
            ("phone, which is not required", "phone,", Some(false)),
            ("name", "name", None),
            ("required", "required", None),
        ] {
            assert_eq!(strip_mark(text, lexicon), (rest, required), "{text}");
        }
        assert_eq!(
            (
                parse_mark("required", lexicon),
                parse_mark("is optional", lexicon),
                parse_mark("not required", lexicon),
                parse_mark("big", lexicon)
            ),
            (Some(true), Some(false), Some(false), None)
        );
    }
}
