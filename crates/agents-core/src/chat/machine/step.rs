//! One move of the conversation: what a message says is done to the form, and what is said next is decided.

use forms_core::{FieldType, FormSchema, read_answer};

use super::acts;
use super::apply::{self, Applied};
use super::begin;
use super::part::Part;
use super::place;
use super::questions::{self, Question, Standing};
use crate::chat::{Act, Change, FormState, Mark, Phase, Reading};

/// How often a bad answer is asked for again before the question may be skipped.
pub(super) const MAX_TRIES: u8 = 3;

/// Words of a message that may have been meant as an answer.
const MAX_ANSWER: usize = 8;

/// A move in the making.
#[derive(Debug, Default)]
pub(super) struct Move {
    /// What is said, in order.
    pub(super) parts: Vec<Part>,
    /// What is asked next, where that is not the next open question.
    pub(super) ask: Option<String>,
    /// Whether anything in the message was understood.
    pub(super) understood: bool,
    /// Whether a value or its standing changed.
    pub(super) changed: bool,
    /// Whether the reply asks something of its own, so that no question follows.
    pub(super) ends: bool,
}

/// What a message is beside what was understood of it.
#[derive(Clone, Debug, Default)]
pub struct Occasion<'a> {
    /// Its words.
    pub message: &'a str,
    /// Whether nothing was said before.
    pub is_first: bool,
    /// Values that its documents filled in, as [`super::prefill`] answers them.
    pub prefilled: Vec<String>,
}

/// Does what a message says, and answers what is to be said.
pub fn step(
    form: &FormSchema,
    state: &mut FormState,
    reading: &Reading,
    occasion: Occasion<'_>,
) -> Vec<Part> {
    let mut next = Move::default();
    if occasion.is_first {
        next.parts.push(Part::Greeting);
        next.understood = true;
    }
    if !occasion.prefilled.is_empty() {
        next.parts.push(Part::Prefilled(occasion.prefilled));
        (next.understood, next.changed) = (true, true);
    }
    if reading.question.is_some() {
        next.parts.push(Part::Answer);
        next.understood = true;
    }
    // Whether a "no" was taken up as the answer to whether to stop.
    let mut resumed = false;
    let has = |act: Act| reading.acts.iter().any(|said| said.act == act);
    if has(Act::Restart) {
        begin::restart(form, state);
        next.parts.push(Part::Restarted);
        next.changed = true;
    } else {
        match state.phase {
            Phase::Submitted | Phase::Cancelled if !reopens(reading) => {
                return closed(state.phase, next, &has);
            }
            Phase::Submitted | Phase::Cancelled => state.phase = Phase::Filling,
            Phase::Cancelling => {
                if has(Act::Yes) || has(Act::Cancel) {
                    return cancelled(state, next);
                }
                state.phase = Phase::Filling;
                resumed = has(Act::No);
                (next.understood, next.changed) = (next.understood || resumed, resumed);
            }
            Phase::Filling | Phase::Confirming => {
                if has(Act::Cancel) {
                    return cancel(state, next);
                }
            }
        }
    }
    let phase = state.phase;
    let mut applied = apply::apply(form, state, &reading.statements);
    doubt(state, &reading.implied, &mut applied);
    let invalid = take_up(&mut next, applied);
    if !has(Act::Restart) && !resumed {
        acts::act(form, state, reading, &mut next);
    }
    if let Some(path) = invalid {
        bad_answer(form, state, &mut next, path);
    }
    if state.phase == Phase::Submitted {
        state.asked = None;
        return next.parts;
    }
    if !next.understood && !next.changed && !has(Act::Courtesy) {
        not_understood(form, state, &mut next, occasion.message);
    }
    go_on(form, state, next, phase, &has)
}

/// Whether a message takes up a conversation that had ended.
fn reopens(reading: &Reading) -> bool {
    let is_meant = reading.statements.iter().any(|said| said.is_meant || said.change != Change::Set);
    is_meant || reading.acts.iter().any(|said| matches!(said.act, Act::Change | Act::Back))
}

fn closed(phase: Phase, mut next: Move, has: &impl Fn(Act) -> bool) -> Vec<Part> {
    if has(Act::Review) {
        next.parts.push(Part::Review);
    } else if has(Act::Courtesy) && !next.understood {
        next.parts.push(Part::Courtesy);
    } else if !next.understood {
        next.parts.push(match phase {
            Phase::Submitted => Part::AlreadySubmitted,
            _ => Part::AlreadyCancelled,
        });
    }
    next.parts
}

fn cancel(state: &mut FormState, mut next: Move) -> Vec<Part> {
    if state.values.is_empty() {
        return cancelled(state, next);
    }
    state.phase = Phase::Cancelling;
    next.parts.push(Part::AskCancel);
    next.parts
}

fn cancelled(state: &mut FormState, mut next: Move) -> Vec<Part> {
    state.phase = Phase::Cancelled;
    state.asked = None;
    next.parts.push(Part::Cancelled);
    next.parts
}

/// Values that the message only implies are confirmed before they count as said.
fn doubt(state: &mut FormState, implied: &[String], applied: &mut Applied) {
    for path in implied {
        if applied.noted.contains(path) {
            applied.noted.retain(|noted| noted != path);
            state.marks.insert(path.clone(), Mark::Implied);
        }
    }
}

/// What came of the statements; the place of a value that must be asked for again.
fn take_up(next: &mut Move, applied: Applied) -> Option<String> {
    let Applied { parts, noted, invalid, changed } = applied;
    next.understood |= changed || !parts.is_empty();
    next.changed |= changed;
    if !noted.is_empty() {
        next.parts.push(Part::Noted(noted));
    }
    next.parts.extend(parts);
    invalid
}

/// A message that says nothing known is a bad answer to what was asked for, where that takes no such text.
fn not_understood(form: &FormSchema, state: &mut FormState, next: &mut Move, message: &str) {
    let Some(asked) = state.asked.clone() else {
        next.parts.push(Part::NotUnderstood);
        return;
    };
    let field = place::field(form, &asked).filter(|field| !matches!(field.kind, FieldType::Array(_)));
    let is_short = message.split_whitespace().nth(MAX_ANSWER).is_none();
    let problem = field.filter(|_| is_short).and_then(|field| read_answer(field, &message.into()).err());
    match problem {
        Some(problem) => next.parts.push(Part::Invalid { path: asked.clone(), problem }),
        None => next.parts.push(Part::NotUnderstood),
    }
    try_again(form, state, next, &asked);
}

/// A bad answer is asked for again; after some, the question may be skipped.
fn bad_answer(form: &FormSchema, state: &mut FormState, next: &mut Move, path: String) {
    // An entry of a list is asked for where the list is.
    let asked =
        state.asked.as_deref().filter(|asked| place::list_of(asked) == Some(&path)).map(str::to_owned);
    let path = asked.unwrap_or(path);
    if try_again(form, state, next, &path) {
        next.ask = Some(path);
    }
}

/// Counts an answer that was no use. After some the question may be skipped, and with the next one it is left open, so
/// that none is asked for ever. Answers whether it is asked again.
pub(super) fn try_again(form: &FormSchema, state: &mut FormState, next: &mut Move, path: &str) -> bool {
    let is_same = state.asked.as_deref() == Some(path);
    state.tries = if is_same { state.tries.saturating_add(1) } else { 1 };
    if state.tries > MAX_TRIES + 1 {
        acts::leave(form, state, next, Some(path), Mark::Skipped);
        state.tries = 0;
        return false;
    }
    if state.tries > MAX_TRIES {
        next.parts.push(Part::OfferSkip(path.to_owned()));
    }
    true
}

/// Decides what is asked next.
fn go_on(
    form: &FormSchema,
    state: &mut FormState,
    mut next: Move,
    phase: Phase,
    has: &impl Fn(Act) -> bool,
) -> Vec<Part> {
    if !next.understood && !next.changed && has(Act::Courtesy) {
        next.parts.push(Part::Courtesy);
    }
    if next.ends {
        return next.parts;
    }
    let stays = state.asked.clone().filter(|_| !next.changed && phase == Phase::Filling);
    let wanted = next.ask.take().or(stays).filter(|path| place::applies(form, &state.values, path));
    if let Some(path) = wanted {
        state.phase = Phase::Filling;
        let part = asking(form, state, &path);
        ask(state, path);
        next.parts.push(part);
        return next.parts;
    }
    match questions::next(form, state) {
        Some(question) => {
            state.phase = Phase::Filling;
            let part = part_of(&question, question.standing(state));
            ask(state, question.path);
            next.parts.push(part);
        }
        None => {
            let again = phase == Phase::Confirming && !next.changed;
            state.phase = Phase::Confirming;
            state.asked = None;
            state.tries = 0;
            next.parts.push(if again { Part::AskConfirm } else { Part::Summary });
        }
    }
    next.parts
}

fn ask(state: &mut FormState, path: String) {
    if state.asked.as_deref() != Some(&path) {
        // The count goes with what was last asked for, also when a bad answer leads there.
        let came_with_try = state.tries == 1 && state.asked.is_none();
        if !came_with_try {
            state.tries = state.tries.min(1);
        }
        state.asked = Some(path);
    }
}

/// How the value is asked for that the form waits for; none where it waits for a confirmation, or for nothing.
#[must_use]
pub fn asked(form: &FormSchema, state: &FormState) -> Option<Part> {
    let path = state.asked.as_deref().filter(|_| state.phase == Phase::Filling)?;
    Some(asking(form, state, path))
}

/// How a place is asked for that was chosen, and is not merely next.
fn asking(form: &FormSchema, state: &FormState, path: &str) -> Part {
    let found = questions::questions(form, &state.values).into_iter().find(|question| question.path == path);
    match found {
        Some(question) => match question.standing(state) {
            Standing::Filled if !question.is_more() => Part::AskAgain(question.path),
            standing => part_of(&question, standing),
        },
        None => match place::list_of(path) {
            Some(list) => Part::AskMore(list.to_owned()),
            None => Part::AskAgain(path.to_owned()),
        },
    }
}

fn part_of(question: &Question<'_>, standing: Standing) -> Part {
    match (place::list_of(&question.path), standing) {
        (Some(list), _) => Part::AskMore(list.to_owned()),
        (None, Standing::Weak) => Part::AskWeak(question.path.clone()),
        (None, _) => Part::Ask(question.path.clone()),
    }
}
