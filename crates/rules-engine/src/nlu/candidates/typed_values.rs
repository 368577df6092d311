//! Candidates of dates, times, amounts, numbers and entities of a message.

use std::ops::Range;

use chrono::NaiveDate;
use language::date::spoken::Calendar;
use language::time::SpokenTime;
use language::time::clock_form;
use serde_json::{Value, json};

use crate::nlu::candidates::counts;
use crate::nlu::candidates::money;
use crate::nlu::context::field_profile::{FieldProfile, RangeRole, SlotType, pointer};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::count_context;
use crate::nlu::entities::formats::{EntityKind, find_entities};
use crate::nlu::entities::value_parser;
use crate::nlu::tokens::message::any_lexicon;

/// The candidates of all typed values, and the spans they consume.
pub(crate) fn find_candidates(context: &NluContext<'_>) -> (Vec<SlotCandidate>, Vec<Range<usize>>) {
    let mut claims = Vec::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (shape, bytes) in find_entities(&context.text) {
        let words = context.text.tokens_in(&bytes);
        if shape == EntityKind::Quoted || words.is_empty() {
            continue;
        }
        let raw = context.text.raw.get(bytes).unwrap_or_default();
        add_entity_candidates(context, shape, &words, raw, &mut claims);
        taken.push(words);
    }
    let has_times = context.fields_of_types(&[SlotType::Time]).next().is_some();
    let has_role =
        |role: RangeRole| context.fields_of_types(&[SlotType::Time]).any(|(_, profile)| profile.role == role);
    let has_both = has_role(RangeRole::Start) && has_role(RangeRole::End);
    let is_birth =
        context.asked_field().is_some_and(|(_, profile)| value_parser::calendar(context, profile).is_birth)
            || any_lexicon().list("birth").within(&context.text, 0..context.text.len()).is_some();
    let mut at = 0;
    while at < context.text.len() {
        if let Some(range) = taken.iter().find(|range| range.contains(&at)) {
            at = range.end;
            continue;
        }
        if let Some((words, claim)) = counts::scale_candidate(context, at) {
            at = words.end;
            taken.push(words);
            claims.push(claim);
            continue;
        }
        let calendar = Calendar {
            today: context.turn.today,
            is_past: false,
            is_birth,
            languages: context.text.languages(),
        };
        if let Some(day) = calendar.day_at(&context.text, at) {
            let words = at + day.skipped..at + day.skipped + day.tokens;
            add_date_candidates(context, &words, at, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        let time = context.text.time_at(at).or_else(|| {
            let asked = context.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Time);
            let alone =
                || context.text.lone_time_at(at).filter(|_| asked && count_context::is_alone(context, at));
            let bare = context.text.bare_time_at(at).filter(|_| has_times).or_else(alone);
            // "Between 3 and 5" and "we are 6" are no times by themselves.
            let several = context.text.spread_at(at).is_some() && !has_both;
            let people = context.sentence_words(at).any(|at| context.is_in_list("we", at));
            bare.filter(|time| !count_context::has_noun(context, at, at + time.tokens) && !several)
                .filter(|_| !people || context.is_in_list("at_time", at.wrapping_sub(1)))
        });
        if let Some(time) = time {
            let words = at..at + time.tokens;
            add_time_candidates(context, &words, time, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        if let Some(sum) = context.text.money_at(at) {
            let words = at..at + sum.tokens;
            money::add_candidates(context, &words, sum.value, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        at += counts::add_candidates(context, at, &mut claims, &mut taken).max(1);
    }
    (claims, taken)
}

fn add_entity_candidates(
    context: &NluContext<'_>,
    shape: EntityKind,
    words: &Range<usize>,
    raw: &str,
    claims: &mut Vec<SlotCandidate>,
) {
    let sense = match shape {
        EntityKind::Email => SlotType::Email,
        EntityKind::Url => SlotType::Url,
        EntityKind::Phone => SlotType::Phone,
        EntityKind::Quoted => return,
    };
    for (profile, _) in context.fields_of_types(&[sense]) {
        let score = 6 + context.nearness(profile, words) + context.prior_score(profile, words.start)
            - context.count_unsaid_words(profile, words.start);
        claims.push(context.make_candidate(profile, words.clone(), json!(raw), score));
    }
    // A long number may be an issued code.
    if shape == EntityKind::Phone {
        for (profile, of) in context.fields_of_types(&[SlotType::Code, SlotType::Text]) {
            let near = context.nearness(profile, words);
            if near >= 3 && of.is_text() {
                claims.push(context.make_candidate(profile, words.clone(), json!(raw), 4 + near));
            }
        }
    }
}

fn add_date_candidates(
    context: &NluContext<'_>,
    words: &Range<usize>,
    from: usize,
    claims: &mut Vec<SlotCandidate>,
) {
    if !context.accepts_values_at(words.start) {
        return;
    }
    let said = role_before(context, from, words.end);
    let birth = |profile: &FieldProfile<'_>| value_parser::calendar(context, profile).is_birth;
    let around = context.sentence_words(words.start);
    let says_birth = around.clone().any(|at| any_lexicon().list("birth").has_word(context.text.folded(at)));
    for (index, profile) in context.fields_of_types(&[SlotType::Date]) {
        let mut score = 3 + context.nearness(index, words) + context.prior_score(index, words.start);
        score += fit(said, profile, 4);
        if birth(profile) != says_birth && !profile.is_asked {
            score -= 8;
        }
        let calendar = value_parser::calendar(context, profile);
        let date =
            calendar.day_at(&context.text, from).and_then(|day| day.date).filter(|_| profile.is_iso_date());
        let value = date.map_or_else(|| json!(context.text.slice(words)), |date| json!(date.to_string()));
        if score >= 2 {
            claims.push(context.make_candidate(index, words.clone(), value, score));
        }
    }
}

fn add_time_candidates(
    context: &NluContext<'_>,
    words: &Range<usize>,
    time: SpokenTime,
    claims: &mut Vec<SlotCandidate>,
) {
    if !context.accepts_values_at(words.start) {
        return;
    }
    let said = role_before(context, words.start, words.end);
    for (index, profile) in context.fields_of_types(&[SlotType::Time]) {
        let near = context.nearness(index, words);
        let score = 3 + near + context.prior_score(index, words.start) + fit(said, profile, 4)
            - context.count_unsaid_words(index, words.start) / 2
            - i32::from(time.is_bare);
        if score >= 3 {
            claims.push(context.make_candidate(
                index,
                words.clone(),
                time_value(context, profile, words, time),
                score,
            ));
        }
    }
}

/// A time as stated, or as `HH:MM` where the field requires it.
fn time_value(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
    time: SpokenTime,
) -> Value {
    if profile.field.format.as_deref() == Some("time") || !profile.is_text() {
        return json!(clock_form(time.minutes));
    }
    let said = context.text.slice(words);
    // In "3 to 5 pm" both times are in the afternoon.
    if time.is_bare && context.list("to_hour", words.end) > 0 {
        let later = words.end + context.list("to_hour", words.end);
        if let Some(end) = context.text.time_at(later) {
            let part = context.text.slice(&(later + 1..later + end.tokens));
            return json!(format!("{said} {part}").trim());
        }
    }
    json!(said)
}

/// "Friday to Monday", "from Dec 24 to the 27th": an end date without a year is moved after its start.
pub(crate) fn order_ranges(context: &NluContext<'_>, settled: &mut [SlotCandidate]) {
    let role = |claim: &SlotCandidate| {
        let profile = context.profiles.get(claim.profile).filter(|profile| profile.is_iso_date())?;
        Some((profile.role, claim.value.as_str()?.parse::<NaiveDate>().ok()?))
    };
    let said = settled.iter().find_map(|claim| role(claim).filter(|(role, _)| *role == RangeRole::Start));
    let known = || {
        let mut starts = context
            .fields_of_types(&[SlotType::Date])
            .filter(|(_, profile)| profile.role == RangeRole::Start);
        let (_, profile) = starts.next().filter(|_| starts.next().is_none())?;
        pointer(&context.turn, &profile.path)?.as_str()?.parse::<NaiveDate>().ok()
    };
    let Some(begin) = said.map(|(_, begin)| begin).or_else(known) else { return };
    for claim in settled.iter_mut() {
        let early = role(claim).is_some_and(|(role, end)| role == RangeRole::End && end < begin);
        let has_year =
            claim.words.clone().any(|at| context.text.is_digits(at) && context.text.folded(at).len() == 4);
        let calendar =
            Calendar { today: begin, is_past: false, is_birth: false, languages: context.text.languages() };
        let later = calendar.day_at(&context.text, claim.words.start).and_then(|day| day.date);
        if let Some(later) = later.filter(|later| early && !has_year && *later >= begin) {
            claim.value = json!(later.to_string());
        }
    }
}

/// Score of a stated role for a field: `weight` for the same role, strongly negative for the opposite one.
pub(crate) fn fit(said: RangeRole, profile: &FieldProfile<'_>, weight: i32) -> i32 {
    match (said, profile.role) {
        (a, b) if a == b && a != RangeRole::None => weight,
        (RangeRole::None, RangeRole::End) if !profile.is_asked => -3,
        (RangeRole::None, _) | (_, RangeRole::None) => 0,
        (_, _) if profile.is_asked && said == RangeRole::None => 0,
        _ => -8,
    }
}

/// The role that the words before or directly after a span give it.
fn role_before(context: &NluContext<'_>, at: usize, end: usize) -> RangeRole {
    let around = context.sentence_words(at);
    let stays = context.fields_of_types(&[SlotType::Date]).any(|(_, profile)| {
        let arrives = |word: &String| any_lexicon().list("arrival").has_word(word);
        profile.role == RangeRole::Start
            && profile.name_stems.iter().chain(&profile.description_stems).any(arrives)
    });
    let tell = |place: usize, limit: usize| {
        let (start, end) = (context.list("start", place), context.list("end", place));
        let fits = |words: usize| words > 0 && place + words <= limit;
        match () {
            () if fits(end) && end >= start => Some(RangeRole::End),
            () if fits(start) => Some(RangeRole::Start),
            () => None,
        }
    };
    // In a stay, leaving is the end.
    let leaves = |place: usize| context.is_in_list("leave", place);
    let tell = |place: usize, limit: usize| match tell(place, limit) {
        Some(RangeRole::Start) if stays && leaves(place) => Some(RangeRole::End),
        other => other,
    };
    // Short words count only directly before the span.
    let strong = |place: usize| {
        let phrase = context.list("start", place).max(context.list("end", place)) > 1;
        let adjacent = place + 1 == at || place + 2 == at && context.is_in_list("articles", place + 1);
        phrase || adjacent || context.text.folded(place).len() > 4
    };
    let before =
        (around.start..at).rev().take(9).filter(|place| strong(*place)).find_map(|place| tell(place, at));
    before
        .or_else(|| {
            (end..around.end)
                .take(5)
                .filter(|place| {
                    context.text.folded(*place).len() > 4
                        || context.list("start", *place) > 1
                        || context.list("end", *place) > 1
                })
                .find_map(|place| tell(place, around.end))
                .filter(|_| {
                    // "the 4th to the 6th": the word after belongs to the other date.
                    !["range", "and", "range_from"].iter().any(|list| context.is_in_list(list, end))
                })
        })
        .unwrap_or(RangeRole::None)
}
