//! Finds names: runs of capitalised words, or the words between a cue and the next function word.

use std::ops::Range;

use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::tokens::message::any_lexicon;

/// Most words of a name.
const MAX_WORDS: usize = 9;

/// The capitalised name that starts at a word.
pub(crate) fn capitalized_name(context: &NluContext<'_>, at: usize) -> Option<Range<usize>> {
    let text = &context.text;
    let around = context.sentence_words(at);
    let digits = text.is_digits(at);
    let begins = text.is_capital(at) || digits && (text.is_capital(at + 1) || text.is_capital(at + 2));
    if !around.contains(&at) || !begins || is_everyday(context, at) {
        return None;
    }
    let mut end = at + 1;
    while around.contains(&end) && end - at < MAX_WORDS {
        let gap = text.gap(end - 1);
        // "Chi-town": a hyphen joins.
        if gap == "-" && !text.is_digits(end) {
            end += 1;
            continue;
        }
        let joined = matches!(gap, " " | "-" | "'" | "’" | " & " | ". " | "." | "/" | " \"");
        let region = gap == ", " && is_region(context, end, around.end);
        if !joined && !region {
            break;
        }
        // "Mary's account": the name ends with its owner.
        let owns = |at: usize| {
            text.slice(&(at..at + 1)).ends_with("'s") || text.slice(&(at..at + 1)).ends_with("’s")
        };
        if owns(end - 1) && !text.is_capital(end) {
            break;
        }
        if text.is_capital(end) && !ends_name(context, end)
            || joined
                && text.is_digits(end)
                && gap == " "
                && text.folded(end).len() <= 5
                && !is_counted(context, end)
        {
            end += 1;
            continue;
        }
        // "University of Leeds", "Hellboy and Friends": function words between capitalised ones.
        let links = (1..=2).find(|n| text.is_capital(end + n) && !is_everyday(context, end + n));
        let small = |word: &str| any_lexicon().list("title_link").has_word(word);
        match links {
            Some(n)
                if (0..n).all(|k| small(text.folded(end + k)) && text.gap(end + k) == " ")
                    && !(context.is_in_list("and", end) && end - at < 2 && n == 1) =>
            {
                end += n + 1
            }
            _ => break,
        }
    }
    Some(at..end)
}

/// Whether a capitalised word is an ordinary word and starts no name.
fn is_everyday(context: &NluContext<'_>, at: usize) -> bool {
    let text = &context.text;
    if text.lexicon().list("first_person").has_word(text.folded(at)) {
        return true;
    }
    let first = context.sentence_words(at).start == at;
    // "LA" is no article.
    let small =
        (context.is_in_list("common", at) || context.is_in_list("break", at)) && !text.is_all_caps(at);
    let everyday = small
        || ["filler", "courtesy", "yes", "no", "interrogative"]
            .iter()
            .any(|list| context.is_in_list(list, at));
    let alone =
        first || !text.is_capital(at + 1) || text.gap(at) != " " || context.is_in_list("pronoun", at + 1);
    everyday && alone
        || context.is_in_list("weekdays", at)
        || context.is_in_list("months", at) && (text.is_digits(at + 1) || text.is_digits(at.wrapping_sub(1)))
}

/// Whether a name ends before a capitalised word.
fn ends_name(context: &NluContext<'_>, at: usize) -> bool {
    context.is_in_list("ends_name", at)
        || context.is_in_list("weekdays", at)
        || context.is_in_list("months", at) && context.text.is_digits(at + 1)
}

fn is_counted(context: &NluContext<'_>, at: usize) -> bool {
    context.field_words.iter().flatten().any(|place| *place == at + 1)
        || context.is_in_list("unit_day", at + 1)
        || context.is_in_list("after_counted", at + 1)
}

/// Whether a region follows a town after a comma: "Paris, France", "Anaheim, CA".
fn is_region(context: &NluContext<'_>, at: usize, end: usize) -> bool {
    let text = &context.text;
    let known = context.lexicon.list("region").length_at(text, at);
    known > 0
        && text.is_capital(at)
        && (at + known == end || !text.is_capital(at + known) || text.gap(at + known - 1) != " ")
}

/// A lower-case name: the words up to the next function word, at most `most`. Numbers, dates and common words
/// are no name.
pub(crate) fn lowercase_name(context: &NluContext<'_>, at: usize, most: usize) -> Option<Range<usize>> {
    let around = context.sentence_words(at);
    let mut end = at;
    while around.contains(&end) && end - at <= most {
        let stop = context.is_in_list("break", end)
            || end > at && context.text.gap(end - 1).contains([',', '.', ':', ';', '(', '"'])
            || context.is_in_list("filler", end);
        if stop {
            break;
        }
        end += 1;
    }
    let words = at..end;
    let odd = |at: usize| {
        context.is_in_list("common", at)
            || context.is_in_list("pronoun", at)
            || context.is_in_list("daypart_name", at)
            || context.text.number_at(at).is_some()
            || context.is_in_list("weekdays", at)
            || context.list("relative_days", at) > 0
            || context.is_in_list("class_noun", at)
            || context.list("party", at) > 0
    };
    (!words.is_empty() && words.len() <= most && !words.clone().any(odd)).then_some(words)
}

/// Whether the user writes without capitals.
pub(crate) fn is_uncapitalised(context: &NluContext<'_>) -> bool {
    let within = |sentence: &crate::nlu::tokens::sentences::Sentence| {
        sentence
            .words
            .clone()
            .skip(1)
            .any(|at| context.text.is_capital(at) && !context.is_in_list("first_person", at))
    };
    !context.sentences.iter().any(within)
}

/// A title: from a capitalised word to the end of the clause, to "and", or to a taken span.
pub(crate) fn find_title(
    context: &NluContext<'_>,
    at: usize,
    taken: &[Range<usize>],
) -> Option<Range<usize>> {
    let around = context.sentence_words(at);
    if !around.contains(&at) || !context.text.is_capital(at) || context.is_in_list("pronoun", at) {
        return None;
    }
    let is_taken = |at: usize| taken.iter().any(|range| range.contains(&at));
    let ends = |end: usize| {
        let stop = ["and", "please"].iter().any(|list| context.is_in_list(list, end))
            && !context.text.is_capital(end + 1);
        end > at
            && (stop
                || is_taken(end)
                || is_taken(end + 1)
                || context.text.gap(end - 1).contains([',', ';', '.', '"', '(']))
    };
    let end = (at..around.end).find(|end| ends(*end)).unwrap_or(around.end);
    (end - at <= 8).then_some(at..end)
}
