//! Searches: the query's words become terms of the base, weighted by the base's statistics.

use std::collections::HashMap;
use std::sync::Arc;

use kb_core::analysis::query_words;
use kb_core::{CHUNK_BM25, Found, IndexError, ItemSet, LexicalQuery};
use language::bm25::{Bm25, idf};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, ConstScoreQuery, EnableScoring, Occur, Query,
    TermQuery, TermSetQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TantivyError, Term};

use super::constraint::{constrain, prefix_terms};
use super::failure::to_index_error;
use super::live_index::{BaseStatistics, LiveIndex};
use super::search_threads::HelperThreads;
use super::segment_search::{SegmentQuery, SegmentSearch};
use super::tokenizer::prefix;

/// Maximum query words that are searched for; those with the highest weight are kept. Protects time.
const MAX_WORDS: usize = 64;
/// Maximum items for which a search of frequent words reads the postings of the items. Above, each hit's item
/// is checked instead. Chosen by hand; no measurement recorded.
const FEW_ITEMS: usize = 1024;
/// Occurrences up to which all chunks are scored. Above, blocks that cannot reach the best scores are
/// skipped. Chosen by hand; no measurement recorded.
const EXHAUSTIVE: u64 = 20_000;
/// The parameters that tantivy's scorer is built with. They are constants there.
const BUILT_IN: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

/// Finds the chunks of a query. Several threads read the segments when the words are frequent.
pub(super) fn search(
    live: &LiveIndex,
    query: &LexicalQuery,
    helpers: &HelperThreads,
) -> Result<Found, IndexError> {
    if query.limit == 0 || query.items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
        return Ok(Found::default());
    }
    let Some(reading) = plan_search(live, query).map_err(to_index_error)? else {
        return Ok(Found::default());
    };
    Arc::new(reading).search_all(helpers)
}

/// Plans the search; `None` when the base has none of the words.
fn plan_search(live: &LiveIndex, query: &LexicalQuery) -> Result<Option<SegmentSearch>, TantivyError> {
    let searcher = live.searcher();
    let statistics = live.statistics(&searcher, query.base)?;
    let plan = QueryPlan::of(live, &searcher, query, statistics)?;
    if plan.is_empty() {
        return Ok(None);
    }
    let scoring = EnableScoring::enabled_from_statistics_provider(&plan, &searcher);
    let weight = plan.weight(live, query, scoring)?;
    let items = query.items.as_ref().filter(|items| !plan.reads_items(items)).cloned();
    Ok(Some(SegmentSearch::new(SegmentQuery {
        searcher,
        weight,
        items,
        limit: query.limit,
        reachable: plan.reachable,
        pruned: plan.occurrences > EXHAUSTIVE,
    })))
}

/// A query word as index terms.
struct QueryTerms {
    terms: Vec<Term>,
    weight: f32,
}

/// The terms of a query and their statistics.
pub(super) struct QueryPlan {
    words: Vec<QueryTerms>,
    /// Document frequency of each term's word.
    doc_freqs: HashMap<Term, u64>,
    statistics: BaseStatistics,
    /// Occurrences of all terms.
    occurrences: u64,
    /// Upper bound of the score.
    reachable: f32,
}

impl QueryPlan {
    pub(super) fn of(
        live: &LiveIndex,
        searcher: &Searcher,
        query: &LexicalQuery,
        statistics: BaseStatistics,
    ) -> Result<Self, TantivyError> {
        let prefix = prefix(query.base);
        let mut plan =
            Self { words: Vec::new(), doc_freqs: HashMap::new(), statistics, occurrences: 0, reachable: 0.0 };
        let mut words = Vec::new();
        let mut add = |own: &[String], weight: f32, beside: bool| -> Result<(), TantivyError> {
            let mut terms = Vec::with_capacity(own.len());
            let mut having = 0;
            for term in own {
                let term = live.fields.term(&prefix, term);
                let count = searcher.doc_freq(&term)?;
                if count > 0 {
                    having += count;
                    terms.push(term);
                }
            }
            let having = having.min(statistics.chunks);
            if having > 0 || !beside {
                let full = weight * idf(having, statistics.chunks);
                words.push((full, having, QueryTerms { terms, weight }));
            }
            Ok(())
        };
        for word in query_words(&query.text, &query.languages) {
            add(&word.terms, word.weight, word.beside)?;
        }
        for begun in &query.constraint.prefixes {
            add(&prefix_terms(live, searcher, query.base, begun)?, 1.0, true)?;
        }
        words.sort_by(|a, b| b.0.total_cmp(&a.0));
        words.truncate(MAX_WORDS);
        for (full, having, word) in words {
            plan.reachable += full * (1.0 + BUILT_IN.k1);
            if having == 0 {
                continue;
            }
            plan.occurrences += having;
            plan.doc_freqs.extend(word.terms.iter().map(|term| (term.clone(), having)));
            plan.words.push(word);
        }
        Ok(plan)
    }

    /// Whether the base has none of the words.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether reading the items' postings costs less than checking the item of each hit.
    fn reads_items(&self, items: &ItemSet) -> bool {
        items.numbers().len() <= FEW_ITEMS && self.occurrences > EXHAUSTIVE
    }

    /// Matches any of the words, restricted to the wanted items when they are few.
    pub(super) fn weight(
        &self,
        live: &LiveIndex,
        query: &LexicalQuery,
        scoring: EnableScoring<'_>,
    ) -> Result<Box<dyn Weight>, TantivyError> {
        let any = self.words.iter().flat_map(|word| {
            word.terms.iter().map(|term| {
                let term = TermQuery::new(term.clone(), IndexRecordOption::WithFreqs);
                let boosted: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(term), word.weight));
                (Occur::Should, boosted)
            })
        });
        let any = BooleanQuery::new(any.collect());
        let mut wanted = constrain(live, query.base, &query.constraint, any);
        if let Some(items) = query.items.as_ref().filter(|items| self.reads_items(items)) {
            let items = TermSetQuery::new(items.numbers().iter().map(|item| live.fields.item(*item)));
            let items: Box<dyn Query> = Box::new(ConstScoreQuery::new(Box::new(items), 0.0));
            wanted = BooleanQuery::new(vec![(Occur::Must, items), (Occur::Must, Box::new(wanted))]);
        }
        wanted.weight(scoring)
    }
}

/// Makes tantivy's scorer weigh by the base, and by the parameters of [`CHUNK_BM25`]: with k1·(1-b) being equal in both,
/// another average length is all that it takes.
impl Bm25StatisticsProvider for QueryPlan {
    fn total_num_tokens(&self, _: Field) -> tantivy::Result<u64> {
        let Bm25 { k1, b } = CHUNK_BM25;
        let average = self.statistics.average * (BUILT_IN.k1 * BUILT_IN.b) / (k1 * b);
        Ok((f64::from(average.max(1.0)) * self.statistics.chunks as f64) as u64)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.statistics.chunks)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.doc_freqs.get(term).copied().unwrap_or(0))
    }
}
