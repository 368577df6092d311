//! Splits entries that share a word: "first and last name", "sender name and address".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::infer::{infer, strip_possessive};
use super::words::{Lexicon, Word, text_before, text_from, words};

/// In `first` and `last name` the noun is shared; in `sender name` and `address` the owner.
pub(super) fn split_shared(one: &str, other: &str, lexicon: Lexicon) -> Option<[String; 2]> {
    if one.contains(['(', ':', '"']) || other.contains([':', '"']) {
        return None;
    }
    if let Some(both) = split_compound(one, other, lexicon) {
        return Some(both);
    }
    let (left, right) = (words(one), words(other));
    let (last_left, first_right) = (left.last()?, right.first()?);
    let fore = |word: &Word| lexicon.has("shared_modifier", &word.plain);
    let known_name = infer(&right, lexicon).kind != DraftKind::String
        || right.last().is_some_and(|word| lexicon.has("field", &word.plain));
    if fore(last_left) && fore(first_right) && (2..=3).contains(&right.len()) && known_name {
        let before = text_before(one, &left, left.len() - 1);
        let noun = text_from(other, &right, 1);
        let first = format!("{one} {}", singular(noun, lexicon));
        return Some([first, format!("{before} {}", singular_last(other, lexicon)).trim().to_owned()]);
    }
    // "The seller's name and VAT number": both belong to the seller.
    let noun = left
        .len()
        .checked_sub(2)
        .and_then(|at| Some((at, left.get(at)?)))
        .filter(|(_, word)| strip_possessive(&word.plain, lexicon) != word.plain);
    if let Some((at, _)) = noun
        && at <= 1
        && lexicon.has("name_noun", &last_left.plain)
        && right.len() <= 3
        && right.last().is_some_and(|word| lexicon.has("owned_noun", &word.plain))
    {
        let whose = text_from(text_before(one, &left, left.len() - 1), &left, at);
        return Some([one.to_owned(), format!("{whose} {other}")]);
    }
    let whose = left.first().is_some_and(|word| !lexicon.has("name_modifier", &word.plain));
    if left.len() == 2
        && whose
        && lexicon.has("name_noun", &last_left.plain)
        && right.len() == 1
        && lexicon.has("owned_noun", &first_right.plain)
    {
        return Some([one.to_owned(), format!("{} {other}", text_before(one, &left, 1))]);
    }
    None
}

/// `Vor-` and `Nachname`: the first entry shares the tail of the German compound.
fn split_compound(one: &str, other: &str, lexicon: Lexicon) -> Option<[String; 2]> {
    let stem = one.strip_suffix('-').filter(|stem| !stem.is_empty())?;
    let (first, rest) = other.split_once(' ').unwrap_or((other, ""));
    let folded = first.to_lowercase();
    let tail = lexicon
        .list("compound_tail")
        .iter()
        .find(|tail| folded.len() > tail.len() && folded.ends_with(tail.as_str()))?;
    Some([format!("{stem}{tail} {rest}").trim().to_owned(), other.to_owned()])
}

fn singular(noun: &str, lexicon: Lexicon) -> &str {
    let bare = noun.strip_suffix("es").filter(|bare| bare.ends_with("ss")).or_else(|| noun.strip_suffix('s'));
    bare.filter(|_| lexicon.has("shared_plural", noun)).unwrap_or(noun)
}

fn singular_last(text: &str, lexicon: Lexicon) -> String {
    match text.rsplit_once(' ') {
        Some((before, last)) => format!("{before} {}", singular(last, lexicon)),
        None => singular(text, lexicon).to_owned(),
    }
}
