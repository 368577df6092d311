//! What is known before a message is understood: its words and sentences, the fields, and where they are spoken of.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;

use super::ambiguous_fields::AmbiguousFields;
use super::clauses::{Sentence, SentenceMood, sentences};
use super::field_profile::{FieldProfile, SlotType, profiles};
use super::lexicon::{Lexicon, detect_language, lexicon};
use super::named_changes::NamedChange;
use super::text::Text;
use crate::chat::{Phase, SlotOperation, UserTurn};

/// Words times fields that are compared: a form of hundreds of fields hears the beginning of a long message.
const MAX_PAIRS: usize = 80_000;
/// Words that are read of any form.
const MIN_WORDS: usize = 100;

/// A message with all that is needed to understand it.
#[derive(Debug)]
pub(super) struct NluContext<'a> {
    pub(super) turn: UserTurn<'a>,
    pub(super) text: Text<'a>,
    pub(super) sentences: Vec<Sentence>,
    pub(super) profiles: Vec<FieldProfile<'a>>,
    /// For each field, the words of the message that are its own.
    pub(super) field_words: Vec<Vec<usize>>,
    /// The fields that are named alike.
    pub(super) ambiguous_fields: AmbiguousFields,
    /// The fields that are changed by their names, once they were looked for.
    pub(super) named_changes: OnceCell<Vec<NamedChange>>,
    pub(super) lexicon: &'static Lexicon,
    /// Whether nothing was said before this message.
    pub(super) is_opening: bool,
}

/// A value that a field may have got.
#[derive(Clone, Debug)]
pub(super) struct SlotCandidate {
    /// The field, by its place among the profiles.
    pub(super) profile: usize,
    /// The words that say it.
    pub(super) words: Range<usize>,
    pub(super) value: Value,
    /// How sure it is.
    pub(super) score: i32,
    pub(super) is_meant: bool,
    pub(super) change: SlotOperation,
}

impl<'a> NluContext<'a> {
    pub(super) fn new(heard: &UserTurn<'a>) -> Self {
        let mut text = Text::new(heard.message);
        text.language = detect_language(&text);
        let profiles = profiles(heard);
        // Each word is held against each field.
        text.words.truncate((MAX_PAIRS / profiles.len().max(1)).max(MIN_WORDS));
        let field_words = field_words(&text, &profiles);
        let sentences = sentences(&text);
        let ambiguous_fields = AmbiguousFields::new(&text, &profiles, &field_words);
        let is_opening = heard.recent.is_empty() && heard.phase == Phase::Filling;
        let named_changes = OnceCell::new();
        Self {
            turn: *heard,
            sentences,
            field_words,
            profiles,
            ambiguous_fields,
            named_changes,
            lexicon: text.lexicon(),
            text,
            is_opening,
        }
    }

    /// Number of words of the longest phrase of a list at a place.
    pub(super) fn list(&self, name: &str, at: usize) -> usize {
        self.lexicon.list(name).at(&self.text, at)
    }

    /// Whether the word at a place is one of a list.
    pub(super) fn is_in_list(&self, name: &str, at: usize) -> bool {
        self.lexicon.list(name).has(self.text.folded(at))
    }

    /// The sentence that a word stands in.
    pub(super) fn sentence(&self, at: usize) -> Option<&Sentence> {
        self.sentences.iter().find(|sentence| sentence.words.contains(&at))
    }

    /// The words of the sentence that a word stands in.
    pub(super) fn sentence_words(&self, at: usize) -> Range<usize> {
        self.sentence(at).map_or(at..at + 1, |sentence| sentence.words.clone())
    }

    /// Whether values are taken from the words at a place; a question states none, but for the first that is asked.
    pub(super) fn accepts_values_at(&self, at: usize) -> bool {
        match self.sentence(at).map(|sentence| sentence.mood) {
            Some(SentenceMood::Question) => self.is_opening && !self.is_about_assistant(at),
            _ => true,
        }
    }

    /// Whether the question at a place is about what "you" do, or whether something is so.
    fn is_about_assistant(&self, at: usize) -> bool {
        let range = self.sentence_words(at);
        let wh = range.clone().take(4).any(|at| self.list("interrogative", at) > 0);
        let us = range.clone().any(|at| matches!(self.text.folded(at), "you" | "your" | "u"));
        let supposes = range.clone().any(|at| self.list("hypothetical", at) > 0);
        !wh || us || supposes
    }

    /// Whether the words at a place only say what is: no question of any kind, and no request for knowledge.
    pub(super) fn asserts(&self, at: usize) -> bool {
        matches!(
            self.sentence(at).map(|sentence| sentence.mood),
            Some(SentenceMood::Statement | SentenceMood::Request)
        )
    }

    /// Whether the sentence of a word puts an earlier answer right.
    pub(super) fn corrects(&self, at: usize) -> bool {
        let range = self.sentence_words(at);
        let first = self.sentences.first().map_or(0, |sentence| sentence.words.start);
        let lead = range.start == first || range.start <= first + 3;
        let refused = lead && self.list("correction start", first) > 0 && range.end > range.start + 1;
        refused
            || self.lexicon.list("correction").find_within(&self.text, range).is_some()
            || lead && first < at && self.list("correction", first) > 0
    }

    /// How near one of the field's own words stands to some words: 4 next to them, 2 in their sentence, 0 nowhere.
    pub(super) fn nearness(&self, profile: usize, words: &Range<usize>) -> i32 {
        let around = self.sentence_words(words.start);
        let places = self.field_words.get(profile).map(Vec::as_slice).unwrap_or_default();
        let near = |place: usize| {
            let gap =
                if place < words.start { words.start - place } else { place.saturating_sub(words.end) + 1 };
            match () {
                () if words.contains(&place) || !around.contains(&place) => 0,
                () if gap <= 3 => 4,
                () if gap <= 6 => 3,
                () => 2,
            }
        };
        places.iter().map(|place| near(*place)).max().unwrap_or(0)
    }

    /// How many of the field's own words the sentence leaves out.
    pub(super) fn count_unsaid_words(&self, profile: usize, at: usize) -> i32 {
        let around = self.sentence_words(at);
        let places = self.field_words.get(profile).map(Vec::as_slice).unwrap_or_default();
        let Some(profile) = self.profiles.get(profile) else { return 0 };
        let said = |own: &&String| {
            let root = |place: &usize| self.lexicon.alike(self.text.stem(*place), own);
            places.iter().filter(|place| around.contains(place)).any(root)
        };
        i32::try_from(profile.name_stems.iter().filter(|own| !said(own)).count().min(3)).unwrap_or(0)
    }

    /// What being asked, open, or just given makes a field more likely to be meant.
    pub(super) fn prior_score(&self, index: usize, at: usize) -> i32 {
        let Some(profile) = self.profiles.get(index) else { return 0 };
        // What is said is the new value, unless the old one is spoken of.
        let about_old =
            |at: usize| matches!(self.text.folded(at), "current" | "old" | "existing" | "which" | "previous");
        let new = 4 * i32::from(profile.is_new && !self.sentence_words(at).any(about_old));
        if self.corrects(at) {
            return new
                + match (self.is_distinguished(index, at), profile.recency) {
                    // What is named is corrected, whenever it was given.
                    (Some(true), _) => 6,
                    (Some(false), _) => 0,
                    (None, Some(0)) => 5,
                    (None, Some(n)) => 4 - i32::try_from(n.min(3)).unwrap_or(3),
                    (None, None) if profile.is_asked => 2,
                    (None, None) => 0,
                };
        }
        new + 2 * i32::from(profile.is_asked) + i32::from(profile.is_open)
    }

    /// Whether the sentence of a word names this field by a word that other fields of its kind, given lately, have not;
    /// false where it names one of those, and `None` where it tells none of them apart.
    fn is_distinguished(&self, index: usize, at: usize) -> Option<bool> {
        let (around, sense) = (self.sentence_words(at), self.profiles.get(index)?.slot_type);
        let alike = || {
            let given = |(_, profile): &(usize, &FieldProfile<'_>)| {
                profile.slot_type == sense && profile.recency.is_some()
            };
            self.profiles.iter().enumerate().filter(given).map(|(other, _)| other)
        };
        let has =
            |index: usize, place: &usize| self.field_words.get(index).is_some_and(|own| own.contains(place));
        let is_named = |one: usize| {
            let own = self.field_words.get(one).map(Vec::as_slice).unwrap_or_default();
            own.iter()
                .filter(|place| around.contains(place))
                .any(|place| !alike().any(|other| other != one && has(other, place)))
        };
        if is_named(index) {
            return Some(true);
        }
        alike().any(|other| other != index && is_named(other)).then_some(false)
    }

    /// The fields of some senses.
    pub(super) fn fields_of_types<'s>(
        &'s self,
        wanted: &'s [SlotType],
    ) -> impl Iterator<Item = (usize, &'s FieldProfile<'a>)> + 's {
        self.profiles.iter().enumerate().filter(|(_, profile)| wanted.contains(&profile.slot_type))
    }

    /// The field that was asked for.
    pub(super) fn asked_field(&self) -> Option<(usize, &FieldProfile<'a>)> {
        self.profiles.iter().enumerate().find(|(_, profile)| profile.is_asked)
    }

    /// Whether some words are all that the message says.
    fn covers_message(&self, words: &Range<usize>) -> bool {
        let empty = |at: usize| {
            ["lead", "filler", "pronoun", "courtesy", "yes", "no"]
                .iter()
                .any(|list| self.is_in_list(list, at))
                || matches!(
                    self.text.folded(at),
                    "will" | "be" | "now" | "werden" | "sind" | "serons" | "seremos"
                )
        };
        (0..self.text.len()).all(|at| words.contains(&at) || empty(at))
    }

    /// A claim that sets a value; whether it is meant is told by the field's own words and the question asked.
    pub(super) fn make_candidate(
        &self,
        profile: usize,
        words: Range<usize>,
        value: Value,
        score: i32,
    ) -> SlotCandidate {
        let asked = self.profiles.get(profile).is_some_and(|profile| profile.is_asked);
        let is_meant = asked
            || self.nearness(profile, &words) >= 3
            || self.corrects(words.start)
            || self.turn.phase != Phase::Filling && self.covers_message(&words);
        SlotCandidate { profile, words, value, score, is_meant, change: SlotOperation::Set }
    }
}

/// For each field, where the message has its own words, or words like them.
fn field_words(text: &Text<'_>, profiles: &[FieldProfile<'_>]) -> Vec<Vec<usize>> {
    let mut by_root: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_group: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, word) in text.words.iter().enumerate() {
        by_root.entry(&word.stem).or_default().push(at);
        // "phone2" speaks of the phone.
        let base = word.folded.trim_end_matches(|c: char| c.is_ascii_digit());
        if base.len() < word.folded.len() && !base.is_empty() {
            by_root.entry(base).or_default().push(at);
        }
        for group in lexicon().groups(&word.stem) {
            by_group.entry(*group).or_default().push(at);
        }
    }
    let of = |profile: &FieldProfile<'_>| -> Vec<usize> {
        let mut places = Vec::new();
        // A field that is called "number" only has no synonyms: a phone is none.
        let is_bare = profile.slot_type == SlotType::Code
            && profile.name.iter().all(|word| lexicon().list("glue").has(word));
        for own in &profile.name_stems {
            places.extend(by_root.get(own.as_str()).into_iter().flatten());
            for group in lexicon().groups(own).iter().filter(|_| !is_bare) {
                places.extend(by_group.get(group).into_iter().flatten());
            }
        }
        places.sort_unstable();
        places.dedup();
        if is_bare {
            places.retain(|at| is_of_field(text, profile, *at));
        }
        places
    };
    profiles.iter().map(of).collect()
}

/// Whether a word that means little by itself, such as "number", speaks of the field: the word before it is of the field,
/// or means little too. "My phone number" is not the number of a note.
fn is_of_field(text: &Text<'_>, profile: &FieldProfile<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| text.gap(*before) == " ");
    before.is_none_or(|before| {
        lexicon().list("glue").has(text.folded(before)) || profile.has_stem(text.stem(before))
    })
}
