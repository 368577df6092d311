//! Selects candidates by score. No word fills two fields, and a field gets one value.

use std::collections::HashSet;
use std::ops::Range;

use crate::nlu::context::nlu_context::SlotCandidate;

/// Most candidates considered.
pub(crate) const MAX_CLAIMS: usize = 4_000;

/// The selected candidates, in the order of the message.
pub(crate) fn select_candidates(mut claims: Vec<SlotCandidate>) -> Vec<SlotCandidate> {
    claims.truncate(MAX_CLAIMS);
    // On equal scores, the first field in asking order gets the first value.
    claims.sort_by_key(|claim| (-claim.score, claim.profile, claim.words.start));
    let mut held: Vec<SlotCandidate> = Vec::new();
    let mut filled: HashSet<usize> = HashSet::new();
    for claim in &claims {
        let same = held.iter().position(|other| other.profile == claim.profile);
        let free = is_free(&held, &claim.words);
        match same {
            None if free => {
                filled.insert(claim.profile);
                held.push(claim.clone());
            }
            // A later value with about the same score replaces the earlier one.
            Some(at) => {
                let later = held.get(at).is_some_and(|other| {
                    claim.words.start >= other.words.end && claim.score + 3 >= other.score
                });
                let others: Vec<SlotCandidate> =
                    held.iter().filter(|other| other.profile != claim.profile).cloned().collect();
                if later
                    && !has_open_rival(&claims, &filled, claim)
                    && is_free(&others, &claim.words)
                    && let Some(other) = held.get_mut(at)
                {
                    *other = claim.clone();
                }
            }
            None => {}
        }
    }
    held.sort_by_key(|claim| claim.words.start);
    held
}

/// Whether an unfilled field has a candidate for the same words with about the same score: the second of two
/// addresses belongs to the second field.
fn has_open_rival(claims: &[SlotCandidate], filled: &HashSet<usize>, claim: &SlotCandidate) -> bool {
    claims.iter().any(|other| {
        other.profile != claim.profile
            && other.words == claim.words
            && other.score + 3 >= claim.score
            && !filled.contains(&other.profile)
    })
}

/// Whether no candidate overlaps the words.
pub(crate) fn is_free(claims: &[SlotCandidate], words: &Range<usize>) -> bool {
    !claims.iter().any(|claim| claim.words.start < words.end && words.start < claim.words.end)
}
