//! Decides between fields with similar names by the words around a span.

use std::ops::Range;

use crate::nlu::context::ambiguous_fields::AmbiguousFields;
use crate::nlu::context::nlu_context::NluContext;

/// How strongly the surrounding words select this field among ambiguous ones: 3 for this field, -9 for
/// another one, 0 when they do not decide.
pub(crate) fn ambiguity_score(context: &NluContext<'_>, index: usize, words: &Range<usize>) -> i32 {
    let mut best = 0;
    let around = context.sentence_words(words.start);
    for twin in context.ambiguous_fields.alike.get(index).into_iter().flatten() {
        let own = distance(context, index, *twin, words, &around);
        match (own, distance(context, *twin, index, words, &around)) {
            (None, None) => {}
            (Some(own), Some(other)) if own <= other => best = best.max(3),
            (Some(_), None) => best = best.max(3),
            _ => return -9,
        }
    }
    best
}

/// Whether the message names an ambiguous field instead of this one.
pub(crate) fn names_other_field(context: &NluContext<'_>, index: usize, words: &Range<usize>) -> bool {
    ambiguity_score(context, index, words) < 0
}

/// Distance from a span to a word that names this field but not `twin`; `None` when the sentence has none.
fn distance(
    context: &NluContext<'_>,
    index: usize,
    twin: usize,
    words: &Range<usize>,
    around: &Range<usize>,
) -> Option<usize> {
    let AmbiguousFields { words: named, numbers, .. } = &context.ambiguous_fields;
    let (own, others) = (named.get(index)?, named.get(twin)?);
    let is_numbered = context.profiles.get(index)?.number != context.profiles.get(twin)?.number;
    let near = |at: &&usize| around.contains(*at);
    let alone = own.iter().filter(near).filter(|at| others.binary_search(at).is_err());
    let numbers = numbers.get(index)?.iter().filter(near).filter(|_| is_numbered);
    let far = |at: usize| if at < words.start { words.start - at } else { 4 + at.saturating_sub(words.end) };
    alone.chain(numbers).map(|at| far(*at)).min()
}
