//! Updates of lists: "add milk", "remove the second", "apples, pears and plums".

use std::ops::Range;

use forms_core::{Field, FieldType};
use language::stem::light_stem;
use serde_json::Value;

use crate::nlu::acts::dialogue_acts::ActSpan;
use crate::nlu::acts::entries::entries;
use crate::nlu::acts::list_commands::{command, commands, make_update, parse_item_statement};
use crate::nlu::acts::list_items::{has_item, items};
use crate::nlu::acts::unprompted_rows::{find_offered_list, parse_offered_row, row_changes};
use crate::nlu::candidates::field_reference::find_named_field;
use crate::nlu::candidates::named_changes;
use crate::nlu::context::field_profile::{FieldProfile, SlotType, pointer};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::tokens::sentences::SentenceMood;
use agents_core::chat::{ActType, SlotOperation, SlotUpdate};

/// The list updates of a message, and whether they are all that it states.
pub(crate) fn list_updates(
    context: &NluContext<'_>,
    acts: &[ActSpan],
    settled: &[SlotCandidate],
) -> (Vec<SlotUpdate>, bool) {
    let Some((index, list)) = find_target_list(context).or_else(|| find_offered_list(context, settled))
    else {
        return (Vec::new(), false);
    };
    let FieldType::Array(item) = &list.field.kind else { return (Vec::new(), false) };
    let mut found = Vec::new();
    let mut rest = false;
    for sentence in &context.sentences {
        if sentence.mood == SentenceMood::Question {
            continue;
        }
        let denied = acts.iter().any(|acted| {
            acted.act.act_type == ActType::NotApplicable
                && acted.act.path.as_deref() == Some(list.path.as_str())
                && sentence.words.contains(&acted.words.start)
        });
        if denied {
            continue;
        }
        if named_changes::has_named_changes(context, &sentence.words)
            || is_about_other_fields(context, index, list, &sentence.words)
        {
            rest = true;
            continue;
        }
        let is_all_acts = sentence.words.clone().all(|at| {
            context.is_in_list("filler", at)
                || acts.iter().any(|acted| acted.is_whole && acted.words.contains(&at))
        });
        if is_all_acts
            || acts.iter().any(|acted| {
                acted.is_whole
                    && acted.words.start == sentence.words.start
                    && acted.act.act_type != ActType::Yes
                    && acted.act.act_type != ActType::No
                    && acted.act.act_type != ActType::Courtesy
            })
        {
            continue;
        }
        let parts = commands(context, &sentence.words);
        if let Some(changed) = row_changes(context, list, item, &sentence.words) {
            found.extend(changed);
            continue;
        }
        if let [first, .., last] = parts.as_slice()
            && let (Some(one), Some(other)) =
                (command(context, list, item, first), command(context, list, item, last))
        {
            found.extend(one);
            found.extend(other);
            continue;
        }
        match command(context, list, item, &sentence.words)
            .or_else(|| parse_item_statement(context, list, item, &sentence.words))
        {
            Some(statements) => found.extend(statements),
            None if list.is_asked
                && sentence.mood == SentenceMood::Statement
                && !refuses_more(context, acts, &sentence.words)
                && !is_claimed_by_others(context, item, settled, &sentence.words) =>
            {
                found.extend(bare_entries(context, index, list, item, sentence))
            }
            None => match parse_offered_row(context, list, item, settled, sentence) {
                Some(statement) => found.push(statement),
                None => rest = true,
            },
        }
    }
    // "Milk. Bread. Eggs": sentences after the first add to the list.
    let mut given = false;
    for statement in found.iter_mut().filter(|statement| statement.path == list.path) {
        if statement.change == SlotOperation::Set && std::mem::replace(&mut given, true) {
            statement.change = SlotOperation::Add;
        }
    }
    let done = !found.is_empty() && !rest;
    (found, done)
}

/// "No, on site" when more items were asked for: the words after "no" are no item.
fn refuses_more(context: &NluContext<'_>, acts: &[ActSpan], words: &Range<usize>) -> bool {
    let more = context.turn.asked.is_some_and(|asked| asked.ends_with("/-"));
    more && acts.iter().any(|acted| {
        matches!(acted.act.act_type, ActType::No | ActType::Finish)
            && acted.is_whole
            && acted.words.start == words.start
    })
}

/// Whether a sentence is about other fields and not about the most recently changed list.
fn is_about_other_fields(
    context: &NluContext<'_>,
    index: usize,
    list: &FieldProfile<'_>,
    words: &Range<usize>,
) -> bool {
    let names = |index: usize, places: &Vec<usize>| {
        let Some(other) = context.profiles.get(index) else { return false };
        let is_row = other.path.starts_with(&list.path);
        let is_named = |at: usize| {
            other.name.iter().any(|word| light_stem(word) == context.text.stem(at))
                && !["break", "weak"].iter().any(|list| context.is_in_list(list, at))
        };
        !is_row && places.iter().any(|place| words.contains(place) && is_named(*place))
    };
    let named =
        context.field_words.get(index).is_some_and(|places| places.iter().any(|place| words.contains(place)));
    !list.is_asked
        && !named
        && !has_item(context, list, words)
        && context
            .field_words
            .iter()
            .enumerate()
            .any(|(other, places)| other != index && names(other, places))
}

/// Whether candidates of other fields cover a sentence: by name, or completely by format.
fn is_claimed_by_others(
    context: &NluContext<'_>,
    item: &Field,
    settled: &[SlotCandidate],
    words: &Range<usize>,
) -> bool {
    let of_item = |sense: SlotType| match item.kind {
        FieldType::Date => sense == SlotType::Date,
        FieldType::Email => sense == SlotType::Email,
        FieldType::Url => sense == SlotType::Url,
        FieldType::Object(_) => !matches!(sense, SlotType::Email | SlotType::Phone | SlotType::Url),
        _ => false,
    };
    let first = words.clone().find(|at| context.list("filler", *at) == 0).unwrap_or(words.start);
    let changes =
        context.is_in_list("change", first) && words.clone().any(|at| context.is_in_list("into", at));
    changes
        || settled.iter().filter(|claim| words.contains(&claim.words.start)).any(|claim| {
            let Some(profile) = context.profiles.get(claim.profile) else { return false };
            let shaped = matches!(
                profile.slot_type,
                SlotType::Email
                    | SlotType::Phone
                    | SlotType::Url
                    | SlotType::Date
                    | SlotType::Time
                    | SlotType::Money
            );
            let all = strip_answer_frame(context, words)
                .all(|at| claim.words.contains(&at) || context.is_in_list("break", at));
            let is_said = context.nearness(claim.profile, &claim.words) >= 3
                || profile.slot_type == SlotType::Flag
                || context.corrects(claim.words.start);
            !of_item(profile.slot_type) && (shaped && all || claim.is_meant && is_said)
        })
}

/// The list that the message can be about: asked for, named, changed last, or the only one.
fn find_target_list<'s, 'a>(context: &'s NluContext<'a>) -> Option<(usize, &'s FieldProfile<'a>)> {
    let lists: Vec<_> = context.fields_of_types(&[SlotType::List]).collect();
    let named = |(index, _): &&(usize, &FieldProfile<'a>)| {
        context.field_words.get(*index).is_some_and(|places| !places.is_empty())
    };
    let asked = lists.iter().find(|(_, profile)| profile.is_asked);
    let recent = lists
        .iter()
        .filter(|(_, profile)| !profile.is_open)
        .max_by_key(|(_, profile)| profile.recency.map_or(0, |n| 100 - n));
    let only = (lists.len() == 1).then(|| lists.first()).flatten();
    let best = lists.iter().find(named).filter(|_| asked.is_none()).or(asked).or(recent).or(only).copied()?;
    // "No hawaii" is about the list that has it.
    let all = 0..context.text.len();
    let other = || lists.iter().find(|(_, list)| has_item(context, list, &all)).copied();
    let commands = (0..context.text.len()).any(|at| {
        ["remove", "change", "replace", "set"].iter().any(|name| context.list(name, at) > 0)
            || context.is_in_list("negation", at)
    });
    if commands && !has_item(context, best.1, &all) { other().or(Some(best)) } else { Some(best) }
}

/// The entries of a sentence that answers the question for the list.
fn bare_entries(
    context: &NluContext<'_>,
    index: usize,
    list: &FieldProfile<'_>,
    item: &Field,
    sentence: &crate::nlu::tokens::sentences::Sentence,
) -> Vec<SlotUpdate> {
    let words = strip_answer_frame(context, &sentence.words);
    let about_other = context.field_words.iter().enumerate().any(|(other, places)| {
        other != index
            && places.iter().any(|place| {
                words.contains(place)
                    && ["copula", "into"].iter().any(|list| context.is_in_list(list, place + 1))
            })
    });
    // "Not red", "all except red": the excluded value is no item, and the included ones are not stated.
    let first = context.text.folded(sentence.words.start);
    let excepts = sentence.words.clone().any(|at| {
        let word = context.text.folded(at);
        context.lexicon.list("except").has_word(word)
            || context.lexicon.list("but_instead").has_word(word)
                && context.is_in_list("all_words", at.wrapping_sub(1))
    });
    let refused =
        ["not_word", "without"].iter().any(|list| context.lexicon.list(list).has_word(first)) || excepts;
    let values = if refused { Vec::new() } else { entries(context, item, &words) };
    if values.is_empty() || about_other {
        return Vec::new();
    }
    let more =
        context.turn.asked.is_some_and(|asked| asked.ends_with("/-")) || !items(context, list).is_empty();
    vec![make_update(list, if more { SlotOperation::Add } else { SlotOperation::Set }, values)]
}

/// "remove my phone number": the named value is cleared.
pub(crate) fn clearing_update(context: &NluContext<'_>, settled: &[SlotCandidate]) -> Option<SlotUpdate> {
    let sentence = context
        .sentences
        .iter()
        .find(|sentence| matches!(sentence.mood, SentenceMood::Statement | SentenceMood::Request))?;
    let verb = sentence.words.clone().take(6).find(|at| {
        context.list("remove", *at) > 0
            && !["without", "no_word", "weak_remove"].iter().any(|list| context.is_in_list(list, *at))
    })?;
    let before = (sentence.words.start..verb).all(|at| {
        ["lead", "filler", "request", "common", "pronoun", "break", "courtesy"]
            .iter()
            .any(|list| context.is_in_list(list, at))
    });
    let path = find_named_field(context, &(verb + 1..sentence.words.end))?;
    let filled = pointer(&context.turn, &path).is_some();
    let claimed = settled.iter().any(|claim| sentence.words.contains(&claim.words.start));
    (before && filled && !claimed).then_some(SlotUpdate {
        path,
        change: SlotOperation::Remove,
        value: Value::Null,
        is_meant: true,
    })
}
