//! The context of an interpretation: words, sentences, fields, and where the message mentions the fields.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use language::cue::Lexicon;
use serde_json::Value;

use crate::nlu::context::ambiguous_fields::AmbiguousFields;
use crate::nlu::context::field_profile::{FieldProfile, SlotType, profiles};
use crate::nlu::context::label_words::label_places;
use crate::nlu::tokens::message::Message;
use crate::nlu::tokens::message::any_lexicon;
use crate::nlu::tokens::message_language::detect_language;
use crate::nlu::tokens::sentences::{Sentence, SentenceMood, sentences};
use agents_core::chat::{Phase, SlotOperation, UserTurn};

/// Most word-field pairs compared. With hundreds of fields only the beginning of a long message is
/// interpreted.
const MAX_PAIRS: usize = 80_000;
/// Words interpreted with any number of fields.
const MIN_WORDS: usize = 100;

/// A message with the analysis that all candidate generators share.
#[derive(Debug)]
pub(crate) struct NluContext<'a> {
    pub(crate) turn: UserTurn<'a>,
    pub(crate) text: Message<'a>,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) profiles: Vec<FieldProfile<'a>>,
    /// For each field, the positions of words that mention it.
    pub(crate) field_words: Vec<Vec<usize>>,
    /// Those of them that are a label of the field in another language.
    label_places: Vec<Vec<usize>>,
    /// Fields with similar names.
    pub(crate) ambiguous_fields: AmbiguousFields,
    /// Fields changed by name, computed on first use.
    pub(crate) named_changes: OnceCell<Vec<NamedChange>>,
    pub(crate) lexicon: &'static Lexicon,
    /// Whether the dialogue has no values yet, so that this message opens it.
    pub(crate) is_opening: bool,
}

/// A candidate value of a field.
#[derive(Clone, Debug)]
pub(crate) struct SlotCandidate {
    /// Index of the field in [`NluContext::profiles`].
    pub(crate) profile: usize,
    /// The span of words that state the value.
    pub(crate) words: Range<usize>,
    pub(crate) value: Value,
    /// Score; the higher, the more reliable.
    pub(crate) score: i32,
    pub(crate) is_meant: bool,
    pub(crate) change: SlotOperation,
}

/// A field and the span of its new value.
#[derive(Clone, Debug)]
pub(crate) struct NamedChange {
    pub(crate) profile: usize,
    pub(crate) words: Range<usize>,
}

impl<'a> NluContext<'a> {
    pub(crate) fn new(turn: &UserTurn<'a>) -> Self {
        let text = Message::new(turn.message);
        let language = detect_language(&text, turn);
        let mut text = text.in_language(language, turn.language);
        let profiles = profiles(turn);
        // Every word is compared with every field.
        text.truncate((MAX_PAIRS / profiles.len().max(1)).max(MIN_WORDS));
        let label_places = label_places(&text, &profiles);
        let field_words = field_words(&text, &profiles, &label_places);
        let sentences = sentences(&text);
        let ambiguous_fields = AmbiguousFields::new(&text, &profiles, &field_words);
        let is_opening = turn.recent.is_empty() && turn.phase == Phase::Filling;
        let named_changes = OnceCell::new();
        Self {
            turn: *turn,
            sentences,
            field_words,
            label_places,
            profiles,
            ambiguous_fields,
            named_changes,
            lexicon: text.lexicon(),
            text,
            is_opening,
        }
    }

    /// Length in words of the longest phrase of a list that starts at a word; 0 for none.
    pub(crate) fn list(&self, name: &str, at: usize) -> usize {
        self.lexicon.list(name).length_at(&self.text, at)
    }

    /// Whether a word is in a list.
    pub(crate) fn is_in_list(&self, name: &str, at: usize) -> bool {
        self.lexicon.list(name).has_word(self.text.folded(at))
    }

    /// The sentence of a word.
    pub(crate) fn sentence(&self, at: usize) -> Option<&Sentence> {
        self.sentences.iter().find(|sentence| sentence.words.contains(&at))
    }

    /// The range of the sentence of a word.
    pub(crate) fn sentence_words(&self, at: usize) -> Range<usize> {
        self.sentence(at).map_or(at..at + 1, |sentence| sentence.words.clone())
    }

    /// Whether words at a position may state values. A question states none, except an opening question about
    /// the user's own request.
    pub(crate) fn accepts_values_at(&self, at: usize) -> bool {
        match self.sentence(at).map(|sentence| sentence.mood) {
            Some(SentenceMood::Question) => self.is_opening && !self.is_about_assistant(at),
            _ => true,
        }
    }

    /// Whether the question at a word is about the assistant, is a yes-no question, or is hypothetical.
    fn is_about_assistant(&self, at: usize) -> bool {
        let range = self.sentence_words(at);
        let wh = range.clone().take(4).any(|at| self.list("interrogative", at) > 0);
        let us = range.clone().any(|at| self.is_in_list("addressee", at));
        let supposes = range.clone().any(|at| self.list("hypothetical", at) > 0);
        !wh || us || supposes
    }

    /// Whether the sentence of a word is a statement or a request.
    pub(crate) fn asserts(&self, at: usize) -> bool {
        matches!(
            self.sentence(at).map(|sentence| sentence.mood),
            Some(SentenceMood::Statement | SentenceMood::Request)
        )
    }

    /// Whether the sentence of a word corrects an earlier answer.
    pub(crate) fn corrects(&self, at: usize) -> bool {
        let range = self.sentence_words(at);
        let first = self.sentences.first().map_or(0, |sentence| sentence.words.start);
        let lead = range.start == first || range.start <= first + 3;
        let refused = lead && self.list("correction_start", first) > 0 && range.end > range.start + 1;
        refused
            || self.lexicon.list("correction").within(&self.text, range).is_some()
            || lead && first < at && self.list("correction", first) > 0
    }

    /// Proximity of the field's words to a span: 4 within 3 words, 3 within 6, 2 in the same sentence, else
    /// 0.
    pub(crate) fn nearness(&self, profile: usize, words: &Range<usize>) -> i32 {
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

    /// Whether a word belongs to the label of another field.
    pub(crate) fn is_label_of_other(&self, profile: usize, at: usize) -> bool {
        self.label_places.iter().enumerate().any(|(other, places)| other != profile && places.contains(&at))
    }

    /// How many words of the field's name the sentence lacks, at most 3.
    pub(crate) fn count_unsaid_words(&self, profile: usize, at: usize) -> i32 {
        let around = self.sentence_words(at);
        let places = self.field_words.get(profile).map(Vec::as_slice).unwrap_or_default();
        if self.label_places.get(profile).is_some_and(|own| own.contains(&at)) {
            return 0;
        }
        let Some(profile) = self.profiles.get(profile) else { return 0 };
        let said = |own: &&String| {
            let root = |place: &usize| self.lexicon.are_alike(self.text.stem(*place), own);
            places.iter().filter(|place| around.contains(place)).any(root)
        };
        i32::try_from(profile.name_stems.iter().filter(|own| !said(own)).count().min(3)).unwrap_or(0)
    }

    /// Prior score of a field: higher when it was asked for, is open, or was filled recently.
    pub(crate) fn prior_score(&self, index: usize, at: usize) -> i32 {
        let Some(profile) = self.profiles.get(index) else { return 0 };
        // A stated value is the new one, unless the sentence mentions the old one.
        let about_old = |at: usize| self.is_in_list("old", at);
        let new = 4 * i32::from(profile.is_new && !self.sentence_words(at).any(about_old));
        if self.corrects(at) {
            return new
                + match (self.is_distinguished(index, at), profile.recency) {
                    // A named field is the corrected one, however long ago it was filled.
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

    /// Whether the sentence of a word names this field by a word that recently filled fields of its slot type
    /// do not share. `Some(false)` when it names one of those; `None` when it does not distinguish them.
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

    /// Fields of certain slot types, with their indexes.
    pub(crate) fn fields_of_types<'s>(
        &'s self,
        wanted: &'s [SlotType],
    ) -> impl Iterator<Item = (usize, &'s FieldProfile<'a>)> + 's {
        self.profiles.iter().enumerate().filter(|(_, profile)| wanted.contains(&profile.slot_type))
    }

    /// The field that was asked for, with its index.
    pub(crate) fn asked_field(&self) -> Option<(usize, &FieldProfile<'a>)> {
        self.profiles.iter().enumerate().find(|(_, profile)| profile.is_asked)
    }

    /// Whether a span covers everything that the message states.
    fn covers_message(&self, words: &Range<usize>) -> bool {
        let empty = |at: usize| {
            ["lead", "filler", "pronoun", "courtesy", "yes", "no"]
                .iter()
                .any(|list| self.is_in_list(list, at))
                || self.is_in_list("future_verb", at)
        };
        (0..self.text.len()).all(|at| words.contains(&at) || empty(at))
    }

    /// A candidate that sets a value. It is meant when the field was asked for or named, or the message
    /// corrects or only states it.
    pub(crate) fn make_candidate(
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

/// For each field, the positions of its words or their synonyms in the message.
fn field_words(
    text: &Message<'_>,
    profiles: &[FieldProfile<'_>],
    label_places: &[Vec<usize>],
) -> Vec<Vec<usize>> {
    let mut by_root: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_group: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, folded, stem) in text.words() {
        by_root.entry(stem).or_default().push(at);
        // "phone2" mentions the phone.
        let base = folded.trim_end_matches(|c: char| c.is_ascii_digit());
        if base.len() < folded.len() && !base.is_empty() {
            by_root.entry(base).or_default().push(at);
        }
        for group in any_lexicon().groups(stem) {
            by_group.entry(*group).or_default().push(at);
        }
    }
    let of = |(profile, labels): (&FieldProfile<'_>, &Vec<usize>)| -> Vec<usize> {
        let mut places = Vec::new();
        // A field named only "number" has no synonyms; a phone number is none.
        let is_bare = profile.slot_type == SlotType::Code
            && profile.name.iter().all(|word| any_lexicon().list("glue").has_word(word));
        for own in &profile.name_stems {
            places.extend(by_root.get(own.as_str()).into_iter().flatten());
            for group in any_lexicon().groups(own).iter().filter(|_| !is_bare) {
                places.extend(by_group.get(group).into_iter().flatten());
            }
        }
        if is_bare {
            places.retain(|at| is_of_field(text, profile, *at));
        }
        places.extend(labels);
        places.sort_unstable();
        places.dedup();
        places
    };
    profiles.iter().zip(label_places).map(of).collect()
}

/// Whether a generic word such as "number" mentions the field: the word before it belongs to the field or is
/// generic too. "My phone number" is not the number of a note.
fn is_of_field(text: &Message<'_>, profile: &FieldProfile<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| text.gap(*before) == " ");
    before.is_none_or(|before| {
        any_lexicon().list("glue").has_word(text.folded(before)) || profile.has_stem(text.stem(before))
    })
}
