//! Rule-based natural language understanding: word lists and rules, no model. It only interprets messages;
//! the state machine validates the values and changes the form. Each stage uses only those before it:
//! `tokens` → `context` → `entities` → `candidates` → `resolution` → `acts`.

mod acts;
mod candidates;
mod context;
mod entities;
mod resolution;
mod tokens;

use std::ops::Range;

use agents_core::chat::{ActType, DialogueAct, Interpretation, Nlu, Phase, SlotUpdate, UserTurn};
use language::{Language, Level};

use acts::dialogue_acts::{self, ActSpan};
use acts::direct_replies::{apply_any_choice, apply_none_as_zero, apply_yes_no};
use acts::list_updates::{clearing_update, list_updates};
use acts::retractions;
use acts::sums::complete_sums;
use candidates::{
    booleans, choices, classes, contrast, corrections, key_values, labelled_values, name_cues, named_changes,
    places, removals, typed_values,
};
use context::field_profile::SlotType;
use context::nlu_context::{NluContext, SlotCandidate};
use entities::ambiguity;
use resolution::{direct_answers, selection};
use tokens::sentences::SentenceMood;

/// Natural language understanding by these rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleNlu;

impl Nlu for RuleNlu {
    /// Whether the locale of the language has the cues of conversations.
    fn reads(&self, language: Language) -> bool {
        language.is_at_least(Level::Full)
    }

    fn interpret(&self, turn: &UserTurn<'_>) -> Interpretation {
        interpret(turn)
    }
}

/// Interprets a message: slot updates, dialogue acts and side questions. Only the beginning of a very long
/// message is analysed. A free-text answer is taken whole, up to a limit.
#[must_use]
pub fn interpret(turn: &UserTurn<'_>) -> Interpretation {
    let context = NluContext::new(turn);
    if context.lexicon.list("retracted").within(&context.text, 0..context.text.len()).is_some() {
        // "Just kidding" retracts the message.
        return Interpretation {
            acts: vec![DialogueAct { act_type: ActType::Repeat, path: None }],
            ..Interpretation::default()
        };
    }
    let mut acts = dialogue_acts::acts(&context);
    if turn.phase != Phase::Filling && !dialogue_acts::is_plain(&context, &acts) {
        // "Yes, but …" and "done?" confirm nothing.
        acts.retain(|acted| !matches!(acted.act.act_type, ActType::Yes | ActType::Finish));
    }
    if turn.phase == Phase::Cancelling {
        acts.retain(|acted| matches!(acted.act.act_type, ActType::Yes | ActType::No | ActType::Cancel));
        if dialogue_acts::requests_submission(&context) {
            // A request to submit means not to cancel.
            acts.retain(|acted| acted.act.act_type == ActType::No);
        }
        return Interpretation { acts: distinct_acts(acts), ..Interpretation::default() };
    }
    retractions::drop_idle_no(&context, &mut acts);
    let mut settled = values(&context, &acts);
    retractions::drop_answer_to_confirmation(&context, &acts, &mut settled);
    retractions::drop_unsure_guesses(&context, &mut acts, &mut settled);
    let (mut statements, done) = list_updates(&context, &acts, &settled);
    let settled = if done { Vec::new() } else { settled };
    let changes = dialogue_acts::changes(&context, &settled).filter(|_| statements.is_empty());
    let cleared = clearing_update(&context, &settled).filter(|_| statements.is_empty());
    apply_any_choice(&context, &mut acts, &mut statements);
    if !turn.is_confirmation {
        if settled.is_empty() {
            apply_none_as_zero(&context, &mut acts, &mut statements);
        }
        apply_yes_no(&context, &mut acts, &settled, &mut statements);
    }
    let question = question(&context, &settled, &acts);
    statements.extend(settled.into_iter().filter_map(|claim| to_slot_update(&context, claim)));
    statements.extend(cleared);
    let changes =
        changes.or_else(|| dialogue_acts::wrong_value_act(&context)).filter(|_| statements.is_empty());
    if let Some(change) = changes {
        match dialogue_acts::new_value(&context, &change) {
            Some(statement) => statements.push(statement),
            None => acts.push(change),
        }
    }
    complete_sums(&context, &mut statements);
    Interpretation { statements, acts: distinct_acts(acts), question, ..Interpretation::default() }
}

fn distinct_acts(acts: Vec<ActSpan>) -> Vec<DialogueAct> {
    let mut said: Vec<DialogueAct> = Vec::new();
    for acted in acts {
        if !said.contains(&acted.act) {
            said.push(acted.act);
        }
    }
    said
}

/// The selected candidates of all fields except lists.
fn values(context: &NluContext<'_>, acts: &[ActSpan]) -> Vec<SlotCandidate> {
    let (mut claims, taken) = typed_values::find_candidates(context);
    let places = choices::root_positions(context);
    choices::add_candidates(context, &places, &mut claims);
    booleans::add_candidates(context, &mut claims);
    classes::add_candidates(context, &mut claims);
    places::add_candidates(context, &taken, &mut claims);
    name_cues::add_candidates(context, &taken, &mut claims);
    labelled_values::add_candidates(context, &mut claims);
    corrections::add_candidates(context, &mut claims);
    key_values::add_candidates(context, &mut claims);
    key_values::add_town_candidates(context, &mut claims);
    claims.retain(|claim| !removals::is_removed(context, claim));
    let contrasts = contrast::contrasts(context);
    claims.retain(|claim| {
        let is_flag =
            context.profiles.get(claim.profile).is_some_and(|profile| profile.slot_type == SlotType::Flag);
        is_flag || !contrasts.iter().any(|contrast| contrast.refused.contains(&claim.words.start))
    });
    claims.extend(contrasts.into_iter().filter_map(|contrast| contrast.claim));
    named_changes::add_candidates(context, &mut claims);
    claims.truncate(selection::MAX_CLAIMS);
    // Among ambiguous fields, keep the one whose distinguishing words are present.
    claims.retain_mut(|claim| {
        let favour = ambiguity::ambiguity_score(context, claim.profile, &claim.words);
        claim.score += favour;
        favour >= 0 || claim.score > 0
    });
    let acted: Vec<Range<usize>> = acts.iter().map(|acted| acted.words.clone()).collect();
    // Words of an act that denies a value state none.
    claims.retain(|claim| {
        !acts.iter().any(|acted| {
            // "That's all I need for today" ends the dialogue; "today" is no date.
            let ended = acted.act.act_type == ActType::Finish
                && context.sentence_words(acted.words.start).contains(&claim.words.start)
                && acted.words.end <= claim.words.start;
            if ended {
                return true;
            }
            let talk = matches!(
                acted.act.act_type,
                ActType::Courtesy
                    | ActType::Repeat
                    | ActType::Explain
                    | ActType::Back
                    | ActType::Review
                    | ActType::Cancel
                    | ActType::Restart
            );
            if acted.is_whole
                && talk
                && acted.words.start <= claim.words.start
                && claim.words.end <= acted.words.end
            {
                return true;
            }
            let denies = matches!(
                acted.act.act_type,
                ActType::Unknown | ActType::NotApplicable | ActType::Later | ActType::Skip
            );
            denies
                && acted.words.start <= claim.words.start
                && claim.words.end <= acted.words.end
                && claim.score < 8
        })
    });
    claims.retain(|claim| claim.value != "");
    let conditional: Vec<SlotCandidate> =
        claims.iter().filter(|claim| has_condition(context, claim)).cloned().collect();
    if context.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Text) {
        // A free-text remark corrects another value only when it says so.
        claims.retain(|claim| {
            let is_new = context.profiles.get(claim.profile).is_none_or(|profile| profile.is_open);
            is_new || context.corrects(claim.words.start)
        });
    }
    let mut settled = selection::select_candidates(claims);
    typed_values::order_ranges(context, &mut settled);
    select_conditional(context, conditional, &mut settled);
    if let Some(claim) = direct_answers::find_candidate(context, &settled, &acted) {
        if context.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Text) {
            // A free-text answer may contain words that look like other values.
            settled.retain(|other| direct_answers::is_certain(context, other));
        }
        settled.extend(name_cues::split_name(context, claim, &settled));
        settled.sort_by_key(|claim| claim.words.start);
    }
    labelled_values::extend_codes(context, &mut settled);
    settled
}

fn has_condition(context: &NluContext<'_>, claim: &SlotCandidate) -> bool {
    context.profiles.get(claim.profile).is_some_and(|profile| !profile.field.when.is_empty())
}

/// "I have a cat" says that there is a pet, and its kind: a span may fill both a field and the field of its
/// condition.
fn select_conditional(
    context: &NluContext<'_>,
    mut claims: Vec<SlotCandidate>,
    settled: &mut Vec<SlotCandidate>,
) {
    claims.sort_by_key(|claim| (-claim.score, claim.profile, claim.words.start));
    for claim in claims {
        let Some(profile) = context.profiles.get(claim.profile) else { continue };
        let names = |other: &SlotCandidate| {
            let name = context.profiles.get(other.profile).map(|other| other.field.name.as_str());
            profile.field.when.iter().any(|condition| Some(condition.field.as_str()) == name)
        };
        let others: Vec<SlotCandidate> = settled.iter().filter(|other| !names(other)).cloned().collect();
        let is_new = settled.iter().all(|other| other.profile != claim.profile);
        if is_new && selection::is_free(&others, &claim.words) {
            settled.push(claim);
        }
    }
    settled.sort_by_key(|claim| claim.words.start);
}

fn to_slot_update(context: &NluContext<'_>, claim: SlotCandidate) -> Option<SlotUpdate> {
    let profile = context.profiles.get(claim.profile)?;
    Some(SlotUpdate {
        path: profile.path.clone(),
        change: claim.change,
        value: claim.value,
        is_meant: claim.is_meant,
    })
}

/// The sentences that ask something and state no value.
fn question(context: &NluContext<'_>, settled: &[SlotCandidate], acts: &[ActSpan]) -> Option<String> {
    let mut asked: Vec<&str> = Vec::new();
    for sentence in &context.sentences {
        let stated = settled.iter().any(|claim| sentence.words.contains(&claim.words.start));
        let acted = acts.iter().any(|acted| {
            acted.words.start >= sentence.words.start
                && acted.words.end <= sentence.words.end
                && !matches!(acted.act.act_type, ActType::Courtesy | ActType::Yes | ActType::No)
        });
        let asks = match sentence.mood {
            SentenceMood::Question => true,
            SentenceMood::Existence => !stated,
            SentenceMood::Request | SentenceMood::Statement => false,
        };
        if asks && !acted && (!stated || sentence.mood == SentenceMood::Question) {
            let end = context.text.gap(sentence.words.end - 1).starts_with('?');
            let raw = context.text.slice(&sentence.words);
            let with_mark = context.text.tokens.get(sentence.words.end - 1).and_then(|last| {
                let first = context.text.tokens.get(sentence.words.start)?;
                context.text.raw.get(first.start..last.end + usize::from(end))
            });
            asked.push(with_mark.unwrap_or(raw));
        }
    }
    (!asked.is_empty()).then(|| asked.join(" "))
}
