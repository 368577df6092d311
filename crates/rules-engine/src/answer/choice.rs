//! From ranked units to an answer: whether there is one, and which units to quote.

use gen_core::text::AnswerType;
use gen_core::text::MAX_TERMS;

use super::rank::{RankedUnit, Ranking};
use super::units::{NONE, UnitIndex, UnitKind};

// Shares and scores are 0 to 1. Set on the open paragraphs of `examples/talk_corpus` (every second one); none
// was measured alone. Whether an answer is given is decided by the fitted model in `answerability`.
/// Minimum share of the question that an answer and its context must have.
const MIN_COVERAGE: f32 = 0.5;
/// Minimum share that the answer itself must have, unless its heading has it.
const MIN_OWN: f32 = 0.15;
/// Maximum weight of a term that says little or was carried over from an earlier question.
const LIGHT: f32 = 0.45;
/// How much the minimum share falls for each matched term beyond two.
const PER_TERM: f32 = 0.03;
/// Maximum terms that lower the minimum share.
const MAX_LENIENT: usize = 4;
/// Maximum sentences of an answer.
const MAX_SENTENCES: usize = 3;
/// Maximum items of a list that is quoted as a whole.
const MAX_ITEMS: usize = 12;
/// Maximum score difference to the best unit of another one that adds something.
const MAX_BEHIND: f32 = 0.2;
/// Minimum share of the question in a heading for its section to be the answer.
const MIN_HEADING: f32 = 0.62;

/// Score difference of units that are equally good.
const TIE: f32 = 0.02;
/// Minimum share of the question that a further sentence adds.
const MIN_ADDED: f32 = 0.15;
/// Added to the minimum share without a name or counted noun; taken off it where the answer has a form, as a
/// date has.
const DOUBT: f32 = 0.15;
const FORM: f32 = 0.05;
/// Fits below these are no name (0.4 in `answer_match`), or a number of something else (0.55 in `rank`).
const PERSON_FIT: f32 = 0.5;
const COUNT_FIT: f32 = 0.6;

/// The best unit, and whether it reaches the minimum shares of the question; else the first in rank.
pub(super) fn candidate<'a>(
    reading: &UnitIndex,
    ranking: &'a Ranking,
    wanted: AnswerType,
) -> Option<(&'a RankedUnit, bool)> {
    let accepted = ranking.best.iter().find(|ranked| is_answer(ranked, ranking, wanted));
    let says = |ranked: &&RankedUnit| {
        reading.units.get(ranked.unit).is_some_and(|unit| unit.kind != UnitKind::Title)
    };
    accepted.map(|best| (best, true)).or_else(|| ranking.best.iter().find(says).map(|best| (best, false)))
}

/// The units around the best one that form the answer, in the order to quote them.
pub(super) fn choose(
    reading: &UnitIndex,
    ranking: &Ranking,
    wanted: AnswerType,
    best: &RankedUnit,
) -> Vec<usize> {
    let accepted = |ranked: &&RankedUnit| is_answer(ranked, ranking, wanted);
    if let Some(section) = section(reading, best, wanted) {
        return section;
    }
    let mut chosen = vec![best];
    let mut has = best.term_scores;
    for other in ranking.best.iter().filter(accepted) {
        if chosen.len() >= MAX_SENTENCES || other.score < best.score - MAX_BEHIND {
            break;
        }
        let title = reading.units.get(other.unit).is_some_and(|unit| unit.kind == UnitKind::Title);
        if title || chosen.iter().any(|one| one.unit == other.unit) {
            continue;
        }
        let tied = other.score >= best.score - TIE && (other.own - best.own).abs() < TIE;
        if tied || added_share(&has, other, ranking) >= MIN_ADDED {
            chosen.push(other);
            for (value, more) in has.iter_mut().zip(other.term_scores) {
                *value = value.max(more);
            }
        }
    }
    let mut units: Vec<usize> = chosen.iter().map(|ranked| ranked.unit).collect();
    // A cause is often in the sentence after its effect.
    if wanted == AnswerType::Reason && best.fit < 1.0 && units.len() == 1 {
        let block = |at: usize| reading.units.get(at).map(|unit| unit.block);
        units.extend(best.unit.checked_add(1).filter(|next| block(*next) == block(best.unit)));
    }
    units
}

fn is_answer(ranked: &RankedUnit, ranking: &Ranking, wanted: AnswerType) -> bool {
    let hard = wanted.has_form();
    // Without a name, or with a number that may be of something else, more of the question is needed.
    let doubtful = wanted == AnswerType::Person && ranked.fit < PERSON_FIT
        || wanted == AnswerType::Count && ranked.fit < COUNT_FIT;
    let least = match (hard, doubtful) {
        (_, true) => MIN_COVERAGE + DOUBT,
        (true, false) => MIN_COVERAGE - FORM,
        (false, false) => MIN_COVERAGE,
    };
    // Many matched terms are stronger evidence than the same share of few.
    let there =
        ranked.term_scores.iter().zip(ranking.weights).filter(|(has, weight)| **has > 0.5 && *weight > LIGHT);
    let least = least - PER_TERM * there.count().saturating_sub(2).min(MAX_LENIENT) as f32;
    (!hard || ranked.fit > 0.5)
        && ranked.coverage >= least
        && (ranked.own >= MIN_OWN || ranked.heading >= MIN_HEADING)
}

/// The share of the question that a unit adds to `has`.
fn added_share(has: &[f32; MAX_TERMS], other: &RankedUnit, ranking: &Ranking) -> f32 {
    // Terms that say little, or were carried over, are no reason to quote more.
    let terms = has.iter().zip(other.term_scores).zip(ranking.weights).filter(|(_, weight)| *weight > LIGHT);
    terms.map(|((has, more), weight)| (more - has).max(0.0) * weight).sum::<f32>() / ranking.total
}

/// The section under a heading that asks the question, or the list that a sentence introduces.
fn section(reading: &UnitIndex, best: &RankedUnit, wanted: AnswerType) -> Option<Vec<usize>> {
    let unit = reading.units.get(best.unit)?;
    let leads = reading.text(unit).ends_with([':', '：']) || unit.kind == UnitKind::Title;
    let steps = wanted == AnswerType::Manner
        && reading.units.iter().any(|other| {
            other.heading == unit.heading && other.document == unit.document && other.kind == UnitKind::Item
        });
    let under = steps && unit.heading != NONE
        || may_want_list(wanted)
            && best.heading >= MIN_HEADING
            && best.own < best.heading
            && unit.heading != NONE;
    if !leads && !under {
        return None;
    }
    let mut first = best.unit;
    if under && !leads {
        while let Some(before) = first
            .checked_sub(1)
            .filter(|at| reading.units.get(*at).is_some_and(|other| other.heading == unit.heading))
        {
            first = before;
        }
    }
    let same = |at: &usize| {
        reading
            .units
            .get(*at)
            .is_some_and(|other| other.heading == unit.heading && other.document == unit.document)
    };
    let quotable = |at: &usize| {
        reading
            .units
            .get(*at)
            .is_some_and(|other| !matches!(other.kind, UnitKind::Title | UnitKind::Question))
    };
    let rest: Vec<usize> =
        (first..).take_while(same).filter(quotable).take(MAX_ITEMS + MAX_SENTENCES).collect();
    let listed = |at: &usize| {
        reading.units.get(*at).is_some_and(|other| matches!(other.kind, UnitKind::Item | UnitKind::Row))
    };
    let items = rest.iter().filter(|at| listed(at)).count();
    if items == 0 {
        let mut taken: Vec<usize> = rest.into_iter().take(MAX_SENTENCES).collect();
        // The best sentence is never left out.
        if !taken.contains(&best.unit) && unit.kind != UnitKind::Title {
            taken.truncate(MAX_SENTENCES - 1);
            taken.push(best.unit);
        }
        return Some(taken).filter(|taken| !taken.is_empty());
    }
    Some(rest.into_iter().take(MAX_ITEMS).collect())
}

/// Whether the answer may be a whole list or section.
fn may_want_list(wanted: AnswerType) -> bool {
    matches!(wanted, AnswerType::Any | AnswerType::Reason | AnswerType::Manner)
}
