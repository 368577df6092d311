//! Which of several forms a document fills, by rules: how well the titles and fields of the forms are found in it.

mod classifier;
mod document_profile;
mod form_profile;
mod model;
mod quote;
mod settled_payment;
mod weights;

use document::Document;
use forms_core::labels::fit;

pub use classifier::{AskedModel, FormClassifier, MAX_MODEL_CALLS};
pub use form_profile::FormProfile;
pub use model::{ModelChoice, ask_model, combine, question_length};
pub use quote::Quote;

use document_profile::{DocumentProfile, LabelLine, TitleLine};
use form_profile::FieldProfile;
use weights::WEIGHTS;

// Chosen by hand; the learned weights depend on them.
/// Fit of a label from which it counts as that of a field.
const MIN_FIT: f32 = 0.5;
/// By how much less a label may fit a form than the best one, to be a label of both.
const MAX_LESS: f32 = 0.1;
/// Labels from which more say no more.
const MANY_LABELS: f64 = 8.0;
/// Share of the words of a form's title that a title must have.
const TITLE_SHARE: f64 = 0.6;
/// Quotes of one form at most.
const MAX_QUOTES: usize = 5;

/// Names of the signals, in the order of their weights.
pub const FORM_SIGNAL_NAMES: [&str; 8] = [
    "always",
    "a title of the document names the form or its kind",
    "the share of the form's fields whose labels are found",
    "the number of fields whose labels are found",
    "the declared title names the kind",
    "the share of the labels that are this form's rather than another's",
    "a payment was made, and the form asks how",
    "a payment was made, and the form asks when it is due",
];

/// Signals of one form, each 0 to 1.
pub type FormSignals = [f64; FORM_SIGNAL_NAMES.len()];

/// How well a document fits a form.
#[derive(Clone, Debug, PartialEq)]
pub struct FormMatch {
    /// The [`FormProfile::id`] of what was compared.
    pub form_id: String,
    /// The probability that the document fills it, 0 to 1.
    pub probability: f64,
    /// What in the document says so, titles first.
    pub evidence: Vec<Quote>,
}

/// The forms that a document may fill, the likeliest first. The probabilities and `none` add up to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Each form.
    pub forms: Vec<FormMatch>,
    /// The probability that the document fills none of them.
    pub none: f64,
}

impl Ranking {
    /// The likeliest form; `None` when it is likelier that the document fills none.
    #[must_use]
    pub fn best(&self) -> Option<&FormMatch> {
        self.forms.first().filter(|form| form.probability > self.none)
    }
}

/// Ranks forms by rules.
#[must_use]
pub fn rank(document: &Document, forms: &[FormProfile]) -> Ranking {
    let compared = compare_all(&DocumentProfile::of(document), forms);
    let scores: Vec<(f64, Vec<Quote>)> =
        compared.into_iter().map(|(signals, quotes)| (score(&signals), quotes)).collect();
    normalised(forms, scores)
}

/// The signals of each form, for learning the weights.
#[must_use]
pub fn observe(document: &Document, forms: &[FormProfile]) -> Vec<FormSignals> {
    let profile = DocumentProfile::of(document);
    compare_all(&profile, forms).into_iter().map(|(signals, _)| signals).collect()
}

/// The signals of each form, with the texts that they are from. The forms compete for the labels of the document.
fn compare_all(document: &DocumentProfile, forms: &[FormProfile]) -> Vec<(FormSignals, Vec<Quote>)> {
    let mut compared: Vec<(FormSignals, Vec<Quote>)> =
        forms.iter().map(|form| compare(document, form)).collect();
    let fits: Vec<Vec<f32>> = forms.iter().map(|form| label_fits(document, form)).collect();
    let mut shares = vec![0.0; forms.len()];
    let mut all = 0.0;
    for label in 0..document.labels.len() {
        let of_form = |fits: &Vec<f32>| fits.get(label).copied().unwrap_or_default();
        let best = fits.iter().map(of_form).fold(0.0, f32::max);
        if best < MIN_FIT {
            continue;
        }
        let owns = |fits: &Vec<f32>| of_form(fits) >= best - MAX_LESS;
        let owners = fits.iter().filter(|fits| owns(fits)).count() as f64;
        // A label that every form has tells none of them.
        let worth = 1.0 - (owners - 1.0) / forms.len().max(2) as f64;
        all += worth;
        for (share, fits) in shares.iter_mut().zip(&fits) {
            *share += if owns(fits) { worth / owners } else { 0.0 };
        }
    }
    for ((signals, _), share) in compared.iter_mut().zip(shares) {
        signals[5] = if all > 0.0 { share / all } else { 0.0 };
    }
    compared
}

/// How well each label of the document fits a field of the form.
fn label_fits(document: &DocumentProfile, form: &FormProfile) -> Vec<f32> {
    let of_label = |label: &LabelLine| {
        let fits = form
            .fields
            .iter()
            .filter(|field| label.value.as_deref().is_none_or(|value| field.content.fits(value)));
        fits.map(|field| fit(&field.concepts, &label.words)).fold(0.0, f32::max)
    };
    document.labels.iter().map(of_label).collect()
}

fn score(signals: &FormSignals) -> f64 {
    signals.iter().zip(WEIGHTS).map(|(signal, weight)| signal * weight).sum()
}

/// Probabilities of scores, by the softmax function; no form has the score 0.
fn normalised(forms: &[FormProfile], scores: Vec<(f64, Vec<Quote>)>) -> Ranking {
    let most = scores.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let sum: f64 = scores.iter().map(|(score, _)| (score - most).exp()).sum::<f64>() + (-most).exp();
    let matches = forms.iter().zip(scores).map(|(form, (score, evidence))| FormMatch {
        form_id: form.id.clone(),
        probability: (score - most).exp() / sum,
        evidence,
    });
    let mut forms: Vec<FormMatch> = matches.collect();
    forms.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ranking { forms, none: (-most).exp() / sum }
}

/// The signals of a form in a document, with the texts that they are from.
fn compare(document: &DocumentProfile, form: &FormProfile) -> (FormSignals, Vec<Quote>) {
    let title = document.titles.iter().find(|title| names(title, form));
    let (mut share, mut all) = (0.0, 0.0);
    let mut found: Vec<&LabelLine> = Vec::new();
    for field in &form.fields {
        all += field.weight;
        if let Some((fit, label)) = best_label(document, field) {
            share += field.weight * f64::from(fit);
            found.push(label);
        }
    }
    found.dedup_by(|a, b| std::ptr::eq(*a, *b));
    let flag = |is_set: bool| f64::from(u8::from(is_set));
    let signals = [
        1.0,
        flag(title.is_some()),
        if all > 0.0 { share / all } else { 0.0 },
        f64::min(found.len() as f64 / MANY_LABELS, 1.0),
        flag(document.mentions.iter().any(|kind| form.kinds.contains(kind))),
        // Known once all forms are compared.
        0.0,
        flag(document.is_paid && form.asks_paid),
        flag(document.is_paid && form.asks_due),
    ];
    let quotes = title.map(|title| &title.quote).into_iter().chain(found.iter().map(|label| &label.quote));
    (signals, quotes.take(MAX_QUOTES).cloned().collect())
}

/// Whether a title names a form: its kind, or most words of its title.
fn names(title: &TitleLine, form: &FormProfile) -> bool {
    let same_kind = title.kinds.iter().any(|kind| form.kinds.contains(kind));
    let common = form.title_words.iter().filter(|word| title.words.contains(word)).count();
    let share = common as f64 / form.title_words.len().max(1) as f64;
    same_kind || common > 0 && share >= TITLE_SHARE
}

fn best_label<'a>(document: &'a DocumentProfile, field: &FieldProfile) -> Option<(f32, &'a LabelLine)> {
    let fits = document
        .labels
        .iter()
        .filter(|label| label.value.as_deref().is_none_or(|value| field.content.fits(value)));
    let fits = fits.map(|label| (fit(&field.concepts, &label.words), label));
    fits.filter(|(fit, _)| *fit >= MIN_FIT).max_by(|a, b| a.0.total_cmp(&b.0))
}
