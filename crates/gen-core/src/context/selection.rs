//! Selects the passages of the prompt.

use super::candidates::{Candidate, ContextMaterial, candidates};
use super::deduplication::remove_duplicates;
use super::relevance::score;
use super::{ContextItem, ContextOptions};
use crate::text::{estimate, is_question, prefix_of_tokens};

/// Minimum best score for passages to be compared with it: about half of the question's words, each once.
/// Chosen by hand; no measurement is recorded.
const LEAST_BEST: f64 = 0.25;
/// Minimum share of the best score. A passage below it has only the question's most frequent words. Chosen by
/// hand; no measurement is recorded.
const LEAST_SHARE: f64 = 0.2;
/// Minimum free tokens to try another passage. A sentence or two. Chosen by hand; no measurement is recorded.
const LEAST: usize = 40;

/// Selects the passages within a budget of `tokens`: all relevant ones if they fit, else the most relevant to
/// `query`. They are numbered in the order of the documents. The flag tells whether relevant passages were
/// left out, or all passages together exceed the budget.
#[must_use]
pub fn select_context(
    mut material: ContextMaterial,
    query: &str,
    tokens: usize,
    options: ContextOptions,
) -> (Vec<ContextItem>, bool) {
    remove_duplicates(&mut material);
    let mut candidates = candidates(material);
    score(&mut candidates, query);
    let whole: usize = candidates.iter().map(|candidate| candidate.tokens).sum();
    drop_irrelevant(&mut candidates, query, options.min_score);
    let all = candidates.len();
    let wanted = options.max_tokens.and_then(|tokens| usize::try_from(tokens).ok());
    let tokens = wanted.map_or(tokens, |wanted| wanted.min(tokens));
    let most = options.top_k.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let needed: usize = candidates.iter().map(|candidate| candidate.tokens).sum();
    let mut chosen: Vec<Candidate> = if needed <= tokens && all <= most {
        candidates
    } else {
        let order = order(&candidates, needed.div_ceil(tokens.max(1)));
        take_fitting(candidates, &order, tokens, most)
    };
    // A smaller `topK` was requested, which needs no warning.
    let left_out = chosen.len() < all.min(most) || whole > tokens;
    chosen.sort_by_key(|candidate| (candidate.source, candidate.at));
    let number = |(at, candidate): (usize, Candidate)| ContextItem { n: at + 1, ..candidate.item };
    (chosen.into_iter().enumerate().map(number).collect(), left_out)
}

/// Removes passages below the minimum score. For a question, also those that are irrelevant compared with the
/// best one. Without a question, as for a summary or translation, every part of a document may matter.
fn drop_irrelevant(candidates: &mut Vec<Candidate>, query: &str, least: Option<f64>) {
    if let Some(least) = least {
        candidates.retain(|candidate| candidate.item.score >= least);
    }
    let best = candidates.iter().map(|candidate| candidate.item.score).fold(0.0, f64::max);
    if best >= LEAST_BEST && is_question(query) {
        candidates.retain(|candidate| candidate.item.score >= best * LEAST_SHARE);
    }
}

/// The order in which passages are tried. Documents and knowledge bases alternate, as their scores cannot be
/// compared. Of passages with equal scores, every `stride`th goes first, so that they are spread over the
/// whole document.
fn order(candidates: &[Candidate], stride: usize) -> Vec<usize> {
    let stride = stride.max(1);
    let (mut own, mut bases): (Vec<usize>, Vec<usize>) = (0..candidates.len())
        .partition(|at| candidates.get(*at).is_some_and(|candidate| candidate.item.knowledge_id.is_none()));
    let key = |at: &usize| {
        candidates
            .get(*at)
            .map_or((0.0, 0, 0, 0), |one| (one.item.score, one.at % stride, one.at, one.source))
    };
    own.sort_by(|a, b| {
        let ((left, step, at, source), (right, other_step, other_at, other_source)) = (key(a), key(b));
        right.total_cmp(&left).then((step, at, source).cmp(&(other_step, other_at, other_source)))
    });
    bases.sort_by_key(|at| candidates.get(*at).map(|candidate| candidate.at));
    let mut order = Vec::with_capacity(candidates.len());
    let (mut own, mut bases) = (own.into_iter(), bases.into_iter());
    loop {
        let round = [own.next(), bases.next()];
        if round.iter().all(Option::is_none) {
            return order;
        }
        order.extend(round.into_iter().flatten());
    }
}

/// Takes candidates in `order` while they fit, at most `most`. If not even the first fits, it is truncated.
fn take_fitting(candidates: Vec<Candidate>, order: &[usize], tokens: usize, most: usize) -> Vec<Candidate> {
    let mut slots: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    let (mut chosen, mut room) = (Vec::new(), tokens);
    for at in order {
        if room < LEAST || chosen.len() == most {
            break;
        }
        let Some(mut candidate) = slots.get_mut(*at).and_then(Option::take) else { continue };
        if candidate.tokens > room {
            if !chosen.is_empty() {
                continue;
            }
            let head = prefix_of_tokens(
                &candidate.item.text,
                room.saturating_sub(candidate.tokens - estimate(&candidate.item.text)),
            );
            candidate.item.text = head.trim_end().to_owned();
            if candidate.item.text.is_empty() {
                continue;
            }
            candidate.tokens = room;
        }
        room -= candidate.tokens;
        chosen.push(candidate);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::candidates::token_cost;
    use super::*;
    use crate::{Passage, SourceDocument};

    fn document(id: &str, text: String) -> SourceDocument {
        SourceDocument::new(id, format!("Title {id}"), text)
    }

    fn sections(count: usize, special: usize) -> String {
        let mut text = String::new();
        for section in 0..count {
            text.push_str(&format!("# Part {section}\n\n"));
            text.push_str(&"Plain words about gardens and hedges and paths. ".repeat(25));
            if section == special {
                text.push_str("The lighthouse keeper earns 300 crowns.");
            }
            text.push_str("\n\n");
        }
        text
    }

    #[test]
    fn what_fits_is_kept_whole_and_in_order() {
        let material = ContextMaterial {
            documents: vec![document("a", "One.".into()), document("b", "Two.".into())],
            passages: vec![],
        };
        let (items, left_out) = select_context(material, "two", 1_000, ContextOptions::default());
        let shown: Vec<(usize, &str)> = items.iter().map(|item| (item.n, item.text.as_str())).collect();
        assert_eq!((shown, left_out), (vec![(1, "One."), (2, "Two.")], false));
        assert!(items[1].score > items[0].score);
    }

    #[test]
    fn the_relevant_passage_is_kept_wherever_it_stands() {
        for special in [0, 25, 39] {
            let material =
                ContextMaterial { documents: vec![document("a", sections(40, special))], passages: vec![] };
            let (items, left_out) = select_context(
                material,
                "How much does the lighthouse keeper earn?",
                1_500,
                ContextOptions::default(),
            );
            assert!(left_out && items.iter().any(|item| item.text.contains("300 crowns")), "{special}");
            assert!(items.iter().map(token_cost).sum::<usize>() <= 1_500);
            assert!(items.iter().enumerate().all(|(at, item)| item.n == at + 1));
        }
    }

    #[test]
    fn without_a_question_the_whole_document_is_seen() {
        let material = ContextMaterial { documents: vec![document("a", sections(40, 0))], passages: vec![] };
        let (items, _) = select_context(material, "Summarise", 3_000, ContextOptions::default());
        assert!(items.first().is_some_and(|item| item.text.contains("# Part 0\n")));
        assert!(items.iter().any(|item| item.text.contains("# Part 3")), "{items:?}");
    }

    #[test]
    fn knowledge_and_documents_share_the_room() {
        let passage = |n: usize| Passage {
            knowledge_id: Some("kb".into()),
            id: format!("item{n}"),
            title: "Base".into(),
            sha256: None,
            page: Some(3),
            score: 1.0 / (n as f64 + 1.0),
            text: format!("Hedges {n} are cut in March. ").repeat(40),
            stretches: Vec::new(),
        };
        let material = ContextMaterial {
            documents: vec![document("a", sections(40, 7))],
            passages: (0..20).map(passage).collect(),
        };
        let (items, _) = select_context(material, "lighthouse keeper", 2_000, ContextOptions::default());
        assert!(items.iter().any(|item| item.knowledge_id.is_none() && item.text.contains("300 crowns")));
        assert!(items.iter().any(|item| item.id == "item0" && item.page == Some(3)));
    }

    #[test]
    fn a_passage_that_is_too_long_is_cut() {
        let material =
            ContextMaterial { documents: vec![document("a", "word ".repeat(580))], passages: vec![] };
        let (items, left_out) = select_context(material, "word", 100, ContextOptions::default());
        assert!(left_out && items.len() == 1 && token_cost(&items[0]) <= 101, "{items:?}");
    }
}
