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
pub fn interpret(heard: &UserTurn<'_>) -> Interpretation {
    let scene = NluContext::new(heard);
    if scene.lexicon.list("retracted").within(&scene.text, 0..scene.text.len()).is_some() {
        // "Just kidding" retracts the message.
        return Interpretation {
            acts: vec![DialogueAct { act_type: ActType::Repeat, path: None }],
            ..Interpretation::default()
        };
    }
    let mut acts = dialogue_acts::acts(&scene);
    if heard.phase != Phase::Filling && !dialogue_acts::is_plain(&scene, &acts) {
        // "Yes, but …" and "done?" confirm nothing.
        acts.retain(|acted| !matches!(acted.act.act_type, ActType::Yes | ActType::Finish));
    }
    if heard.phase == Phase::Cancelling {
        acts.retain(|acted| matches!(acted.act.act_type, ActType::Yes | ActType::No | ActType::Cancel));
        if dialogue_acts::requests_submission(&scene) {
            // A request to submit means not to cancel.
            acts.retain(|acted| acted.act.act_type == ActType::No);
        }
        return Interpretation { acts: distinct_acts(acts), ..Interpretation::default() };
    }
    retractions::drop_idle_no(&scene, &mut acts);
    let mut settled = values(&scene, &acts);
    retractions::drop_answer_to_confirmation(&scene, &acts, &mut settled);
    retractions::drop_unsure_guesses(&scene, &mut acts, &mut settled);
    let (mut statements, done) = list_updates(&scene, &acts, &settled);
    let settled = if done { Vec::new() } else { settled };
    let changes = dialogue_acts::changes(&scene, &settled).filter(|_| statements.is_empty());
    let cleared = clearing_update(&scene, &settled).filter(|_| statements.is_empty());
    apply_any_choice(&scene, &mut acts, &mut statements);
    if !heard.is_confirmation {
        if settled.is_empty() {
            apply_none_as_zero(&scene, &mut acts, &mut statements);
        }
        apply_yes_no(&scene, &mut acts, &settled, &mut statements);
    }
    let question = question(&scene, &settled, &acts);
    statements.extend(settled.into_iter().filter_map(|claim| to_slot_update(&scene, claim)));
    statements.extend(cleared);
    let changes =
        changes.or_else(|| dialogue_acts::wrong_value_act(&scene)).filter(|_| statements.is_empty());
    if let Some(change) = changes {
        match dialogue_acts::new_value(&scene, &change) {
            Some(statement) => statements.push(statement),
            None => acts.push(change),
        }
    }
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
fn values(scene: &NluContext<'_>, acts: &[ActSpan]) -> Vec<SlotCandidate> {
    let (mut claims, taken) = typed_values::find_candidates(scene);
    let places = choices::root_positions(scene);
    choices::add_candidates(scene, &places, &mut claims);
    booleans::add_candidates(scene, &mut claims);
    classes::add_candidates(scene, &mut claims);
    places::add_candidates(scene, &taken, &mut claims);
    name_cues::add_candidates(scene, &taken, &mut claims);
    labelled_values::add_candidates(scene, &mut claims);
    corrections::add_candidates(scene, &mut claims);
    key_values::add_candidates(scene, &mut claims);
    key_values::add_town_candidates(scene, &mut claims);
    claims.retain(|claim| !removals::is_removed(scene, claim));
    let contrasts = contrast::contrasts(scene);
    claims.retain(|claim| {
        let is_flag =
            scene.profiles.get(claim.profile).is_some_and(|profile| profile.slot_type == SlotType::Flag);
        is_flag || !contrasts.iter().any(|contrast| contrast.refused.contains(&claim.words.start))
    });
    claims.extend(contrasts.into_iter().filter_map(|contrast| contrast.claim));
    named_changes::add_candidates(scene, &mut claims);
    claims.truncate(selection::MAX_CLAIMS);
    // Among ambiguous fields, keep the one whose distinguishing words are present.
    claims.retain_mut(|claim| {
        let favour = ambiguity::ambiguity_score(scene, claim.profile, &claim.words);
        claim.score += favour;
        favour >= 0 || claim.score > 0
    });
    let acted: Vec<Range<usize>> = acts.iter().map(|acted| acted.words.clone()).collect();
    // Words of an act that denies a value state none.
    claims.retain(|claim| {
        !acts.iter().any(|acted| {
            // "That's all I need for today" ends the dialogue; "today" is no date.
            let ended = acted.act.act_type == ActType::Finish
                && scene.sentence_words(acted.words.start).contains(&claim.words.start)
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
        claims.iter().filter(|claim| has_condition(scene, claim)).cloned().collect();
    if scene.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Text) {
        // A free-text remark corrects another value only when it says so.
        claims.retain(|claim| {
            let is_new = scene.profiles.get(claim.profile).is_none_or(|profile| profile.is_open);
            is_new || scene.corrects(claim.words.start)
        });
    }
    let mut settled = selection::select_candidates(claims);
    typed_values::order_ranges(scene, &mut settled);
    select_conditional(scene, conditional, &mut settled);
    if let Some(claim) = direct_answers::find_candidate(scene, &settled, &acted) {
        if scene.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Text) {
            // A free-text answer may contain words that look like other values.
            settled.retain(|other| direct_answers::is_certain(scene, other));
        }
        settled.extend(name_cues::split_name(scene, claim, &settled));
        settled.sort_by_key(|claim| claim.words.start);
    }
    labelled_values::extend_codes(scene, &mut settled);
    settled
}

fn has_condition(scene: &NluContext<'_>, claim: &SlotCandidate) -> bool {
    scene.profiles.get(claim.profile).is_some_and(|profile| !profile.field.when.is_empty())
}

/// "I have a cat" says that there is a pet, and its kind: a span may fill both a field and the field of its
/// condition.
fn select_conditional(
    scene: &NluContext<'_>,
    mut claims: Vec<SlotCandidate>,
    settled: &mut Vec<SlotCandidate>,
) {
    claims.sort_by_key(|claim| (-claim.score, claim.profile, claim.words.start));
    for claim in claims {
        let Some(profile) = scene.profiles.get(claim.profile) else { continue };
        let names = |other: &SlotCandidate| {
            let name = scene.profiles.get(other.profile).map(|other| other.field.name.as_str());
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

fn to_slot_update(scene: &NluContext<'_>, claim: SlotCandidate) -> Option<SlotUpdate> {
    let profile = scene.profiles.get(claim.profile)?;
    Some(SlotUpdate {
        path: profile.path.clone(),
        change: claim.change,
        value: claim.value,
        is_meant: claim.is_meant,
    })
}

/// The sentences that ask something and state no value.
fn question(scene: &NluContext<'_>, settled: &[SlotCandidate], acts: &[ActSpan]) -> Option<String> {
    let mut asked: Vec<&str> = Vec::new();
    for sentence in &scene.sentences {
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
            let end = scene.text.gap(sentence.words.end - 1).starts_with('?');
            let raw = scene.text.slice(&sentence.words);
            let with_mark = scene.text.tokens.get(sentence.words.end - 1).and_then(|last| {
                let first = scene.text.tokens.get(sentence.words.start)?;
                scene.text.raw.get(first.start..last.end + usize::from(end))
            });
            asked.push(with_mark.unwrap_or(raw));
        }
    }
    (!asked.is_empty()).then(|| asked.join(" "))
}
