//! Parses yes-no questions: "whether the water is shut off", "is the pet vaccinated?".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::{DraftKind, Label};
use super::infer::strip_possessive;
use super::words::{Lexicon, Word, longest_at, text_from, words};

/// Most words of a name.
const MAX_WORDS: usize = 7;

/// The label of a yes-no question, without its subject.
pub(super) fn parse_question(text: &str, lexicon: Lexicon) -> Option<Label> {
    let bare = text.trim_end_matches('?').trim();
    let found = words(bare);
    let mut at = longest_at(&found, 0, lexicon.list("question_lead"));
    let whether = longest_at(&found, at, lexicon.list("whether"));
    let asking = found.get(at).is_some_and(|word| lexicon.has("question_verb", &word.plain))
        && found.len() > at + 2
        && (text.ends_with('?')
            || found.get(at).is_some_and(|word| lexicon.has("do", &word.plain))
            || found.get(at + 1).is_some_and(|word| lexicon.has("person_asked", &word.plain)));
    if whether == 0 && !asking {
        return None;
    }
    let shown = text_from(bare, &found, at).to_owned();
    at += whether;
    let rest = found.get(at..)?;
    let verb = if asking {
        Some(0)
    } else {
        rest.iter().position(|word| is_verb(&word.plain, lexicon)).filter(|place| *place <= 6)
    };
    let content = |words: &[Word]| -> Vec<String> {
        let kept = words.iter().filter(|word| !lexicon.has("article", &word.plain));
        kept.map(|word| bare.get(word.start..word.end).unwrap_or_default().to_owned()).collect()
    };
    let about = |words: &[Word]| {
        words.last().is_none_or(|word| lexicon.has("subject", strip_possessive(&word.plain, lexicon)))
    };
    let chosen: Vec<String> = match verb {
        _ if asking => {
            let mut rest = rest.get(1..)?;
            while rest.len() > 1
                && rest.first().is_some_and(|word| {
                    lexicon.has("article", &word.plain) || lexicon.has("subject", &word.plain)
                })
            {
                rest = rest.get(1..)?;
            }
            let verb = found.get(at).map(|word| word.plain.clone()).unwrap_or_default();
            let owned = lexicon.has("have", &verb)
                && !rest.first().is_some_and(|word| lexicon.has_ending("regular_past", &word.plain, 0));
            let parts = content(rest).into_iter();
            if owned { std::iter::once(verb).chain(parts).collect() } else { parts.collect() }
        }
        Some(verb) if about(rest.get(..verb)?) => {
            let tail = rest.get(verb..)?;
            let skip = usize::from(tail.len() > 1 && lexicon.has("do", &tail.first()?.plain));
            content(tail.get(skip..)?)
        }
        Some(verb) => {
            let mut parts = content(rest.get(..verb)?);
            let tail = rest.get(verb + 1..)?;
            let skip = tail.iter().take_while(|word| lexicon.has("be", &word.plain)).count();
            let has = lexicon.has("have", &rest.get(verb)?.plain) && skip == 0;
            parts.extend(lexicon.list("have").first().filter(|_| has).cloned());
            parts.extend(content(tail.get(skip..)?));
            parts
        }
        None => {
            let skip = rest
                .iter()
                .take_while(|word| lexicon.has("article", &word.plain) || lexicon.has("subject", &word.plain))
                .count();
            content(rest.get(skip.min(rest.len().saturating_sub(1))..)?)
        }
    };
    let kept: Vec<&str> = chosen.iter().map(String::as_str).take(MAX_WORDS).collect();
    let recommending = kept.len() > 1 && kept.last().is_some_and(|word| lexicon.has("us", word));
    let kept = if recommending { kept.get(..kept.len() - 1)?.join(" ") } else { kept.join(" ") };
    (!kept.is_empty()).then_some(Label { name: kept, shown, kind: Some(DraftKind::Boolean), unit: false })
}

pub(super) fn is_verb(word: &str, lexicon: Lexicon) -> bool {
    lexicon.has("question_verb", word) || lexicon.has("verb_form", word)
}
