//! Splits the text of one field into its name, parentheses, and the part after a colon.

use super::attribute::type_named;
use super::snake_case::fold;
use super::split::{QuotedSpans, find_open};
use super::words::{Lexicon, longest_at, text_before, text_from, words};

/// The fields in `object with name and email`.
pub(super) fn inner_object(text: &str, lexicon: Lexicon) -> Option<&str> {
    let found = words(text);
    let count = longest_at(&found, 0, lexicon.list("object_lead"));
    (count > 0 && found.len() > count)
        .then(|| text_from(text, &found, count).trim_start_matches([':', '-', ' ']))
}

/// Whether a text is a yes-no question.
pub(super) fn is_yes_no_question(text: &str, lexicon: Lexicon) -> bool {
    let found = words(text);
    text.trim_end().ends_with('?') && longest_at(&found, 0, lexicon.list("question_word")) == 0
}

/// The text outside parentheses, and the content of each pair.
pub(super) fn split_parentheses(text: &str) -> (String, Vec<String>) {
    let (mut open, mut found) = (String::new(), Vec::new());
    let mut quotes = QuotedSpans::default();
    let (mut inside, mut quoted) = (String::new(), false);
    let mut depth = 0_usize;
    for c in text.chars() {
        quotes.is_open_after(c);
        quoted ^= c == '"';
        match c {
            '(' | '[' | '{' if !quoted => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            ')' | ']' | '}' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(std::mem::take(&mut inside));
                    open.push(' ');
                    continue;
                }
            }
            _ => {}
        }
        if depth > 0 { inside.push(c) } else { open.push(c) }
    }
    if !inside.trim().is_empty() {
        found.push(inside);
    }
    (open, found)
}

/// Splits the name from the text after a colon, a dash or an equals sign.
pub(super) fn split_name(text: &str, lexicon: Lexicon) -> (&str, Option<&str>) {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((name, rest)) = quoted.split_once('"')
    {
        let rest = rest.trim().trim_start_matches([':', '-', '=', ',']).trim();
        return (name, (!rest.is_empty()).then_some(rest));
    }
    let signs = [": ", " - ", " = ", " -> "];
    let place = find_open(text, |rest| {
        rest.starts_with(':') || signs.iter().any(|sign| rest.starts_with(sign)) || is_as(rest, lexicon)
    });
    let joined = |place: usize| {
        let before = words(text.get(..place).unwrap_or_default());
        let word = before.last().map_or("", |word| word.plain.as_str());
        is_as(&text[place..], lexicon) && lexicon.has("as_joined", word)
    };
    match place.filter(|place| *place > 0 && !joined(*place)) {
        Some(place) => {
            let rest = text[place..].trim_start_matches([' ', ':', '-', '=', '>']);
            let found = words(rest);
            let rest =
                if longest_at(&found, 0, lexicon.list("as")) > 0 { text_from(rest, &found, 1) } else { rest };
            (text[..place].trim(), (!rest.is_empty()).then_some(rest))
        }
        None => typed_prefix(text, lexicon),
    }
}

/// Whether a text begins with a word such as "as".
fn is_as(text: &str, lexicon: Lexicon) -> bool {
    let word = text.strip_prefix(' ').and_then(|rest| rest.split_once(' '));
    word.is_some_and(|(word, _)| lexicon.has("as", word))
}

/// `phone number text field`: splits off a type at the end of a name.
fn typed_prefix(text: &str, lexicon: Lexicon) -> (&str, Option<&str>) {
    let found = words(text);
    let at_end = |count: usize| {
        let at = found.len().checked_sub(count).filter(|at| *at > 0)?;
        let last = text_from(text, &found, at);
        let named = type_named(last, lexicon).filter(|_| lexicon.has("type_suffix", &fold(last)));
        named.map(|_| (text_before(text, &found, at), Some(last)))
    };
    at_end(2).or_else(|| at_end(1)).unwrap_or((text, None))
}
