//! Derives a field's name from its label.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::infer::infer;
use super::question::is_verb;
use super::snake_case::fold;
use super::words::{Lexicon, Word, longest_at, words};

/// Most words of a name.
const MAX_WORDS: usize = 7;

/// The words of a label that form the name.
pub(super) fn field_name(text: &str, lexicon: Lexicon) -> String {
    let found = words(text);
    let plain: Vec<&str> = found.iter().map(|word| word.plain.as_str()).collect();
    let raw = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    let counted = longest_at(&found, 0, lexicon.list("how_many"));
    let skip = match plain.as_slice() {
        _ if counted > 0 => {
            kept.extend(lexicon.list("count_of").first().cloned());
            counted
        }
        [first, next, ..]
            if lexicon.has("which", first)
                && !is_verb(next, lexicon)
                && !lexicon.has("subject", next)
                && (plain.len() > 2 || !lexicon.has("what", first)) =>
        {
            1
        }
        [first, _, ..] if lexicon.has("first_person", first) => 1,
        _ => 0,
    };
    let starts = |key: &str| plain.first().is_some_and(|first| lexicon.has(key, first));
    // "Which apps do you use most" is about apps.
    let asked = starts("asked");
    let end = (2..plain.len()).find(|at| asked && lexicon.has("do", plain[*at]));
    let wh = starts("asked_name");
    // A language that names no articles keeps those of a name.
    let without_articles = lexicon.has_own("name_article");
    for word in found.iter().take(end.unwrap_or(found.len())).skip(skip) {
        // "Party A" ends with a letter, not with an article.
        let article = lexicon.has("name_article", &word.plain) && word.end < text.trim_end().len();
        let filler = wh && lexicon.has("name_filler", &word.plain);
        if (article && !kept.is_empty() && without_articles) || filler {
            continue;
        }
        let bare = raw(word);
        let owner = lexicon
            .list("possessive")
            .iter()
            .any(|ending| bare.ends_with(ending.as_str()))
            .then(|| bare.rsplit_once('\'').map_or(bare, |(owner, _)| owner));
        let bare = owner.unwrap_or(bare);
        let elided = lexicon.list("elided").iter().filter(|_| kept.is_empty()).find_map(|elided| {
            let head = bare.get(..elided.len())?;
            head.eq_ignore_ascii_case(elided).then(|| &bare[elided.len()..])
        });
        kept.push(elided.unwrap_or(bare).to_owned());
        if kept.len() >= MAX_WORDS {
            break;
        }
    }
    strip_trailing(&mut kept, lexicon);
    kept.join(" ")
}

/// Drops prepositions and the like from the end of a name.
fn strip_trailing(kept: &mut Vec<String>, lexicon: Lexicon) {
    while let [.., before, last] = kept.as_slice() {
        let (before, last) = (fold(before), fold(last));
        if last != "-" && !lexicon.has("trailing", &last) {
            return;
        }
        // "Approved by", "rennet added at".
        let past = lexicon.has_ending("past_ending", &before, 0);
        if lexicon.has("trailing_verb", &last) && (kept.len() == 2 || past) {
            return;
        }
        kept.pop();
    }
}

/// Whether a text looks like the name of a field. Next to other sentences, only names that are common in
/// forms count.
pub(super) fn is_field_like(text: &str, beside_others: bool, lexicon: Lexicon) -> bool {
    let found = words(text);
    let common = found.last().is_some_and(|word| lexicon.has("field", &word.plain));
    let talking = found.first().is_some_and(|word| lexicon.has("talk", &word.plain));
    let short = found.len() <= 4 && (common || !beside_others || (found.len() <= 3 && !talking));
    infer(&found, lexicon).kind != DraftKind::String || short
}
