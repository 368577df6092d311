//! Marks at the ends of a phrase that make a field required or optional.

use super::words::{Phrases, Word, longest_at, longest_at_end, text_before, text_from, words};

/// Phrases for a required field.
pub(super) static REQUIRED: Phrases = Phrases::new(
    "required, mandatory, compulsory, obligatory, must be accepted, must be ticked, must be checked, must be given, must be provided, must be filled in, \
    must be filled, must be filled out, must be entered, must be present, must be supplied, \
    must be stated, must be completed, must have, must be specified, must not be empty, \
    cannot be empty, may not be empty, is a must, must, has to be given, have to be given, \
    has to be filled in, have to be filled in, has to be provided, have to be provided, essential, \
    pflicht, pflichtfeld, pflichtfelder, muss ausgefullt werden, mussen ausgefullt werden, \
    muss angegeben werden, mussen angegeben werden, obligatoire, obligatoires, requis, requise, \
    obligatorio, obligatoria, obligatorios, obligatorias, requerido, requerida, zwingend, \
    verpflichtend",
);
/// Phrases for an optional field.
pub(super) static OPTIONAL: Phrases = Phrases::new(
    "optional, if any, if applicable, if available, if known, if possible, if relevant, if needed, \
    if present, if there is one, if they have one, not required, not mandatory, not compulsory, \
    can be empty, may be empty, can be left blank, may be left blank, may be left empty, \
    can be left empty, can be blank, can be skipped, nice to have, voluntary, freiwillig, \
    falls vorhanden, wenn vorhanden, falls bekannt, kein pflichtfeld, nicht erforderlich, facultatif, \
    facultative, facultatifs, facultatives, optionnel, optionnelle, si disponible, si applicable, \
    le cas echeant, opcional, opcionales, si hay, si aplica, si procede, si existe, no obligatorio",
);
/// Words between a field and its mark.
static LINKS: Phrases = Phrases::new(
    "is, are, be, which is, which are, that is, being, all, both, also, not, ist, sind, est, sont, es, \
    son, field, a, an, this is, should be, would be, entirely, always, strictly, absolutely, -, but, \
    though, must be",
);

/// Whether the whole `text` is a mark: required or optional.
pub(super) fn parse_mark(text: &str) -> Option<bool> {
    let words = words(text);
    let length = |list: &[&str]| longest_at_end(&words, list);
    let rest = |count: usize| words.len() - count;
    let linked =
        |count: usize| words.iter().take(rest(count)).all(|word| LINKS.contains(&word.plain.as_str()));
    let (optional, required) = (length(&OPTIONAL), length(&REQUIRED));
    if optional > 0 && optional >= required && linked(optional) {
        return Some(false);
    }
    (required > 0 && linked(required)).then_some(true)
}

/// Strips a mark from the start or the end of a phrase.
pub(super) fn strip_mark(text: &str) -> (&str, Option<bool>) {
    let trimmed =
        text.trim().trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '.'));
    if let Some(rest) = trimmed.strip_suffix('*') {
        return (rest.trim(), Some(true));
    }
    let found = words(trimmed);
    if let Some((cut, required)) = at_end(&found) {
        return (text_before(trimmed, &found, cut), Some(required));
    }
    for (list, required) in [(&OPTIONAL[..], false), (&REQUIRED[..4], true)] {
        let skip = usize::from(found.first().is_some_and(|w| {
            matches!(w.plain.as_str(), "a" | "an" | "one" | "ein" | "eine" | "un" | "une" | "una")
        }));
        let count = longest_at(&found, skip, list);
        if count > 0 && found.len() > skip + count {
            return (text_from(trimmed, &found, skip + count), Some(required));
        }
    }
    (text, None)
}

/// Index at which the trailing mark starts, including its links, and whether it means required.
fn at_end(words: &[Word]) -> Option<(usize, bool)> {
    let (optional, required) = (longest_at_end(words, &OPTIONAL), longest_at_end(words, &REQUIRED));
    let count = optional.max(required);
    let mut cut = words.len().checked_sub(count).filter(|cut| count > 0 && *cut > 0)?;
    loop {
        let before = words.get(..cut).unwrap_or_default();
        match longest_at_end(before, &LINKS) {
            0 => break,
            linked if linked < cut => cut -= linked,
            _ => break,
        }
    }
    Some((cut, optional < required || (optional == required && optional == 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_either_end() {
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
            assert_eq!(strip_mark(text), (rest, required), "{text}");
        }
        assert_eq!(
            (
                parse_mark("required"),
                parse_mark("is optional"),
                parse_mark("not required"),
                parse_mark("big")
            ),
            (Some(true), Some(false), Some(false), None)
        );
    }
}
