//! Terms that hits must have and must not have, and the terms of prefixes.

use std::collections::BTreeSet;

use kb_core::{TermConstraint, TermPrefix};
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query, TermSetQuery};
use tantivy::{Searcher, TantivyError};

use super::live_index::LiveIndex;
use super::tokenizer::prefix;

/// Restricts a query to chunks that meet a constraint; the scores stay.
pub(super) fn constrain(
    live: &LiveIndex,
    base: i64,
    constraint: &TermConstraint,
    query: BooleanQuery,
) -> BooleanQuery {
    let prefix = prefix(base);
    let any_of = |terms: &[String]| -> Box<dyn Query> {
        let terms = TermSetQuery::new(terms.iter().map(|term| live.fields.term(&prefix, term)));
        Box::new(ConstScoreQuery::new(Box::new(terms), 0.0))
    };
    let mut clauses: Vec<(Occur, Box<dyn Query>)> =
        constraint.required.iter().map(|terms| (Occur::Must, any_of(terms))).collect();
    if !constraint.excluded.is_empty() {
        clauses.push((Occur::MustNot, any_of(&constraint.excluded)));
    }
    if clauses.is_empty() {
        return query;
    }
    clauses.push((Occur::Must, Box::new(query)));
    BooleanQuery::new(clauses)
}

/// The terms of a prefix in a base, without the base.
pub(super) fn prefix_terms(
    live: &LiveIndex,
    searcher: &Searcher,
    base: i64,
    wanted: &TermPrefix,
) -> Result<Vec<String>, TantivyError> {
    let of_base = prefix(base);
    let begun = format!("{of_base}{}", wanted.prefix);
    let mut terms: BTreeSet<String> = BTreeSet::new();
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(live.fields.words())?;
        let mut stream = index.terms().range().ge(&begun).into_stream()?;
        let mut left = TermPrefix::MAX_TERMS;
        while left > 0 && stream.advance() && stream.key().starts_with(begun.as_bytes()) {
            left -= 1;
            let term = stream.key().get(of_base.len()..).unwrap_or_default();
            terms.insert(String::from_utf8_lossy(term).into_owned());
        }
    }
    let first = terms.into_iter().take(TermPrefix::MAX_TERMS);
    Ok(first.chain(wanted.terms.iter().cloned()).collect::<BTreeSet<_>>().into_iter().collect())
}
