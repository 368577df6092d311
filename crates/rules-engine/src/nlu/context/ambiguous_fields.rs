//! Disambiguates fields with similar names: `phone1` and `phone2`, the sender's street and the recipient's.
//! The words that distinguish them decide which one a message names.

use std::collections::{HashMap, HashSet};

use language::stem::light_stem;

use crate::nlu::context::field_profile::FieldProfile;
use crate::nlu::tokens::message::{Message, any_lexicon};

/// Most ambiguous fields compared with one field.
const MAX_ALIKE: usize = 8;
/// Most positions examined for a field.
const MAX_PLACES: usize = 20;

/// For each field: the fields of the same slot type that share a word of its name, and where the message
/// names it.
#[derive(Debug)]
pub(crate) struct AmbiguousFields {
    pub(crate) alike: Vec<Vec<usize>>,
    /// Positions of words of the field's name and of its parent objects.
    pub(crate) words: Vec<Vec<usize>>,
    /// Positions of the field's number: for `phone2` the "2" in "phone 2", "phone2", or "second".
    pub(crate) numbers: Vec<Vec<usize>>,
    /// Positions of all numbers that belong to field names.
    named: HashSet<usize>,
}

impl AmbiguousFields {
    pub(crate) fn new(text: &Message<'_>, profiles: &[FieldProfile<'_>], own: &[Vec<usize>]) -> Self {
        let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, profile) in profiles.iter().enumerate() {
            for word in distinctive_words(profile) {
                by_word.entry(word).or_default().push(index);
            }
        }
        let twins_of = |(index, profile): (usize, &FieldProfile<'_>)| -> Vec<usize> {
            let sharing = distinctive_words(profile).filter_map(|word| by_word.get(word)).flatten();
            let mut twins: Vec<usize> = sharing
                .copied()
                .filter(|other| *other != index)
                .filter(|other| {
                    profiles.get(*other).is_some_and(|other| other.slot_type == profile.slot_type)
                })
                .take(MAX_ALIKE)
                .collect();
            twins.sort_unstable();
            twins.dedup();
            twins
        };
        let alike: Vec<Vec<usize>> = profiles.iter().enumerate().map(twins_of).collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, _, stem) in text.words() {
            places.entry(stem).or_default().push(at);
        }
        let words_of = |profile: &FieldProfile<'_>| -> Vec<usize> {
            let names =
                profile.name.iter().map(|word| light_stem(word)).chain(profile.parent_stems.iter().cloned());
            let found = names.filter_map(|word| places.get(word.as_str())).flatten();
            let mut found: Vec<usize> = found
                .copied()
                .filter(|at| !text.lexicon().list("break").has_word(text.folded(*at)))
                .take(MAX_PLACES)
                .collect();
            found.sort_unstable();
            found
        };
        let words = profiles.iter().map(words_of).collect();
        let no_places = Vec::new();
        let numbers: Vec<Vec<usize>> = profiles
            .iter()
            .enumerate()
            .map(|(index, profile)| number_places(text, profile, own.get(index).unwrap_or(&no_places)))
            .collect();
        let named = numbers.iter().flatten().copied().collect();
        Self { alike, words, numbers, named }
    }

    /// Whether the number at a word belongs to a field name.
    pub(crate) fn is_name_number(&self, at: usize) -> bool {
        self.named.contains(&at)
    }

    /// Whether the word is the number of this field.
    pub(crate) fn is_number(&self, index: usize, at: usize) -> bool {
        self.numbers.get(index).is_some_and(|places| places.contains(&at))
    }
}

/// Words of a name that make fields ambiguous; not "number" or "of".
fn distinctive_words<'p>(profile: &'p FieldProfile<'_>) -> impl Iterator<Item = &'p str> {
    let names = profile.name.iter().filter(|word| any_lexicon().list("twin_noun").has_word(word));
    profile.name_stems.iter().chain(names).map(String::as_str)
}

/// Positions of a field's number next to the words of its name.
fn number_places(text: &Message<'_>, profile: &FieldProfile<'_>, own: &[usize]) -> Vec<usize> {
    let Some(number) = profile.number else { return Vec::new() };
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let marked = |at: usize| text.lexicon().list("number_noun").has_word(text.folded(at));
    let is_digits = |at: usize| text.is_digits(at) && text.digits(at) == Some(number);
    let is_ordinal = |at: usize| {
        let said = text.ordinal_at(at, usize::MAX);
        said.is_some_and(|(_, said)| Some(said) == place)
    };
    let joined = |at: usize| {
        let digits = profile.name.iter().find_map(|word| text.folded(at).strip_prefix(word.as_str()));
        digits.is_some_and(|digits| digits.parse() == Ok(number))
    };
    let mut found = Vec::new();
    for at in own.iter().copied().take(MAX_PLACES) {
        let behind = at + 1 + usize::from(marked(at + 1));
        let before = (1..=2).filter_map(|n| at.checked_sub(n)).find(|at| is_ordinal(*at));
        found.extend(Some(at).filter(|at| joined(*at)));
        found.extend(Some(behind).filter(|at| is_digits(*at)));
        found.extend(before);
    }
    found
}
