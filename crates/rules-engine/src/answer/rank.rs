//! Ranks units by how well they answer a question: the terms in the unit itself, in the headings, the head of
//! the table and the sentences beside it, how close together they are, and whether the unit matches the
//! answer type.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::LazyLock;

use gen_core::text::{AnswerType, Hit, MAX_TERMS, Matcher, Query};
use language::Language;
use language::bm25::idf;
use language::token::words;

use super::answer_match::{is_number, match_answer_type};
use super::units::{Unit, UnitIndex, UnitKind};

// The weights here were set on the open paragraphs of `examples/talk_corpus`; none was measured alone.
/// Maximum units that are scored exactly: bounds the time.
const MAX_CLOSE: usize = 200;
/// Weights of a term that is not in the unit but near it.
const HEADING: f32 = 0.75;
const PARENT: f32 = 0.8;
const TABLE_HEAD: f32 = 0.8;
const BEFORE: f32 = 0.5;
const AFTER: f32 = 0.3;
const NAME: f32 = 0.5;
const ELSEWHERE: f32 = 0.2;
/// Factor of the weight of a term that no document has.
const MISSING: f32 = 1.0;
/// The same for a name or number, which has no synonyms.
const MISSING_NAME: f32 = 1.4;
/// The same for a term that says little, such as *high* in *how high*, or was carried over.
const MISSING_LIGHT: f32 = 0.3;
/// Weight of a term below which it says little.
const LIGHT: f32 = 0.5;
/// Weight of a term in the previous sentence, for a sentence that begins with a pronoun.
const ANAPHORA: f32 = 0.8;
/// Units before and after one that are its context.
const BESIDE: usize = 2;
/// Bonus if the question has the label of a line or the first cell of a row.
const LABEL: f32 = 0.2;

/// Signs and units that match a word.
const SIGNS: &[(&str, &str)] = &[
    ("°", "temperature"),
    ("%", "percent"),
    ("€", "price"),
    ("$", "price"),
    ("£", "price"),
    ("@", "email"),
    ("m²", "area"),
    (" kg", "weight"),
    ("km/h", "speed"),
];

/// Pronouns of all languages that refer to the previous sentence, in lower case.
static PRONOUNS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let locales = Language::all().filter_map(Language::locale);
    locales.flat_map(|locale| locale.questions.words("pronoun").iter()).collect()
});

/// The weight of each term in a unit or heading, 0 to 1.
pub(super) type TermScores = [f32; MAX_TERMS];

/// A unit with its scores.
#[derive(Clone, Debug)]
pub(super) struct RankedUnit {
    /// Index of the unit.
    pub(super) unit: usize,
    /// The score by which answers are ordered.
    pub(super) score: f32,
    /// The share of the question in the unit and its surroundings, 0 to 1.
    pub(super) coverage: f32,
    /// The share in the unit itself.
    pub(super) own: f32,
    /// The share in the heading above it.
    pub(super) heading: f32,
    /// Whether it matches the answer type, 0 to 1.
    pub(super) fit: f32,
    /// How close together the terms are, 0 to 1.
    pub(super) close: f32,
    /// The weight of each term in the unit itself.
    pub(super) term_scores: TermScores,
    /// The same with the units beside it in its block, the headings and the head of the table.
    pub(super) block_scores: TermScores,
}

/// The ranking of the documents' units for a question.
pub(super) struct Ranking {
    /// The best units first, at most 200.
    pub(super) best: Vec<RankedUnit>,
    /// The weight of each term.
    pub(super) weights: TermScores,
    /// Sum of `weights`.
    pub(super) total: f32,
    /// The number of units with each term.
    pub(super) found: [usize; MAX_TERMS],
}

/// The hits of all units, one after another.
struct UnitHits {
    hits: Vec<Hit>,
    ends: Vec<u32>,
    places: Vec<TermScores>,
    heads: Vec<TermScores>,
    names: Vec<TermScores>,
    everywhere: Vec<TermScores>,
    found: [usize; MAX_TERMS],
}

impl UnitHits {
    fn of_unit(&self, unit: usize) -> &[Hit] {
        let start = if unit == 0 { 0 } else { self.ends.get(unit - 1).copied().unwrap_or(0) };
        let end = self.ends.get(unit).copied().unwrap_or(start);
        self.hits.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// Ranks the units of the documents.
pub(super) fn rank(reading: &UnitIndex, query: &Query, wanted: AnswerType) -> Ranking {
    let hits = collect(reading, query);
    let (weights, total) = weigh(query, &hits, reading.units.len());
    let mut ranking = Ranking { best: Vec::new(), weights, total, found: hits.found };
    let mut heap: BinaryHeap<Reverse<(u32, Reverse<usize>)>> = BinaryHeap::new();
    for (at, unit) in reading.units.iter().enumerate().filter(|(_, unit)| unit.kind != UnitKind::Question) {
        let near = surroundings(reading, &hits, at, unit);
        let rough =
            share(&near, &weights, total) + 0.3 * share(&unit_scores(hits.of_unit(at)), &weights, total);
        // Positive floats order as their bits do.
        heap.push(Reverse((rough.to_bits(), Reverse(at))));
        if heap.len() > MAX_CLOSE {
            heap.pop();
        }
    }
    for Reverse((_, Reverse(at))) in heap {
        if let Some(unit) = reading.units.get(at) {
            ranking.best.push(score_unit(reading, &hits, query, wanted, (at, unit), (&weights, total)));
        }
    }
    ranking.best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.unit.cmp(&b.unit)));
    ranking
}

fn collect(reading: &UnitIndex, query: &Query) -> UnitHits {
    let mut matchers: HashMap<Language, Matcher<'_>> = HashMap::new();
    let mut hits = UnitHits {
        hits: Vec::new(),
        ends: Vec::with_capacity(reading.units.len()),
        places: Vec::with_capacity(reading.headings.len()),
        heads: Vec::with_capacity(reading.heads.len()),
        names: Vec::new(),
        everywhere: vec![[0.0; MAX_TERMS]; reading.sources.len()],
        found: [0; MAX_TERMS],
    };
    let mut has = |document: u32, text: &str| {
        let language =
            reading.sources.get(document as usize).map(|source| source.language).unwrap_or_default();
        let matcher = matchers.entry(language).or_insert_with(|| Matcher::new(query, language));
        let mut has: TermScores = [0.0; MAX_TERMS];
        for word in words(text) {
            raise(&mut has, matcher.hits(word.text), 1.0);
        }
        for (sign, meant) in SIGNS {
            if text.contains(*sign) {
                raise(&mut has, matcher.hits(meant), 1.0);
            }
        }
        has
    };
    for (document, source) in reading.sources.iter().enumerate() {
        hits.names.push(has(u32::try_from(document).unwrap_or(u32::MAX), &source.name));
    }
    for place in &reading.headings {
        let mut here = has(place.document, reading.slice(place.document, place.start, place.end));
        if let Some(parent) = hits.places.get(place.parent as usize) {
            lift(&mut here, parent, PARENT);
        }
        hits.places.push(here);
    }
    for head in &reading.heads {
        hits.heads.push(has(head.document, reading.slice(head.document, head.start, head.end)));
    }
    for unit in &reading.units {
        let here = has(unit.document, reading.text(unit));
        for (term, weight) in here.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            hits.hits.push(Hit { term: u8::try_from(term).unwrap_or(u8::MAX), weight: *weight });
            if let Some(found) = hits.found.get_mut(term) {
                *found += 1;
            }
        }
        if let Some(all) = hits.everywhere.get_mut(unit.document as usize) {
            lift(all, &here, 1.0);
        }
        hits.ends.push(u32::try_from(hits.hits.len()).unwrap_or(u32::MAX));
    }
    hits
}

/// The weight of each term: its own, lower if many units have it, higher if none has.
fn weigh(query: &Query, hits: &UnitHits, units: usize) -> (TermScores, f32) {
    let mut weights: TermScores = [0.0; MAX_TERMS];
    let rarest = idf(1, units.max(2) as u64);
    for ((weight, term), found) in weights.iter_mut().zip(&query.terms).zip(hits.found) {
        let rarity = if found == 0 {
            match term {
                term if term.name => MISSING_NAME,
                term if term.weight < LIGHT => MISSING_LIGHT,
                _ => MISSING,
            }
        } else {
            (0.4 + 0.6 * idf(found as u64, units as u64) / rarest).min(1.0)
        };
        *weight = term.weight * rarity;
    }
    let total = weights.iter().sum::<f32>().max(0.001);
    (weights, total)
}

fn raise(has: &mut TermScores, hits: &[Hit], factor: f32) {
    for hit in hits {
        if let Some(value) = has.get_mut(usize::from(hit.term)) {
            *value = value.max(hit.weight * factor);
        }
    }
}

fn lift(has: &mut TermScores, other: &TermScores, factor: f32) {
    for (value, other) in has.iter_mut().zip(other) {
        *value = value.max(other * factor);
    }
}

fn unit_scores(hits: &[Hit]) -> TermScores {
    let mut has = [0.0; MAX_TERMS];
    raise(&mut has, hits, 1.0);
    has
}

fn share(has: &TermScores, weights: &TermScores, total: f32) -> f32 {
    has.iter().zip(weights).map(|(has, weight)| has * weight).sum::<f32>() / total
}

/// The weight of each term in a unit and its surroundings.
fn surroundings(reading: &UnitIndex, hits: &UnitHits, at: usize, unit: &Unit) -> TermScores {
    let mut has = unit_scores(hits.of_unit(at));
    if let Some(place) = hits.places.get(unit.heading as usize) {
        lift(&mut has, place, HEADING);
    }
    if let Some(head) = hits.heads.get(unit.head as usize) {
        lift(&mut has, head, TABLE_HEAD);
    }
    let document = unit.document as usize;
    if let Some(name) = hits.names.get(document) {
        lift(&mut has, name, NAME);
    }
    if let Some(all) = hits.everywhere.get(document) {
        lift(&mut has, all, ELSEWHERE);
    }
    let beside = |other: Option<usize>| {
        other.filter(|other| {
            reading
                .units
                .get(*other)
                .is_some_and(|other| other.block == unit.block && other.kind != UnitKind::Row)
        })
    };
    if let Some(before) = beside(at.checked_sub(1)) {
        let points = begins_with_pronoun(reading.text(unit));
        raise(&mut has, hits.of_unit(before), if points { ANAPHORA } else { BEFORE });
    }
    if let Some(after) = beside(at.checked_add(1)) {
        raise(&mut has, hits.of_unit(after), AFTER);
    }
    has
}

/// The weight of each term in a unit, those beside it in its block, the headings above it and the head of its
/// table.
fn block_scores(reading: &UnitIndex, hits: &UnitHits, at: usize, unit: &Unit) -> TermScores {
    let mut has = unit_scores(hits.of_unit(at));
    for place in [hits.places.get(unit.heading as usize), hits.heads.get(unit.head as usize)] {
        place.into_iter().for_each(|place| lift(&mut has, place, 1.0));
    }
    for other in at.saturating_sub(BESIDE)..=at.saturating_add(BESIDE) {
        let same = |other: &&Unit| other.block == unit.block && other.kind != UnitKind::Row;
        if reading.units.get(other).filter(same).is_some() {
            raise(&mut has, hits.of_unit(other), 1.0);
        }
    }
    has
}

/// Whether a sentence refers to the previous one.
fn begins_with_pronoun(text: &str) -> bool {
    let first: String =
        text.chars().take_while(|c| c.is_alphabetic()).take(8).flat_map(char::to_lowercase).collect();
    PRONOUNS.contains(first.as_str())
}

/// Whether the question has all words of the label of a line, or of the first cell of a row.
fn is_labelled(query: &Query, language: Language, reading: &UnitIndex, unit: &Unit) -> bool {
    let text = reading.text(unit);
    let label = if unit.kind == UnitKind::Row {
        gen_core::text::cells(text)
            .into_iter()
            .find(|cell| cell.chars().any(char::is_alphabetic))
            .unwrap_or_default()
    } else {
        text.split_once([':', '：']).map_or("", |(label, _)| label)
    };
    let mut matcher = Matcher::new(query, language);
    let mut content = words(label)
        .filter(|word| !language::vocabulary::is_stop_word(language, &word.text.to_lowercase()))
        .take(6)
        .peekable();
    content.peek().is_some() && content.all(|word| matcher.hits(word.text).iter().any(|hit| hit.weight > 0.6))
}

fn score_unit(
    reading: &UnitIndex,
    hits: &UnitHits,
    query: &Query,
    wanted: AnswerType,
    (at, unit): (usize, &Unit),
    (weights, total): (&TermScores, f32),
) -> RankedUnit {
    let has = unit_scores(hits.of_unit(at));
    let near = surroundings(reading, hits, at, unit);
    let (mine, mut coverage) = (share(&has, weights, total), share(&near, weights, total));
    let heading = hits.places.get(unit.heading as usize).map_or(0.0, |place| share(place, weights, total));
    let text = if unit.kind == UnitKind::Row { reading.quote(unit) } else { reading.text(unit).to_owned() };
    let language =
        reading.sources.get(unit.document as usize).map(|source| source.language).unwrap_or_default();
    let mut fit = match_answer_type(wanted, &text);
    if wanted == AnswerType::Count && fit > 0.5 && !is_counted(query, language, &text) {
        fit = 0.55;
    }
    let (close, new) = nearness(query, language, &text);
    if !new || text.ends_with(',') && text.len() < 40 {
        coverage *= 0.3;
    }
    if is_labelled(query, language, reading, unit) {
        coverage = (coverage + LABEL).min(1.0);
    }
    let length = (text.chars().count() as f32 / 160.0).max(1.0).ln();
    let kind = if unit.kind == UnitKind::Title { 0.15 } else { 0.0 };
    // The share of the question and the fit count most; the rest decides between equals.
    let score = coverage + 0.3 * mine + 0.35 * fit + 0.15 * close * mine - 0.06 * length - kind;
    let around = block_scores(reading, hits, at, unit);
    RankedUnit {
        unit: at,
        score,
        coverage,
        own: mine,
        heading,
        fit,
        close,
        term_scores: has,
        block_scores: around,
    }
}

/// Whether a number is shortly before the counted noun.
fn is_counted(query: &Query, language: Language, text: &str) -> bool {
    let mut matcher = Matcher::new(query, language);
    let counted = query.terms.iter().position(|term| term.weight > 0.9).unwrap_or(0);
    let mut since = usize::MAX;
    for word in words(text) {
        since = if is_number(word.text) { 0 } else { since.saturating_add(1) };
        if since <= 4 && matcher.hits(word.text).iter().any(|hit| usize::from(hit.term) == counted) {
            return true;
        }
    }
    false
}

/// How close together the terms are, 0 to 1; and whether the text has any content beyond them.
fn nearness(query: &Query, language: Language, text: &str) -> (f32, bool) {
    let mut matcher = Matcher::new(query, language);
    let (mut first, mut last, mut terms) = (None, 0_usize, 0_usize);
    let mut seen = [false; MAX_TERMS];
    let mut new = false;
    for (at, word) in words(text).enumerate() {
        let hits = matcher.hits(word.text);
        if hits.is_empty() {
            new |= !language::vocabulary::is_stop_word(language, &word.text.to_lowercase());
            continue;
        }
        for hit in hits {
            if let Some(seen) = seen.get_mut(usize::from(hit.term)).filter(|seen| !**seen) {
                *seen = true;
                terms += 1;
                first.get_or_insert(at);
                last = at;
            }
        }
    }
    let span = first.map_or(1, |first| last - first + 1);
    (if terms < 2 { 0.5 } else { (terms as f32 / span as f32).min(1.0) }, new)
}
