//! Whether a passage supports a statement, by heuristics: which of its sentences say what the statement says.
//!
//! A statement is supported if: at most three sentences of the passage, with their headings, have enough of
//! its content words; each of its numbers and names is in a sentence with some of its other words; none of
//! these replaces another one of the sentence that it repeats; and the statement has the same polarity as the
//! sentences. A passage in another language than the statement is judged by numbers and names alone.

use std::ops::Range;

use language::Language;
use language::detect::detect;
use language::fold::fold;
use language::sentence::sentences;
use language::token::words;
use language::vocabulary::is_negation;

use super::facts::{Facts, names, numbers};
use super::substitution::has_substitution;
use crate::text::{Block, BlockKind, MAX_TERMS, Matcher, Query, blocks, is_separator};

/// Minimum share of a statement's content words in its support: more than half, so that a sentence on the
/// same topic is not enough. Set by judgement, not measured.
const LEAST: f32 = 0.6;
/// Minimum share of a statement's content words in a sentence for its numbers and names to count. A low
/// value: at 0.5, one percentage point more of the false statements is detected, and some points more of the
/// true paraphrases are rejected (`support_figures.rs`).
const LEAST_BESIDE: f32 = 0.3;
/// Maximum sentences that support one statement together. Chosen by hand; no measurement is recorded.
const MAX_SENTENCES: usize = 3;
/// Minimum share of the statement's words that a further sentence must add. Chosen by hand; no measurement is
/// recorded.
const LEAST_GAIN: f32 = 0.15;
/// Maximum units of a passage that are read. Bounds the time.
const MAX_UNITS: usize = 4_000;
/// Maximum length, relative to the statement, of a negated sentence that contradicts an affirmative
/// statement. Chosen by hand; no measurement is recorded.
const SAME_LENGTH: f32 = 1.6;

/// How well a passage supports a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Support {
    /// Whether it supports the statement.
    pub(super) supported: bool,
    /// The sentence with most of the statement, in bytes of the passage.
    pub(super) best: Range<usize>,
    /// The share of the statement's content words that the selected sentences have.
    pub(super) share: f32,
}

/// A sentence, list item or table row of a passage.
struct Unit {
    range: Range<usize>,
    /// The heading or the head of the table above it, in bytes.
    above: Option<Range<usize>>,
}

/// A passage prepared for checks of several statements.
pub(super) struct PassageText<'a> {
    text: &'a str,
    language: Language,
    units: Vec<Unit>,
    facts: Facts,
}

impl<'a> PassageText<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, language: detect(text), units: units(text), facts: Facts::from_text(text) }
    }

    /// Checks a statement; `None` if the statement or the passage has no words.
    pub(super) fn support(&self, statement: &str) -> Option<Support> {
        let own = detect(statement);
        let language = if own == Language::UNKNOWN { self.language } else { own };
        let query = Query::new(statement, language);
        let mut matcher = Matcher::new(&query, self.language);
        let has: Vec<[f32; MAX_TERMS]> =
            self.units.iter().map(|unit| unit_coverage(&mut matcher, self.text, unit)).collect();
        let chosen = select_units(&query, &has)?;
        let share = chosen.share;
        let best = self.units.get(*chosen.units.first()?)?.range.clone();
        let foreign = own != self.language && own != Language::UNKNOWN && self.language != Language::UNKNOWN;
        if foreign {
            let told = !numbers(statement).is_empty() || !names(statement, language).is_empty();
            return Some(Support {
                supported: told && self.facts.contain_all(statement, language),
                best,
                share,
            });
        }
        let texts: Vec<&str> = chosen.units.iter().filter_map(|at| self.text_above(*at)).collect();
        let supported = share >= LEAST
            && self.facts_of_units(&query, &has).contain_all(statement, language)
            && has_same_polarity(language, statement, &texts)
            && !texts
                .first()
                .is_some_and(|best| has_substitution(statement, best, self.language, &mut matcher));
        Some(Support { supported, best, share })
    }

    fn text_above(&self, unit: usize) -> Option<&'a str> {
        self.text.get(self.units.get(unit)?.range.clone())
    }

    /// The numbers and words of the units with enough of the terms, and of what is above them.
    fn facts_of_units(&self, query: &Query, has: &[[f32; MAX_TERMS]]) -> Facts {
        let mut near = String::new();
        for (unit, _) in self.units.iter().zip(has).filter(|(_, has)| share_of(query, has) >= LEAST_BESIDE) {
            for range in unit.above.iter().chain([&unit.range]) {
                near.push_str(self.text.get(range.clone()).unwrap_or_default());
                near.push('\n');
            }
        }
        Facts::from_text(&near)
    }
}

/// The sentences, list items and table rows of a passage.
fn units(passage: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut heading: Option<Range<usize>> = None;
    for Block { kind, start, end } in blocks(passage) {
        if units.len() >= MAX_UNITS {
            break;
        }
        let text = passage.get(start..end).unwrap_or_default();
        match kind {
            BlockKind::Heading(_) => {
                units.push(Unit { range: start..end, above: None });
                heading = Some(start..end);
            }
            BlockKind::Table => rows(start, text, heading.as_ref(), &mut units),
            BlockKind::Code => units.push(Unit { range: start..end, above: heading.clone() }),
            BlockKind::Paragraph | BlockKind::Item => {
                for (from, to) in sentences(text) {
                    units.push(Unit { range: start + from..start + to, above: heading.clone() });
                }
            }
        }
    }
    units
}

fn rows(start: usize, text: &str, heading: Option<&Range<usize>>, units: &mut Vec<Unit>) {
    let (mut at, mut head) = (start, None);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let range = at..at + line.trim_end().len();
        at += line.len();
        if is_separator(line) {
            continue;
        }
        if index == 0 {
            head = Some(range.clone());
        }
        units.push(Unit { range, above: head.clone().or_else(|| heading.cloned()) });
    }
}

/// The weight of each term in a unit. What is above the unit counts slightly less.
fn unit_coverage(matcher: &mut Matcher<'_>, passage: &str, unit: &Unit) -> [f32; MAX_TERMS] {
    // Chosen by hand; no measurement is recorded.
    const ABOVE: f32 = 0.9;
    let mut has = [0.0_f32; MAX_TERMS];
    let mut read = |range: &Range<usize>, factor: f32| {
        for word in words(passage.get(range.clone()).unwrap_or_default()) {
            for hit in matcher.hits(word.text) {
                if let Some(value) = has.get_mut(usize::from(hit.term)) {
                    *value = value.max(hit.weight * factor);
                }
            }
        }
    };
    read(&unit.range, 1.0);
    if let Some(above) = &unit.above {
        read(above, ABOVE);
    }
    has
}

/// The share of the statement's words, by weight.
fn share_of(query: &Query, has: &[f32; MAX_TERMS]) -> f32 {
    let total: f32 = query.terms.iter().map(|term| term.weight).sum();
    let had = query.terms.iter().zip(has).map(|(term, has)| term.weight * has).sum::<f32>();
    if total > 0.0 { had / total } else { 0.0 }
}

struct UnitSelection {
    /// The best first.
    units: Vec<usize>,
    share: f32,
}

/// Greedily selects the units that have most of the terms together.
fn select_units(query: &Query, has: &[[f32; MAX_TERMS]]) -> Option<UnitSelection> {
    let (mut units, mut all, mut reached) = (Vec::new(), [0.0_f32; MAX_TERMS], 0.0);
    while units.len() < MAX_SENTENCES {
        let joined = |has: &[f32; MAX_TERMS]| {
            let mut joined = all;
            joined.iter_mut().zip(has).for_each(|(all, has)| *all = all.max(*has));
            joined
        };
        let shares = has.iter().map(|has| share_of(query, &joined(has))).enumerate();
        // Of equal ones, the first.
        let best = shares.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, next)) = best.filter(|(_, next)| units.is_empty() || *next >= reached + LEAST_GAIN)
        else {
            break;
        };
        all = has.get(at).map_or(all, joined);
        reached = next;
        units.push(at);
    }
    (!units.is_empty()).then_some(UnitSelection { units, share: reached })
}

/// Whether a statement and its support, both in `language`, have the same polarity.
fn has_same_polarity(language: Language, statement: &str, support: &[&str]) -> bool {
    let denies = |text: &str| {
        words(text).any(|word| is_negation(language, &fold(word.text)) || word.text.ends_with("n't"))
            || text.contains("n't")
            || text.contains("n’t")
    };
    let length = |text: &str| words(text).count() as f32;
    let claimed = denies(statement);
    match support {
        [] => true,
        all if claimed => all.iter().any(|text| denies(text)),
        // In a long sentence, the negation may concern another part.
        [best, ..] => !denies(best) || length(best) > SAME_LENGTH * length(statement),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str = "# Harbour\n\nThe crane of berth 4 lifts 4,200 kg. It was built by Amara Nwosu in 1931. \
        The harbour does not open on Sundays.\n\n| Berth | Draught |\n|---|---|\n| 4 | 9.20 m |\n| 5 | 11 m |\n";

    fn support(statement: &str, passage: &str) -> Option<Support> {
        PassageText::new(passage).support(statement)
    }

    fn is_supported(statement: &str) -> bool {
        support(statement, PASSAGE).is_some_and(|support| support.supported)
    }

    #[test]
    fn what_the_passage_says_is_supported_and_nothing_else() {
        for (statement, expected) in [
            ("The crane of berth 4 lifts 4200 kg.", true),
            ("The crane lifts 4.200 kg", true),
            ("The crane of berth 4 lifts 4,300 kg.", false),
            ("In 1931 it was built by Amara Nwosu.", true),
            ("In 1931 it was built by Peter Nwosu.", false),
            ("The harbour does not open on Sundays.", true),
            ("The harbour opens on Sundays.", false),
            ("The crane does not lift 4200 kg.", false),
            ("The draught of berth 4 is 9.2 m.", true),
            ("The draught of berth 4 is 9.3 m.", false),
            ("It was built by Amara Nwosu in 4200.", false),
            ("Pigeons nest under the roof of the town hall.", false),
        ] {
            assert_eq!(is_supported(statement), expected, "{statement}: {:?}", support(statement, PASSAGE));
        }
    }

    #[test]
    fn the_sentence_that_bears_it_is_told() {
        let found = support("Nwosu built it in 1931", PASSAGE).unwrap();
        assert_eq!(&PASSAGE[found.best], "It was built by Amara Nwosu in 1931.");
        let found = support("Berth: 5, Draught: 11 m", PASSAGE).unwrap();
        assert_eq!(&PASSAGE[found.best], "| 5 | 11 m |");
    }

    #[test]
    fn a_passage_in_another_language_supports_by_numbers_and_names() {
        let german = "Der Kran an Liegeplatz 4 hebt 4.200 kg und wurde im Jahr 1931 von Amara Nwosu gebaut.";
        let is = |statement: &str| support(statement, german).is_some_and(|support| support.supported);
        assert!(is("It was built in 1931 by Amara Nwosu, and lifts 4,200 kg."));
        assert!(!is("It was built in 1932 by Amara Nwosu, and lifts 4,200 kg."));
    }

    #[test]
    fn empty_texts_do_no_harm() {
        assert_eq!(support("", ""), None);
        assert!(support("A crane.", "").is_none());
        assert!(support("", PASSAGE).is_none_or(|found| !found.supported));
    }
}
