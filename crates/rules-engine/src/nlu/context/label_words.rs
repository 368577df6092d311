//! Fields that a message names by a label of another language than English: "Rechnungsnummer" for `invoice_number`. Labels
//! are read as those of documents are.

use std::ops::Range;

use forms_core::labels::{FieldWords, is_label};
use language::Language;
use language::label::is_filler;
use language::vocabulary::is_stop_word;

use crate::nlu::context::field_profile::FieldProfile;
use crate::nlu::tokens::message::Message;

/// Most words of a label.
const MAX_WORDS: usize = 5;
/// The fit from which a label names a field, as where the values of a model are validated.
const MIN_FIT: f32 = 0.75;

/// For each field, the positions of the labels that name it; nothing for a message in English.
pub(crate) fn label_places(text: &Message<'_>, profiles: &[FieldProfile<'_>]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); profiles.len()];
    if text.languages().iter().eq([Language::ENGLISH]) {
        return places;
    }
    let mut fields: Vec<FieldWords> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(label) = label_at(text, at) else {
            at += 1;
            continue;
        };
        if fields.is_empty() {
            let words = |profile: &FieldProfile<'_>| {
                FieldWords::new(&profile.field.name, profile.field.description.as_deref().unwrap_or_default())
            };
            fields = profiles.iter().map(words).collect();
        }
        at = label.end;
        if let Some(places) = named_field(text.slice(&label), &fields).and_then(|field| places.get_mut(field))
        {
            places.extend(label);
        }
    }
    places
}

/// The longest run of words of labels at a word; small words may be within it.
fn label_at(text: &Message<'_>, at: usize) -> Option<Range<usize>> {
    let is_small = |at: usize| {
        let word = text.folded(at);
        text.languages().iter().any(|language| is_stop_word(language, word))
    };
    let is_word = |at: usize| !is_small(at) && is_label(text.folded(at));
    let mut end = at;
    for next in (at..text.len()).take(MAX_WORDS) {
        if is_word(next) {
            end = next + 1;
        } else if end == at || !is_filler(text.folded(next)) {
            break;
        }
        if text.gap(next) != " " {
            break;
        }
    }
    (end > at).then_some(at..end)
}

/// The field that a label fits best; none where several fit as well.
fn named_field(label: &str, fields: &[FieldWords]) -> Option<usize> {
    let fits: Vec<f32> = fields.iter().map(|field| field.fit(label)).collect();
    let best = fits.iter().copied().fold(MIN_FIT, f32::max);
    let mut named = fits.iter().enumerate().filter(|(_, fit)| **fit >= best).map(|(field, _)| field);
    named.next().filter(|_| named.next().is_none())
}
