//! The probability that a given unit answers a question: signals of the unit and the question, in a logistic
//! model. The weights are fitted on open questions; see `training`.

use gen_core::text::AnswerType;
use gen_core::text::{MAX_TERMS, Matcher, MissingParts, Query};
use language::Language;
use language::token::words;
use language::vocabulary::is_stop_word;

use super::answer_match::is_number;
use super::rank::{RankedUnit, Ranking, TermScores};
use super::units::UnitIndex;
use super::weights::{BIAS, LEAST, LEAST_WITHOUT_NAMES, SIGNALS, WEIGHTS};

pub(super) type Signals = [f32; SIGNALS];

/// Maximum distance, in words, of two words that are together. An article and an adjective may be between
/// them. Chosen by hand; no measurement is recorded.
const TOGETHER: usize = 3;

/// The probability that the unit has the answer, 0 to 1.
pub(super) fn probability(signals: &Signals) -> f32 {
    let sum: f32 = WEIGHTS.iter().zip(signals).map(|(weight, signal)| weight * signal).sum();
    1.0 / (1.0 + (-(BIAS + sum)).exp())
}

/// The minimum probability of an answer that is returned, for a question in `language`.
pub(super) fn least(language: Language) -> f32 {
    if language.locale().is_some_and(|locale| locale.capital_nouns) { LEAST_WITHOUT_NAMES } else { LEAST }
}

/// The answer type of a question, and what it lacks to be complete.
#[derive(Clone, Copy)]
pub(super) struct QuestionNeeds {
    pub(super) answer_type: AnswerType,
    pub(super) missing_parts: MissingParts,
}

/// The signals of the unit `best`. `accepted`: whether it reaches the minimum shares of the question.
pub(super) fn signals(
    reading: &UnitIndex,
    ranking: &Ranking,
    query: &Query,
    QuestionNeeds { answer_type: wanted, missing_parts: lacks }: QuestionNeeds,
    best: &RankedUnit,
    accepted: bool,
) -> Signals {
    let yes = |is: bool| f32::from(u8::from(is));
    let unit = reading.units.get(best.unit);
    let text = unit.map(|unit| reading.text(unit)).unwrap_or_default();
    let language = unit
        .and_then(|unit| reading.sources.get(unit.document as usize))
        .map(|source| source.language)
        .unwrap_or_default();
    let share = |has: &TermScores| weighted_share(query, ranking, has, |_| true).unwrap_or(0.0);
    let names = |has: &TermScores| {
        weighted_share(query, ranking, has, |at| query.terms.get(at).is_some_and(|t| t.name))
    };
    let around = share(&best.block_scores);
    let own_names = names(&best.term_scores);
    let around_names = names(&best.block_scores);
    let missing = |at: usize| {
        let weight = ranking.weights.get(at).copied().unwrap_or_default();
        weight * (1.0 - best.block_scores.get(at).copied().unwrap_or_default()) / ranking.total
    };
    let terms = query.terms.len();
    let worst = (0..terms).map(missing).fold(0.0, f32::max);
    let nowhere: f32 = (0..terms)
        .filter(|at| ranking.found.get(*at) == Some(&0))
        .filter_map(|at| ranking.weights.get(at))
        .sum();
    let digits = |at: &usize| query.terms.get(*at).is_some_and(|term| term.is_number());
    // 0.5 lies below all partial matches of `text::relevance`, 0.95 above them.
    let lost = (0..terms).filter(digits).any(|at| best.block_scores.get(at).is_none_or(|has| *has < 0.5));
    let exact =
        weighted_share(query, ranking, &best.term_scores.map(|has| yes(has > 0.95)), |_| true).unwrap_or(0.0);
    let block = |at: usize| reading.units.get(at).map(|unit| unit.block);
    let rival = ranking.best.iter().find(|other| block(other.unit) != block(best.unit));
    // Bounded, so that one rare term does not decide. Chosen by hand; no measurement is recorded.
    let margin = rival.map_or(1.0, |rival| best.score - rival.score).clamp(-0.5, 1.0);
    let rival_around = rival.map_or(0.0, |rival| share(&rival.block_scores));
    let TextFeatures { name, number, pairs } = text_features(query, language, text);
    let at_end = |at: Option<usize>| at.and_then(|at| best.block_scores.get(at)).copied().unwrap_or_default();
    let hard = wanted.has_form();
    let personal = matches!(wanted, AnswerType::Person | AnswerType::Place);
    let fresh = if hard {
        number
    } else if personal {
        name
    } else {
        name || number
    };
    let whole = own_names.unwrap_or(1.0);
    [
        best.coverage,
        best.own,
        around,
        best.fit,
        best.close,
        whole,
        around_names.unwrap_or(1.0),
        yes(own_names.is_some()),
        worst,
        nowhere / ranking.total,
        pairs,
        margin,
        yes(accepted),
        yes(hard),
        yes(personal),
        yes(matches!(wanted, AnswerType::Reason | AnswerType::Manner)),
        yes(fresh),
        exact,
        best.own * best.own,
        around * around,
        yes(lost),
        at_end(Some(0)),
        at_end(terms.checked_sub(1)),
        around - rival_around,
        around * around_names.unwrap_or(around),
        yes(hard) * best.fit,
        yes(lacks.noun),
        yes(lacks.object),
        yes(lacks.predicate),
        yes(lacks.clause),
        yes(lacks.verb),
    ]
}

/// The share of the chosen terms' weight that a unit has; `None` if no term is chosen.
fn weighted_share(
    query: &Query,
    ranking: &Ranking,
    has: &TermScores,
    chosen: impl Fn(usize) -> bool,
) -> Option<f32> {
    let (mut had, mut all) = (0.0, 0.0);
    for (at, (has, weight)) in has.iter().zip(&ranking.weights).enumerate().take(query.terms.len()) {
        if chosen(at) {
            had += has * weight;
            all += weight;
        }
    }
    (all > 0.0).then(|| had / all)
}

/// What a text has beyond the question.
struct TextFeatures {
    /// Whether it has a name that is not in the question.
    name: bool,
    /// Whether it has a number that is not in the question.
    number: bool,
    /// The share of the question's adjacent terms that are together in the text.
    pairs: f32,
}

fn text_features(query: &Query, language: Language, text: &str) -> TextFeatures {
    let mut matcher = Matcher::new(query, language);
    let mut places: [Option<usize>; MAX_TERMS] = [None; MAX_TERMS];
    let mut together = [false; MAX_TERMS];
    let (mut name, mut number) = (false, false);
    for (at, word) in words(text).enumerate() {
        let hits = matcher.hits(word.text);
        if hits.is_empty() {
            number |= is_number(word.text);
            let capital = word.text.starts_with(char::is_uppercase);
            name |= capital && at > 0 && !is_stop_word(language, &word.text.to_lowercase());
            continue;
        }
        for term in hits.iter().map(|hit| usize::from(hit.term)) {
            let beside = [term.checked_sub(1), term.checked_add(1)];
            for (step, other) in beside.into_iter().enumerate() {
                let Some(other) = other else { continue };
                let near = places.get(other).copied().flatten().is_some_and(|seen| at - seen <= TOGETHER);
                let pair = if step == 0 { other } else { term };
                if let Some(pair) = together.get_mut(pair).filter(|_| near) {
                    *pair = true;
                }
            }
            if let Some(place) = places.get_mut(term) {
                *place = Some(at);
            }
        }
    }
    let wanted = query.terms.len().saturating_sub(1);
    let found = together.iter().take(wanted).filter(|found| **found).count();
    TextFeatures { name, number, pairs: if wanted == 0 { 0.5 } else { found as f32 / wanted as f32 } }
}
