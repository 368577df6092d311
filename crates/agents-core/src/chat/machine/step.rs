//! One turn of the dialogue: applies the interpretation of a message to the form and selects the system acts
//! of the reply.

use forms_core::{FieldType, FormSchema, read_answer};

use super::acts;
use super::apply;
use super::apply_outcome::ApplyOutcome;
use super::attempts::count_failed_try;
use super::broken_rules::next_broken_rule;
use super::init;
use super::pointer;
use super::questions::{self, Question, QuestionStatus};
use super::step_outcome::StepOutcome;
use super::system_act::SystemAct;
use crate::chat::{ActType, FieldStatus, FormState, Interpretation, Phase, SlotOperation};

/// Most words of a message that is treated as an attempted answer. Longer ones are about something else.
/// Chosen by hand; no measurement is recorded.
const MAX_ANSWER: usize = 8;

/// Context of a message beside its interpretation.
#[derive(Clone, Debug, Default)]
pub struct TurnContext<'a> {
    /// Text of the message.
    pub message: &'a str,
    /// Whether it is the first message of the session.
    pub is_first: bool,
    /// Paths of values filled from its documents, as returned by [`super::prefill`].
    pub prefilled: Vec<String>,
    /// The form with its computed fields, whose rules are asked about too; `None` where it has none.
    pub whole: Option<&'a FormSchema>,
}

/// Applies an interpretation and returns the system acts of the reply.
pub fn step(
    form: &FormSchema,
    state: &mut FormState,
    reading: &Interpretation,
    occasion: TurnContext<'_>,
) -> Vec<SystemAct> {
    let mut next = StepOutcome::default();
    if occasion.is_first {
        next.parts.push(SystemAct::Greeting);
        next.understood = true;
    }
    if !occasion.prefilled.is_empty() {
        next.parts.push(SystemAct::Prefilled(occasion.prefilled));
        (next.understood, next.changed) = (true, true);
    }
    if reading.question.is_some() {
        next.parts.push(SystemAct::Answer);
        next.understood = true;
    }
    // Whether a "no" was consumed as the answer to "stop?".
    let mut resumed = false;
    let has = |act: ActType| reading.acts.iter().any(|said| said.act_type == act);
    if has(ActType::Restart) {
        init::restart(form, state);
        next.parts.push(SystemAct::Restarted);
        next.changed = true;
    } else {
        match state.phase {
            Phase::Submitted | Phase::Cancelled if !reopens(reading) => {
                return reply_when_closed(state.phase, next, &has);
            }
            Phase::Submitted | Phase::Cancelled => state.phase = Phase::Filling,
            Phase::Cancelling => {
                if has(ActType::Yes) || has(ActType::Cancel) {
                    return cancel(state, next);
                }
                state.phase = Phase::Filling;
                resumed = has(ActType::No);
                (next.understood, next.changed) = (next.understood || resumed, resumed);
            }
            Phase::Filling | Phase::Confirming => {
                if has(ActType::Cancel) {
                    return ask_to_cancel(state, next);
                }
            }
        }
    }
    let phase = state.phase;
    let mut applied = apply::apply(form, state, &reading.statements);
    mark_implied(state, &reading.implied, &mut applied);
    let invalid = merge_applied(&mut next, applied);
    if !has(ActType::Restart) && !resumed {
        acts::apply_acts(form, state, reading, &mut next);
    }
    if let Some(path) = invalid {
        bad_answer(form, state, &mut next, path);
    }
    if state.phase == Phase::Submitted {
        state.asked = None;
        return next.parts;
    }
    if !next.understood && !next.changed && !has(ActType::Courtesy) {
        handle_not_understood(form, state, &mut next, occasion.message);
    }
    choose_next_question(form, state, next, (phase, occasion.whole.unwrap_or(form)), &has)
}

/// Whether a message reopens a conversation that has ended.
fn reopens(reading: &Interpretation) -> bool {
    let is_meant = reading.statements.iter().any(|said| said.is_meant || said.change != SlotOperation::Set);
    is_meant || reading.acts.iter().any(|said| matches!(said.act_type, ActType::Change | ActType::Back))
}

fn reply_when_closed(phase: Phase, mut next: StepOutcome, has: &impl Fn(ActType) -> bool) -> Vec<SystemAct> {
    if has(ActType::Review) {
        next.parts.push(SystemAct::Review);
    } else if has(ActType::Courtesy) && !next.understood {
        next.parts.push(SystemAct::Courtesy);
    } else if !next.understood {
        next.parts.push(match phase {
            Phase::Submitted => SystemAct::AlreadySubmitted,
            _ => SystemAct::AlreadyCancelled,
        });
    }
    next.parts
}

fn ask_to_cancel(state: &mut FormState, mut next: StepOutcome) -> Vec<SystemAct> {
    if state.values.is_empty() {
        return cancel(state, next);
    }
    state.phase = Phase::Cancelling;
    next.parts.push(SystemAct::AskCancel);
    next.parts
}

fn cancel(state: &mut FormState, mut next: StepOutcome) -> Vec<SystemAct> {
    state.phase = Phase::Cancelled;
    state.asked = None;
    next.parts.push(SystemAct::Cancelled);
    next.parts
}

/// Values that the message only implies are marked for confirmation.
fn mark_implied(state: &mut FormState, implied: &[String], applied: &mut ApplyOutcome) {
    for path in implied {
        if applied.noted.contains(path) {
            applied.noted.retain(|noted| noted != path);
            state.marks.insert(path.clone(), FieldStatus::Implied);
        }
    }
}

/// Merges the effect of slot updates into the turn. Returns the path of an invalid value to ask for again.
fn merge_applied(next: &mut StepOutcome, applied: ApplyOutcome) -> Option<String> {
    let ApplyOutcome { parts, noted, invalid, changed } = applied;
    next.understood |= changed || !parts.is_empty();
    next.changed |= changed;
    if !noted.is_empty() {
        next.parts.push(SystemAct::Noted(noted));
    }
    next.parts.extend(parts);
    invalid
}

/// Handles a message without any interpretation: it is treated as an invalid answer to the open question
/// where the field rejects it.
fn handle_not_understood(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, message: &str) {
    let Some(asked) = state.asked.clone() else {
        next.parts.push(SystemAct::NotUnderstood);
        return;
    };
    let field = form.field_at(&asked).filter(|field| !matches!(field.kind, FieldType::Array(_)));
    let is_short = message.split_whitespace().nth(MAX_ANSWER).is_none();
    let problem = field.filter(|_| is_short).and_then(|field| read_answer(field, &message.into()).err());
    match problem {
        Some(problem) => next.parts.push(SystemAct::Invalid { path: asked.clone(), problem }),
        None => next.parts.push(SystemAct::NotUnderstood),
    }
    count_failed_try(form, state, next, &asked);
}

/// Asks again after an invalid answer.
fn bad_answer(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, path: String) {
    // An invalid list entry is asked for as the next item of the list.
    let asked = state
        .asked
        .as_deref()
        .filter(|asked| pointer::list_of_next_item(asked) == Some(&path))
        .map(str::to_owned);
    let path = asked.unwrap_or(path);
    if count_failed_try(form, state, next, &path) {
        next.ask = Some(path);
    }
}

/// Selects the next question.
fn choose_next_question(
    form: &FormSchema,
    state: &mut FormState,
    mut next: StepOutcome,
    (phase, whole): (Phase, &FormSchema),
    has: &impl Fn(ActType) -> bool,
) -> Vec<SystemAct> {
    if !next.understood && !next.changed && has(ActType::Courtesy) {
        next.parts.push(SystemAct::Courtesy);
    }
    if next.ends {
        return next.parts;
    }
    let stays = state.asked.clone().filter(|_| !next.changed && phase == Phase::Filling);
    let wanted = next.ask.take().or(stays).filter(|path| pointer::applies(form, &state.values, path));
    if let Some(path) = wanted {
        state.phase = Phase::Filling;
        let part = question_act(form, state, &path);
        set_asked(state, path);
        next.parts.push(part);
        return next.parts;
    }
    match questions::next_question(form, state) {
        Some(question) => {
            state.phase = Phase::Filling;
            let part = act_for_question(&question, question.status(state));
            set_asked(state, question.path);
            next.parts.push(part);
        }
        None if ask_about_rule(form, whole, state, &mut next) => {}
        None => {
            let again = phase == Phase::Confirming && !next.changed;
            state.phase = Phase::Confirming;
            state.asked = None;
            state.tries = 0;
            next.parts.push(if again { SystemAct::AskConfirm } else { SystemAct::Summary });
        }
    }
    next.parts
}

/// Asks about a rule between fields that the values break; `false` when there is none.
fn ask_about_rule(
    form: &FormSchema,
    whole: &FormSchema,
    state: &mut FormState,
    next: &mut StepOutcome,
) -> bool {
    let Some((path, problem)) = next_broken_rule(form, whole, state) else { return false };
    state.phase = Phase::Filling;
    next.parts.push(SystemAct::BrokenRule { path: path.clone(), problem });
    next.parts.push(SystemAct::AskReplacement(path.clone()));
    set_asked(state, path);
    true
}

fn set_asked(state: &mut FormState, path: String) {
    if state.asked.as_deref() != Some(&path) {
        // The count belongs to the question asked last, also when an invalid answer led to it.
        let came_with_try = state.tries == 1 && state.asked.is_none();
        if !came_with_try {
            state.tries = state.tries.min(1);
        }
        state.asked = Some(path);
    }
}

/// The act that asks the open question. `None` while a confirmation is pending or nothing is asked.
#[must_use]
pub fn pending_question(form: &FormSchema, state: &FormState) -> Option<SystemAct> {
    let path = state.asked.as_deref().filter(|_| state.phase == Phase::Filling)?;
    Some(question_act(form, state, path))
}

/// The act that asks for a path out of turn.
fn question_act(form: &FormSchema, state: &FormState, path: &str) -> SystemAct {
    let found = questions::questions(form, &state.values).into_iter().find(|question| question.path == path);
    match found {
        Some(question) => match question.status(state) {
            QuestionStatus::Filled if !question.asks_next_item() => SystemAct::AskReplacement(question.path),
            standing => act_for_question(&question, standing),
        },
        None => match pointer::list_of_next_item(path) {
            Some(list) => SystemAct::AskNextItem(list.to_owned()),
            None => SystemAct::AskReplacement(path.to_owned()),
        },
    }
}

fn act_for_question(question: &Question<'_>, standing: QuestionStatus) -> SystemAct {
    match (pointer::list_of_next_item(&question.path), standing) {
        (Some(list), _) => SystemAct::AskNextItem(list.to_owned()),
        (None, QuestionStatus::Weak) => SystemAct::AskIfCorrect(question.path.clone()),
        (None, _) => SystemAct::Ask(question.path.clone()),
    }
}
