//! What is written as on a form, "Name: Anna Maier", and answers that are a name or an address as a whole.

use serde_json::{Value, json};

use super::profile::{Profile, Sense, numbered};
use super::scene::{Claim, Scene};
use super::text::{root, words_of};

/// How sure a value is that stands behind the name of its field and a colon.
const SURE: i32 = 14;
/// Characters of a value.
const MAX_VALUE: usize = 2_000;
/// Words of an answer that is a name or an address.
const MAX_WORDS: usize = 20;

/// The values of lines such as "Name: Anna Maier".
pub(super) fn claims(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    let mut begin = 0;
    for line in scene.text.raw.split_inclusive('\n') {
        let start = begin;
        begin += line.len();
        let Some((label, value)) = line.split_once([':', '=']) else { continue };
        let said = value.trim();
        if said.is_empty() || said.len() > MAX_VALUE || said.starts_with("//") {
            continue;
        }
        let Some((index, profile)) = labelled(scene, label) else { continue };
        let at = start + label.len() + 1 + (value.len() - value.trim_start().len());
        let words = scene.text.words_in(&(at..at + said.len()));
        let takes = matches!(
            profile.sense,
            Sense::Person
                | Sense::Title
                | Sense::Text
                | Sense::Address
                | Sense::Class
                | Sense::Code
                | Sense::Place
        );
        if takes && !words.is_empty() {
            let claim = scene.claim(index, words, json!(said), SURE);
            claims.push(Claim { score: SURE, is_meant: true, ..claim });
        }
    }
}

/// The field whose name a label is, word for word.
fn labelled<'s, 'a>(scene: &'s Scene<'a>, label: &str) -> Option<(usize, &'s Profile<'a>)> {
    let articles =
        ["the", "my", "your", "our", "mein", "meine", "mon", "ma", "mi", "der", "die", "das", "el", "la"];
    let roots = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !articles.contains(&word.as_str())).map(|word| root(word)).collect()
    };
    let (said, number) = numbered(words_of(label));
    let said = roots(&said);
    let fits = |profile: &&(usize, &Profile<'a>)| {
        !said.is_empty() && roots(&profile.1.name) == said && profile.1.number == number
    };
    let all: Vec<_> = scene.profiles.iter().enumerate().collect();
    all.iter().find(fits).copied()
}

/// The message as a whole, where a name or an address was asked for and it is nothing else: "Müller, Anna",
/// "Bahnhofstr. 1, 10115 Berlin".
pub(super) fn whole(scene: &Scene<'_>, profile: &Profile<'_>) -> Option<Value> {
    let length = scene.text.len();
    let raw = scene.text.raw.trim();
    if length == 0 || length > MAX_WORDS || raw.ends_with(['?', '!']) {
        return None;
    }
    let words = 0..length;
    let digits = words.clone().any(|at| scene.text.plain(at).starts_with(|c: char| c.is_ascii_digit()));
    let particle = |at: usize| {
        matches!(
            scene.text.plain(at),
            "von"
                | "van"
                | "de"
                | "der"
                | "den"
                | "la"
                | "le"
                | "du"
                | "del"
                | "di"
                | "da"
                | "of"
                | "the"
                | "and"
                | "und"
                | "et"
                | "y"
                | "zu"
                | "bin"
                | "al"
                | "el"
                | "jr"
                | "sr"
        )
    };
    let everyday = |at: usize| {
        ["pronoun", "interrogative", "filler", "courtesy", "yes", "no", "correction"]
            .iter()
            .any(|list| scene.is(list, at))
    };
    match profile.sense {
        Sense::Person | Sense::Title => {
            let is_name = length <= 8
                && length > 1
                && !digits
                && words.clone().all(|at| scene.text.is_capital(at) || at > 0 && particle(at))
                && !words.clone().any(everyday)
                && !words.clone().any(|at| scene.is("weekday name", at) || scene.is("month name", at));
            is_name.then(|| json!(raw.trim_end_matches([',', ';'])))
        }
        Sense::Address => {
            let is_address = digits && length > 1 && !words.clone().any(everyday);
            let joined: Vec<&str> = raw
                .lines()
                .map(|line| line.trim().trim_end_matches(','))
                .filter(|line| !line.is_empty())
                .collect();
            is_address.then(|| json!(joined.join(", ")))
        }
        _ => None,
    }
}
