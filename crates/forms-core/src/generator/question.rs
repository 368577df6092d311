//! Parses yes-no questions: "whether the water is shut off", "is the pet vaccinated?".
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::draft::DraftKind;
use super::infer::strip_possessive;
use super::label::Label;
use super::language::Language;
use super::lexicon::ASKING;
use super::words::{Phrases, Word, longest_at, text_from, words};

/// Subjects that are not part of a question's name.
pub(super) static SUBJECTS: Phrases = Phrases::new(
    "they, he, she, it, you, we, i, there, patient, customer, applicant, user, guest, employee, \
    client, visitor, candidate, tenant, person, participant, member, donor, student, child, driver, \
    owner, buyer, attendee, volunteer, respondent, er, sie, es, kunde, patientin, bewerber, il, elle, \
    ils, elles, on, le, caller, claimant, worker, traveller, traveler, resident, player, subscriber, \
    this",
);
pub(super) static ARTICLES: Phrases = Phrases::new(
    "a, an, the, their, his, her, its, your, our, my, any, der, die, das, den, dem, ein, eine, einen, \
    le, les, une, los, las, votre, leur, leurs, su, sus, this, these, already, ever, also, currently",
);
/// Most words of a name.
const MAX_WORDS: usize = 7;

/// The label of a yes-no question, without its subject.
pub(super) fn parse_question(text: &str, language: Language) -> Option<Label> {
    let bare = text.trim_end_matches('?').trim();
    let found = words(bare);
    let mut at = longest_at(
        &found,
        0,
        &[
            "also",
            "and",
            "ask",
            "und",
            "et",
            "y",
            "finally",
            "a checkbox for",
            "checkbox for",
            "a flag for",
            "tell us",
            "say",
            "and tell us",
            "let us know",
        ],
    );
    let whether = longest_at(
        &found,
        at,
        &[
            "whether",
            "confirm that",
            "confirm",
            "confirmation that",
            "declare that",
            "whether or not",
            "if",
            "ob",
            "si",
            "indicate whether",
            "indication whether",
            "s'il",
            "an indication whether",
            "a flag whether",
            "say whether",
            "state whether",
            "note whether",
        ],
    );
    let asking = found.get(at).is_some_and(|word| ASKING.contains(&word.plain.as_str()))
        && found.len() > at + 2
        && (text.ends_with('?')
            || ["do", "does", "did"].contains(&found[at].plain.as_str())
            || found
                .get(at + 1)
                .is_some_and(|word| ["you", "they", "we", "he", "she"].contains(&word.plain.as_str())));
    if whether == 0 && !asking {
        return None;
    }
    let shown = text_from(bare, &found, at).to_owned();
    at += whether;
    let rest = found.get(at..)?;
    let verb = if asking {
        Some(0)
    } else {
        rest.iter().position(|word| is_verb(&word.plain)).filter(|place| *place <= 6)
    };
    let content = |words: &[Word]| -> Vec<String> {
        let kept = words.iter().filter(|word| !ARTICLES.contains(&word.plain.as_str()));
        kept.map(|word| bare.get(word.start..word.end).unwrap_or_default().to_owned()).collect()
    };
    let about =
        |words: &[Word]| words.last().is_none_or(|word| SUBJECTS.contains(&strip_possessive(&word.plain)));
    let chosen: Vec<String> = match verb {
        _ if asking => {
            let mut rest = rest.get(1..)?;
            while rest.len() > 1
                && rest.first().is_some_and(|word| {
                    ARTICLES.contains(&word.plain.as_str()) || SUBJECTS.contains(&word.plain.as_str())
                })
            {
                rest = rest.get(1..)?;
            }
            let verb = found.get(at).map(|word| word.plain.clone()).unwrap_or_default();
            let owned = ["has", "have", "had"].contains(&verb.as_str())
                && !rest.first().is_some_and(|word| word.plain.ends_with("ed"));
            let parts = content(rest).into_iter();
            if owned { std::iter::once(verb).chain(parts).collect() } else { parts.collect() }
        }
        Some(verb) if about(rest.get(..verb)?) => {
            let tail = rest.get(verb..)?;
            let skip = usize::from(
                ["would", "will", "can", "could", "should", "do", "does", "did", "may"]
                    .contains(&tail.first()?.plain.as_str())
                    && tail.len() > 1
                    && tail.first()?.plain.starts_with('d'),
            );
            content(tail.get(skip..)?)
        }
        Some(verb) => {
            let mut parts = content(rest.get(..verb)?);
            let tail = rest.get(verb + 1..)?;
            let skip =
                tail.iter().take_while(|word| ["been", "be", "being"].contains(&word.plain.as_str())).count();
            let has = ["has", "have", "had"].contains(&rest.get(verb)?.plain.as_str()) && skip == 0;
            parts.extend(has.then(|| "has".to_owned()));
            parts.extend(content(tail.get(skip..)?));
            parts
        }
        None => {
            let skip = rest
                .iter()
                .take_while(|word| {
                    ARTICLES.contains(&word.plain.as_str()) || SUBJECTS.contains(&word.plain.as_str())
                })
                .count();
            content(rest.get(skip.min(rest.len().saturating_sub(1))..)?)
        }
    };
    let kept: Vec<&str> = chosen.iter().map(String::as_str).take(MAX_WORDS).collect();
    let recommending = language == Language::English && kept.last() == Some(&"us");
    let kept = if recommending { kept.get(..kept.len() - 1)?.join(" ") } else { kept.join(" ") };
    (!kept.is_empty()).then_some(Label { name: kept, shown, kind: Some(DraftKind::Boolean), unit: false })
}

pub(super) fn is_verb(word: &str) -> bool {
    ASKING.contains(&word)
        || ["needs", "wants", "requires", "est", "sont", "a", "es", "esta", "tiene", "ont", "son"]
            .contains(&word)
}
