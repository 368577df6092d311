//! Summaries: the sentences most similar to all others (LexRank; Erkan and Radev, 2004), with a bonus for
//! those that begin a document or paragraph, selected without redundancy (maximal marginal relevance;
//! Carbonell and Goldstein, 1998).

use std::collections::HashMap;

use gen_core::text::Query;
use language::Language;
use language::bm25::idf;
use language::token::words;
use language::vocabulary::is_stop_word;

use super::units::{UnitIndex, UnitKind};

/// Maximum sentences that are compared with each other. They are compared pairwise, so it bounds the time.
const MAX_COMPARED: usize = 500;
/// Maximum bytes of all sentences of a summary. About 400 words. Chosen by hand; no measurement is recorded.
const MAX_LENGTH: usize = 2_400;
/// Letters of a word that distinguish it; a stemmer for every language. Chosen by hand; no measurement is
/// recorded.
const STEM: usize = 6;
/// The damping factor of LexRank, and its iterations. 0.85 is that of PageRank; after 25 iterations the rest
/// is 0.85²⁵, under 2 %.
const DAMPING: f32 = 0.85;
const ROUNDS: usize = 25;
/// Weight of centrality against novelty. Chosen by hand; no measurement is recorded.
const CENTRAL: f32 = 0.7;

// Added to the centrality of a sentence, which is 1 on average. Chosen by hand; no measurement is recorded.
/// Repetition is a cosine, 0 to 1, and would count too little beside centrality.
const REPETITION: f32 = 2.0;
/// The first sentence of a document, those of its first tenth, and the first of a paragraph.
const FIRST: f32 = 0.8;
const FIRST_TENTH: f32 = 0.3;
const OPENS: f32 = 0.25;
/// All words also in other sentences.
const COMMON: f32 = 0.2;
/// More content words than a sentence that is quoted well, and what that takes off.
const MAX_WORDS: usize = 40;
const LONG: f32 = 0.3;
/// The whole subject of the summary: more than all else together.
const FOCUS: f32 = 2.5;

/// A sentence as a sorted vector of word weights, of length 1.
type Vector = Vec<(u32, f32)>;

struct Candidate {
    unit: usize,
    vector: Vector,
    bonus: f32,
}

/// The units of a summary, in the order of the documents.
pub(super) fn choose(reading: &UnitIndex, focus: &str, wanted: Option<usize>) -> Vec<usize> {
    let mut candidates = candidates(reading, focus);
    let count = wanted.unwrap_or(match candidates.len() {
        // Sentences by the number of candidates. Chosen by hand; no measurement is recorded.
        0..=15 => 3,
        16..=60 => 4,
        _ => 5,
    });
    if candidates.len() > MAX_COMPARED {
        let mass = |candidate: &Candidate| candidate.bonus;
        candidates.sort_by(|a, b| mass(b).total_cmp(&mass(a)).then(a.unit.cmp(&b.unit)));
        candidates.truncate(MAX_COMPARED);
        candidates.sort_by_key(|candidate| candidate.unit);
    }
    let alike: Vec<Vec<f32>> = candidates
        .iter()
        .map(|a| candidates.iter().map(|b| cosine(&a.vector, &b.vector)).collect())
        .collect();
    let central = centralities(&alike);
    let mut chosen: Vec<usize> = Vec::new();
    let mut length = 0;
    while chosen.len() < count {
        let worth = |at: usize| {
            let again =
                chosen.iter().filter_map(|other| alike.get(at)?.get(*other)).copied().fold(0.0, f32::max);
            let own =
                central.get(at).copied().unwrap_or(0.0) + candidates.get(at).map_or(0.0, |one| one.bonus);
            CENTRAL * own - (1.0 - CENTRAL) * REPETITION * again
        };
        let open = (0..candidates.len()).filter(|at| !chosen.contains(at));
        let Some(best) = open.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a))) else { break };
        let bytes = candidates
            .get(best)
            .and_then(|one| reading.units.get(one.unit))
            .map_or(0, |unit| unit.end - unit.start);
        length += bytes as usize;
        if length > MAX_LENGTH && !chosen.is_empty() {
            break;
        }
        chosen.push(best);
    }
    let mut units: Vec<usize> =
        chosen.into_iter().filter_map(|at| candidates.get(at)).map(|one| one.unit).collect();
    units.sort_unstable();
    units
}

/// Sentences that may be in a summary; if there are none, all units.
fn candidates(reading: &UnitIndex, focus: &str) -> Vec<Candidate> {
    let mut terms: HashMap<String, u32> = HashMap::new();
    let mut found: Vec<u32> = Vec::new();
    let mut bags: Vec<(usize, Vec<u32>)> = Vec::new();
    for strict in [true, false] {
        for (at, unit) in reading.units.iter().enumerate() {
            let fits = match unit.kind {
                UnitKind::Sentence | UnitKind::Item => true,
                UnitKind::Row | UnitKind::Code | UnitKind::Title | UnitKind::Question => !strict,
            };
            let text = reading.text(unit);
            if !fits || text.ends_with([':', '：']) && strict {
                continue;
            }
            let language =
                reading.sources.get(unit.document as usize).map(|source| source.language).unwrap_or_default();
            let bag = word_bag(text, language, &mut terms, &mut found);
            // Fewer content words are seldom a sentence. Chosen by hand; no measurement is recorded.
            if bag.len() >= if strict { 4 } else { 1 } {
                bags.push((at, bag));
            }
        }
        if !bags.is_empty() {
            break;
        }
    }
    build_candidates(reading, focus, &bags, &found)
}

/// The distinct words of a text as numbers; also counts the texts with each word.
fn word_bag(
    text: &str,
    language: Language,
    terms: &mut HashMap<String, u32>,
    found: &mut Vec<u32>,
) -> Vec<u32> {
    let mut bag = Vec::new();
    for word in words(text) {
        let lower = word.text.to_lowercase();
        if is_stop_word(language, &lower) {
            continue;
        }
        let stem: String = lower.chars().take(STEM).collect();
        let next = u32::try_from(terms.len()).unwrap_or(u32::MAX);
        bag.push(*terms.entry(stem).or_insert(next));
    }
    bag.sort_unstable();
    bag.dedup();
    found.resize(terms.len(), 0);
    for term in &bag {
        if let Some(count) = found.get_mut(*term as usize) {
            *count += 1;
        }
    }
    bag
}

fn build_candidates(
    reading: &UnitIndex,
    focus: &str,
    bags: &[(usize, Vec<u32>)],
    found: &[u32],
) -> Vec<Candidate> {
    let rarity: Vec<f32> = found.iter().map(|count| idf(u64::from(*count), bags.len() as u64)).collect();
    let near = focus_scores(reading, focus, bags);
    let mut per_document: HashMap<u32, (usize, usize)> = HashMap::new();
    for (at, _) in bags {
        if let Some(unit) = reading.units.get(*at) {
            per_document.entry(unit.document).or_default().1 += 1;
        }
    }
    let mut block = u32::MAX;
    let mut candidates = Vec::with_capacity(bags.len().min(MAX_COMPARED * 4));
    for ((at, bag), near) in bags.iter().zip(near) {
        let Some(unit) = reading.units.get(*at) else { continue };
        let Some((seen, all)) = per_document.get_mut(&unit.document) else { continue };
        let first = if *seen == 0 {
            FIRST
        } else if *seen * 10 < *all {
            FIRST_TENTH
        } else {
            0.0
        };
        *seen += 1;
        let opens = if unit.block == block { 0.0 } else { OPENS };
        block = unit.block;
        let mut vector: Vector =
            bag.iter().map(|term| (*term, rarity.get(*term as usize).copied().unwrap_or(1.0))).collect();
        let norm = vector.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt().max(f32::EPSILON);
        vector.iter_mut().for_each(|(_, weight)| *weight /= norm);
        // Sentences of common words are more likely central.
        let common =
            bag.iter().filter(|term| found.get(**term as usize).is_some_and(|count| *count > 1)).count();
        let mass = COMMON * (common as f32 / bag.len().max(1) as f32);
        let long = if bag.len() > MAX_WORDS { -LONG } else { 0.0 };
        candidates.push(Candidate { unit: *at, vector, bonus: first + opens + mass + long + FOCUS * near });
    }
    candidates
}

/// How much each text has of the subject of the summary.
fn focus_scores(reading: &UnitIndex, focus: &str, bags: &[(usize, Vec<u32>)]) -> Vec<f32> {
    let query = Query::new(focus, language::detect::detect(focus));
    if query.is_empty() {
        return vec![0.0; bags.len()];
    }
    let ranking = super::rank::rank(reading, &query, gen_core::text::AnswerType::Any);
    let near: HashMap<usize, f32> =
        ranking.best.iter().map(|ranked| (ranked.unit, ranked.coverage)).collect();
    bags.iter().map(|(at, _)| near.get(at).copied().unwrap_or(0.0)).collect()
}

fn cosine(a: &Vector, b: &Vector) -> f32 {
    let (mut left, mut right, mut sum) = (a.iter().peekable(), b.iter().peekable(), 0.0);
    while let (Some((one, x)), Some((two, y))) = (left.peek(), right.peek()) {
        match one.cmp(two) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                sum += x * y;
                left.next();
                right.next();
            }
        }
    }
    sum
}

/// The centrality of each sentence; 1 on average.
fn centralities(alike: &[Vec<f32>]) -> Vec<f32> {
    let count = alike.len();
    let sums: Vec<f32> = alike.iter().map(|row| row.iter().sum::<f32>().max(f32::EPSILON)).collect();
    let mut ranks = vec![1.0_f32; count];
    for _ in 0..ROUNDS {
        let mut next = vec![1.0 - DAMPING; count];
        for ((row, sum), rank) in alike.iter().zip(&sums).zip(&ranks) {
            for (value, like) in next.iter_mut().zip(row) {
                *value += DAMPING * rank * like / sum;
            }
        }
        ranks = next;
    }
    ranks
}
