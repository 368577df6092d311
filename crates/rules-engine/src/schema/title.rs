//! Splits off what precedes a list of fields: the form's title, and phrases such as "with" and "collect".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::list_cues::{after_enter_verb, after_for_each, after_subject, after_verb, is_list_cue};
use super::spec::FieldSpec;
use super::split::{Separator, entries, find_open, pieces};
use super::words::{Lexicon, has_any, longest_at, text_before, text_from, words};

/// A sentence split into title and list; `title` is empty when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TitleSplit<'a> {
    pub(super) title: &'a str,
    pub(super) list: &'a str,
}

/// Splits off the title and the leading phrases of a sentence. `later` says that it is not the first
/// sentence.
pub(super) fn split<'a>(sentence: &'a str, lexicon: Lexicon, later: bool) -> TitleSplit<'a> {
    let sentence = sentence.trim();
    let first = entries(sentence, lexicon).first().map_or("", |entry| entry.text);
    // Semicolons also separate entries.
    let first = first.split(';').next().unwrap_or_default();
    if let Some(titled) = after_form(sentence, lexicon).or_else(|| before_colon(sentence, first, lexicon)) {
        let after = split_words(titled.list, lexicon, true, later);
        return TitleSplit { title: titled.title, list: after.map_or(titled.list, |after| after.list) };
    }
    split_words(sentence, lexicon, false, later).unwrap_or(TitleSplit { title: "", list: sentence })
}

/// Splits at a colon or dash within the first entry, if the list of fields follows it.
fn before_colon<'a>(sentence: &'a str, first: &str, lexicon: Lexicon) -> Option<TitleSplit<'a>> {
    let place =
        find_open(first, |rest| rest.starts_with(": ") || rest.starts_with(":\n") || rest.starts_with(" - "))
            .or_else(|| first.trim_end().strip_suffix(':').map(str::len))?;
    let (title, list) =
        (sentence.get(..place)?.trim(), sentence.get(place..)?.trim_start_matches([' ', ':', '-', '\n']));
    let found = entries(list, lexicon);
    let title_words = words(title);
    // "car: make, model; driver: name, age" are things with parts.
    let things = pieces(list);
    let several = found.len() > 1 || list.contains(';');
    let parted = things.len() > 1
        && things.first().is_some_and(|piece| entries(piece, lexicon).len() > 1)
        && things.iter().skip(1).any(|piece| piece.contains(": "));
    let several = several && !parted;
    let named = has_any(&title_words, lexicon.list("form"))
        && !title_words.last().is_some_and(|word| lexicon.has("choice_noun", &word.plain));
    let alternatives = found.len() > 1
        && found.iter().skip(1).all(|entry| matches!(entry.joint, Separator::Comma | Separator::Or))
        && found.last().is_some_and(|entry| entry.joint == Separator::Or)
        && found.iter().all(|entry| words(entry.text).len() <= 3);
    let spec = FieldSpec::read(list, lexicon);
    let stated = spec.rest.is_empty();
    (named && !list.is_empty() || several && !alternatives && !stated).then_some(TitleSplit { title, list })
}

/// The list in `Speaker feedback (name, session, clarity)`, if that is the whole sentence.
pub(super) fn in_parentheses(sentence: &str, lexicon: Lexicon) -> Option<&str> {
    let place = find_open(sentence, |rest| rest.starts_with('('))?;
    let list = sentence.get(place + 1..)?.strip_suffix(')')?;
    let title = words(sentence.get(..place)?);
    let form = title.last().is_some_and(|word| lexicon.has("form", &word.plain));
    let only = find_open(list, |rest| rest.starts_with(')')).is_none()
        && !sentence.get(..place)?.contains([',', ';', ':']);
    (form && only && title.len() <= 6 && list.matches(',').count() >= 2).then_some(list)
}

/// Splits at a colon directly after a word such as "form", anywhere in the sentence.
fn after_form<'a>(sentence: &'a str, lexicon: Lexicon) -> Option<TitleSplit<'a>> {
    let place = find_open(sentence, |rest| rest.starts_with(": "))?;
    let (title, list) = (sentence.get(..place)?, sentence.get(place + 1..)?.trim());
    let last = words(title).pop()?;
    (lexicon.has("form_head", &last.plain) && !list.is_empty()).then_some(TitleSplit { title, list })
}

/// Splits after a phrase that introduces the list, within the first entry.
fn split_words<'a>(
    sentence: &'a str,
    lexicon: Lexicon,
    after_colon: bool,
    later: bool,
) -> Option<TitleSplit<'a>> {
    let first = entries(sentence, lexicon).first().map_or("", |entry| entry.text);
    let end = find_open(first, |rest| rest.starts_with(['(', ';', '"'])).unwrap_or(first.len());
    let found = words(first.get(..end)?);
    let all = words(sentence);
    let strong = (0..found.len()).find_map(|at| {
        let count = longest_at(&found, at, lexicon.list("cue"));
        // Something must follow, perhaps in parentheses or quotes.
        let followed = at + count < found.len() || end < first.len();
        (count > 0 && followed && is_list_cue(&found, lexicon, at, after_colon)).then_some(at + count)
    });
    let verb = || after_verb(&found, lexicon, after_colon, later).or_else(|| after_for_each(&found, lexicon));
    let mut at = after_enter_verb(&found, lexicon)
        .or(strong)
        .or_else(verb)
        .or_else(|| after_subject(&found, lexicon))?;
    loop {
        match longest_at(&all, at, lexicon.list("after_verb")).max(longest_at(&all, at, lexicon.list("cue")))
        {
            0 => break,
            count => at += count,
        }
    }
    let list = text_from(sentence, &all, at).trim_start_matches([':', '-', ' ']);
    (!list.is_empty()).then(|| TitleSplit { title: text_before(sentence, &all, at), list })
}

/// Whether an entry is the form's own name, such as "Customer feedback form".
pub(super) fn is_title(text: &str, lexicon: Lexicon, first_of_pieces: bool) -> bool {
    let found = words(text);
    let last = found.last().map_or("", |word| word.plain.as_str());
    let bare = !text.contains(['(', '"', ':']);
    bare && found.len() <= 8
        && (lexicon.has("form_title", last)
            || lexicon.has_ending("form_ending", last, 0)
            || (first_of_pieces
                && found.len() > 1
                && lexicon.has("form", last)
                && !lexicon.has("no_title", last)))
}
