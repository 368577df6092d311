//! Sums of money, and the fields that they are for.

use std::ops::Range;

use serde_json::{Value, json};

use super::numbers;
use super::profile::{Profile, Sense};
use super::scene::{Claim, Scene};
use super::text::Text;

/// A sum: its words, and the number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sum {
    pub(super) words: usize,
    pub(super) value: f64,
}

/// The sum at a place: `$100`, `100 €`, `1,470 bucks`.
pub(super) fn at(text: &Text<'_>, at: usize) -> Option<Sum> {
    let number = numbers::at(text, at)?;
    let before = text.before(at).trim_end().ends_with(['$', '€', '£', '¥']);
    let after = text.gap(at + number.words - 1).trim_start().starts_with(['$', '€', '£', '¥']);
    let word = text.lexicon().list("currency").at(text, at + number.words);
    (before || after || word > 0).then_some(Sum { words: number.words + word, value: number.value })
}

pub(super) fn claims(scene: &Scene<'_>, words: &Range<usize>, value: f64, claims: &mut Vec<Claim>) {
    if !scene.states(words.start) {
        return;
    }
    let around = scene.around(words.start);
    let verbs = scene.lexicon.list("money verb");
    let verb = around.clone().find_map(|at| verbs.key(&scene.text, at)).map(|(_, key)| key);
    let own = scene.of_sense(&[Sense::Money]).map(|(index, _)| scene.nearness(index, words)).max();
    for (index, profile) in scene.of_sense(&[Sense::Money, Sense::Number, Sense::Count]) {
        let near = scene.nearness(index, words);
        // "4 pieces, price $12.50": a field for money that is named goes before others.
        let is_of_money = profile.sense != Sense::Money && own.is_some_and(|own| own >= near.max(1));
        if profile.sense != Sense::Money && near < 3 && !profile.is_asked || is_of_money {
            continue;
        }
        let told = verb.is_some_and(|key| profile.own.iter().any(|own| own == key));
        let score = 3 + near + scene.standing(index, words.start) + 4 * i32::from(told)
            - scene.unsaid(index, words.start);
        if score >= 3 {
            claims.push(scene.claim(index, words.clone(), sum_value(scene, profile, words, value), score));
        }
    }
}

fn sum_value(scene: &Scene<'_>, profile: &Profile<'_>, words: &Range<usize>, value: f64) -> Value {
    if !profile.is_text() {
        return numbers::json(value);
    }
    let said = scene.text.slice(words);
    let sign = |gap: &str| gap.trim().chars().find(|c| matches!(c, '$' | '€' | '£' | '¥'));
    let last = words.end.saturating_sub(1);
    match (sign(scene.text.before(words.start)), sign(scene.text.gap(last))) {
        (Some(sign), _) => json!(format!("{sign}{said}")),
        (None, Some(sign)) => json!(format!("{said} {sign}")),
        (None, None) => json!(said),
    }
}
