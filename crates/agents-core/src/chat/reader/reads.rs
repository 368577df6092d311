//! What some words say for a field that is known to be meant.

use std::ops::Range;

use serde_json::{Value, json};

use super::dates::Calendar;
use super::lexicon::lexicon;
use super::profile::{Profile, Sense};
use super::scene::Scene;
use super::text::{root, words_of};
use super::{choices, counts, numbers, times};

/// The value that words say for a field; `None` where they say none of its kind. Of a field for text the words as they
/// are.
pub(super) fn value(scene: &Scene<'_>, profile: &Profile<'_>, words: &Range<usize>) -> Option<Value> {
    let is_number = matches!(profile.sense, Sense::Count | Sense::Number | Sense::Money | Sense::Duration)
        && !profile.is_text();
    match profile.sense {
        Sense::Flag | Sense::List | Sense::Object => None,
        Sense::Choice => {
            let has = |word: &String| words.clone().any(|at| scene.text.root(at) == root(word));
            let fits = |option: &&String| !option.is_empty() && words_of(option).iter().all(has);
            Some(choices::option_value(profile, profile.field.options.iter().find(fits)?))
        }
        _ if profile.is_iso_date() => {
            let calendar = calendar(scene, profile);
            let date = words.clone().find_map(|at| calendar.at(&scene.text, at))?.date?;
            Some(json!(date.to_string()))
        }
        Sense::Time if profile.field.format.as_deref() == Some("time") => {
            let time = words.clone().find_map(|at| time(scene, at))?;
            Some(json!(times::clock_form(time.minutes)))
        }
        _ if is_number => {
            let mut found = words.clone().filter_map(|at| numbers::at(&scene.text, at));
            let number = found.next()?;
            Some(counts::value(scene, profile, number.value, words))
        }
        _ => Some(json!(scene.text.slice(words))).filter(|_| !words.is_empty()),
    }
}

/// The calendar in which a field's days are read.
pub(super) fn calendar(scene: &Scene<'_>, profile: &Profile<'_>) -> Calendar {
    // The words of the form may be of another language than the message.
    let speaks =
        |list: &str| profile.name.iter().chain(&profile.about).any(|word| lexicon().list(list).has(word));
    let (is_past, is_birth) = (speaks("past date"), speaks("birth"));
    Calendar { today: scene.heard.today, is_past, is_birth }
}

/// The time at a place, also where nothing but a number tells it.
pub(super) fn time(scene: &Scene<'_>, at: usize) -> Option<times::Time> {
    times::at(&scene.text, at).or_else(|| times::lone(&scene.text, at))
}
