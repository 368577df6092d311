//! Strips the words around an answer: "I think it's Leeds, please".

use std::ops::Range;

use crate::nlu::context::nlu_context::NluContext;

/// Strips lead-in and closing phrases from a clause.
pub(crate) fn strip_answer_frame(context: &NluContext<'_>, clause: &Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (clause.start, clause.end);
    while start < end {
        let lead = context
            .list("lead", start)
            .max(context.list("filler", start))
            .max(context.list("courtesy", start))
            .max(context.list("correction", start));
        if lead == 0 || start + lead > end {
            break;
        }
        // "The Hague", "In Bruges": a capitalised function word before a capitalised word may start a name.
        if context.text.is_capital(start)
            && context.text.is_capital(start + lead)
            && context.is_in_list("articles", start)
            && start + 1 < end
        {
            break;
        }
        start += lead;
    }
    while end > start {
        let tail = (1..=3.min(end - start)).rev().find(|n| {
            let at = end - n;
            context.list("filler", at) == *n || context.list("courtesy", at) == *n
        });
        let Some(tail) = tail else { break };
        end -= tail;
    }
    start..end
}
