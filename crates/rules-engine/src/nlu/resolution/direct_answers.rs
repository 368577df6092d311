//! Candidates from a message that only answers the question: "Leeds", "the 5th please", "I think Miller".

use std::ops::Range;

use serde_json::{Value, json};

use crate::nlu::candidates::key_values;
use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::entities::names;
use crate::nlu::resolution::selection::is_free;
use crate::nlu::tokens::sentences::SentenceMood;

/// Most bytes of a free-text answer.
const MAX_TEXT: usize = 20_000;

/// The candidate for the asked field, besides the `settled` ones.
pub(crate) fn find_candidate(
    context: &NluContext<'_>,
    settled: &[SlotCandidate],
    acted: &[Range<usize>],
) -> Option<SlotCandidate> {
    let (index, profile) = context.asked_field()?;
    if settled.iter().any(|claim| claim.profile == index)
        || matches!(profile.slot_type, SlotType::Flag | SlotType::List | SlotType::Object)
    {
        return None;
    }
    if profile.slot_type == SlotType::Text {
        return whole_message_candidate(context, index, settled, acted);
    }
    let is_all = acted.is_empty() && settled.is_empty();
    if let Some(value) = key_values::whole_answer(context, profile).filter(|_| is_all) {
        return Some(SlotCandidate {
            is_meant: true,
            ..context.make_candidate(index, 0..context.text.len(), value, 6)
        });
    }
    context.sentences.iter().find_map(|sentence| {
        let proposes = sentence.mood == SentenceMood::Statement
            || sentence.mood == SentenceMood::Request
                && !opens_with(context, "auxiliary", sentence.words.start)
                && context.list("lead", sentence.words.start) != 1;
        proposes
            .then(|| {
                sentence
                    .clauses
                    .iter()
                    .find_map(|clause| clause_candidate(context, index, profile, clause, settled, acted))
            })
            .flatten()
    })
}

fn opens_with(context: &NluContext<'_>, list: &str, at: usize) -> bool {
    context.list(list, at) > 0
}

/// The whole message as the answer, if free text was asked for.
fn whole_message_candidate(
    context: &NluContext<'_>,
    index: usize,
    settled: &[SlotCandidate],
    acted: &[Range<usize>],
) -> Option<SlotCandidate> {
    let words = 0..context.text.len();
    // "Ring twice, please" may be the answer; "Could you please wait?" is a question.
    let is_question = context.text.raw.trim_end().ends_with(['?', '？']);
    let asks = context.sentences.iter().any(|sentence| match sentence.mood {
        SentenceMood::Statement => false,
        SentenceMood::Request => is_question,
        _ => true,
    });
    let left = words.clone().filter(|at| {
        let claimed = settled.iter().any(|claim| claim.words.contains(at));
        !claimed
            && !acted.iter().any(|range| range.contains(at))
            && !context.is_in_list("break", *at)
            && !context.is_in_list("pronoun", *at)
            && !context.is_in_list("filler", *at)
            && !context.is_in_list("link", *at)
            && !context.is_in_list("common", *at)
            && !is_label(context, settled, *at)
    });
    let corrects = context.corrects(0) && !settled.is_empty();
    let said = left.count();
    let mostly = !settled.iter().any(|claim| is_certain(context, claim))
        || said >= 3 && said * 2 > settled.iter().map(|claim| claim.words.len()).sum::<usize>();
    if words.is_empty()
        || asks
        || corrects
        || said == 0 && settled.is_empty()
        || !mostly
        || starts_command(context)
    {
        return None;
    }
    let text = context.text.raw.trim();
    let text = text.get(..text.floor_char_boundary(MAX_TEXT)).unwrap_or_default();
    Some(SlotCandidate { is_meant: true, ..context.make_candidate(index, words, json!(text), 6) })
}

/// Whether a candidate surely belongs to its field: the message names the field, or the value has an
/// unmistakable format.
pub(crate) fn is_certain(context: &NluContext<'_>, claim: &SlotCandidate) -> bool {
    let around = context.sentence_words(claim.words.start);
    let named =
        context.field_words.get(claim.profile).is_some_and(|own| own.iter().any(|at| around.contains(at)));
    let sense = context.profiles.get(claim.profile).map(|profile| profile.slot_type);
    named || matches!(sense, Some(SlotType::Email | SlotType::Phone | SlotType::Url))
}

/// Whether a word names a field that has a candidate.
fn is_label(context: &NluContext<'_>, settled: &[SlotCandidate], at: usize) -> bool {
    settled
        .iter()
        .any(|claim| context.field_words.get(claim.profile).is_some_and(|places| places.contains(&at)))
}

/// Whether the message is a command to the dialogue: "change …", "remove …", "I want to change …".
fn starts_command(context: &NluContext<'_>) -> bool {
    let first = (0..context.text.len()).find(|at| context.list("filler", *at) == 0).unwrap_or(0);
    let known = |at: usize| {
        context.field_words.iter().any(|places| places.iter().any(|place| (at..at + 4).contains(place)))
    };
    ["change", "remove", "replace"].iter().any(|list| context.list(list, first) > 0) && known(first)
}

fn clause_candidate(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    clause: &Range<usize>,
    settled: &[SlotCandidate],
    acted: &[Range<usize>],
) -> Option<SlotCandidate> {
    let words = strip_answer_frame(context, &trim_claimed(clause, settled));
    let words = trim_to_name(context, profile, words);
    let words = strip_relation(context, profile, words);
    let words = extend_with_region(context, profile, words, clause);
    let thanks = clause.clone().any(|at| context.is_in_list("thanks", at));
    let unread = !matches!(
        profile.slot_type,
        SlotType::Person
            | SlotType::Place
            | SlotType::Title
            | SlotType::Class
            | SlotType::Code
            | SlotType::Address
    );
    // A label of another field, before its value, is no answer.
    let is_label = !settled.is_empty()
        && !words.is_empty()
        && words.clone().all(|at| context.is_label_of_other(index, at));
    let used = is_label
        || thanks && words.end < clause.end + 1 && words.start > clause.start
        || unread && !settled.is_empty()
        || !is_free(settled, &words)
        || acted.iter().any(|range| range.start < words.end && words.start < range.end);
    // "Not the suite", "anything but a suite": a refused value is no answer.
    let refused = matches!(profile.slot_type, SlotType::Choice | SlotType::Class)
        && (clause.start..words.start).any(|at| {
            let word = context.text.folded(at);
            ["not_word", "except", "but_instead", "without"]
                .iter()
                .any(|list| context.lexicon.list(list).has_word(word))
                || context.lexicon.list("no_word").has_word(word) && context.text.gap(at) == " "
                || context.lexicon.list("negated_verb").has_word(word)
        });
    if words.is_empty() || used || refused || !is_answer(context, profile, &words) {
        return None;
    }
    let raw = context.text.slice(&words);
    let value =
        if profile.slot_type == SlotType::Address { sentence_text(context, &words) } else { json!(raw) };
    Some(SlotCandidate { is_meant: true, ..context.make_candidate(index, words, value, 4) })
}

/// Trims words of other candidates at both ends of a clause: "Joe Ross 555-123-4567".
fn trim_claimed(clause: &Range<usize>, settled: &[SlotCandidate]) -> Range<usize> {
    let taken = |at: usize| settled.iter().any(|claim| claim.words.contains(&at));
    let start = clause.clone().find(|at| !taken(*at)).unwrap_or(clause.end);
    let end = (start..clause.end).rev().find(|at| !taken(*at)).map_or(start, |last| last + 1);
    start..end
}

/// The rest of the sentence: an address may contain commas.
fn sentence_text(context: &NluContext<'_>, words: &Range<usize>) -> Value {
    let end = context.sentence_words(words.start).end;
    json!(context.text.slice(&(words.start..end)))
}

/// The name in "Cambridge would be best", for fields of names followed by function words only.
fn trim_to_name(context: &NluContext<'_>, profile: &FieldProfile<'_>, words: Range<usize>) -> Range<usize> {
    let wanted = matches!(profile.slot_type, SlotType::Person | SlotType::Place | SlotType::Title);
    let Some(run) = names::capitalized_name(context, words.start).filter(|run| wanted && run.end < words.end)
    else {
        return words;
    };
    let small = |at: usize| {
        ["common", "break", "filler", "pronoun", "link", "courtesy"]
            .iter()
            .any(|list| context.is_in_list(list, at))
            && !context.is_in_list("interrogative", at)
    };
    let praised = context.is_in_list("after_name", run.end);
    if praised && (run.end..words.end).all(small) { run } else { words }
}

/// The name in "my daughter Anna Schmidt".
fn strip_relation(context: &NluContext<'_>, profile: &FieldProfile<'_>, words: Range<usize>) -> Range<usize> {
    let is_relation = |at: &usize| {
        let next = context.text.is_capital(at + 1);
        next && context.lexicon.list("relation").has_word(context.text.folded(*at))
            && !context.text.is_capital(*at)
    };
    let last = words.clone().take(3).rfind(is_relation);
    match last.filter(|_| profile.slot_type == SlotType::Person) {
        Some(last) => last + 1..words.end,
        None => words,
    }
}

/// Adds the region after a town.
fn extend_with_region(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: Range<usize>,
    clause: &Range<usize>,
) -> Range<usize> {
    let region = context.list("region", words.end);
    let follows = profile.slot_type == SlotType::Place
        && words.end == clause.end
        && region > 0
        && context.text.before(words.end).starts_with(',');
    if follows { words.start..words.end + region } else { words }
}

/// Whether a span can be the answer to the question for a field.
fn is_answer(context: &NluContext<'_>, profile: &FieldProfile<'_>, words: &Range<usize>) -> bool {
    let length = words.len();
    let odd = words.clone().filter(|at| {
        let everyday = context.is_in_list("common", *at)
            || context.is_in_list("pronoun", *at)
            || context.is_in_list("interrogative", *at);
        everyday
            && !(context.text.is_capital(*at)
                && *at > context.sentence_words(*at).start
                && !context.is_in_list("pronoun", *at))
    });
    let is_plain = odd.count() == 0;
    let named = names::capitalized_name(context, words.start).is_some_and(|run| run == *words);
    let asks = context.list("any", words.start) > 0 || context.list("negation", words.start) > 0;
    let has_digits = |at: usize| context.text.folded(at).chars().any(|c| c.is_ascii_digit());
    let has_digit = words.clone().any(has_digits);
    let digits = words.clone().all(|at| context.text.is_digits(at));
    let is_small = !words.clone().any(|at| context.text.is_capital(at));
    // A lower-case answer must be the whole message and must not mention another field.
    let lone = context.text.len() <= length + 4
        && !context.field_words.iter().enumerate().any(|(index, places)| {
            let own = context.profiles.get(index).is_some_and(|profile| profile.is_asked);
            !own && places.iter().any(|place| words.contains(place))
        });
    // "crime novels, sci-fi and poetry" is no name.
    let goes_on = profile.slot_type == SlotType::Person
        && context.text.gap(words.end - 1).contains([',', ';'])
        && words.end < context.text.len();
    if is_small && (!lone || goes_on) {
        return false;
    }
    let fits = match profile.slot_type {
        SlotType::Person => {
            let is_number = context.text.number_at(words.start).is_some_and(|number| number.tokens == length);
            length <= 5 && !has_digit && (is_plain || named) && !is_number
        }
        SlotType::Place => length <= 6 && !digits && (is_plain || named),
        SlotType::Title => length <= 8 && (is_plain || named),
        SlotType::Class => length <= 4 && is_plain && !digits,
        // In "AB 12 C" every part can belong to a code; "20095 Hamburg" is no code.
        SlotType::Code => {
            let is_word = |at: usize| context.text.folded(at).len() > 3 && !context.text.is_all_caps(at);
            let mixed = length > 1 && words.clone().any(|at| !has_digits(at) && is_word(at));
            // "1,250.40" is an amount.
            let amount = context
                .text
                .number_at(words.start)
                .is_some_and(|number| number.tokens == length && number.value.fract() != 0.0);
            length <= 8 && (has_digit || length == 1) && is_plain && !mixed && !amount
        }
        SlotType::Address => length <= 14 && is_plain && (has_digit || length >= 3),
        SlotType::Phone => length <= 6 && has_digit && lone,
        // The value may be invalid; then validation asks the user again.
        _ => length <= 4 && is_plain && lone && context.sentences.len() == 1,
    };
    fits && !asks
}
