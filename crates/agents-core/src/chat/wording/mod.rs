//! Replies in words, by templates. What is said was decided by the state machine; nothing is decided here.

mod label;
mod question;
mod summary;
mod tongue;

use forms_core::FormSchema;
use serde_json::Value;

use super::machine::{Part, place};
use super::shape::example;
use super::{FormState, Mark, Phase};
use question::question;
pub use tongue::Tongue;

/// A form on its way, to be spoken of.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'a> {
    /// The language.
    pub tongue: Tongue,
    /// The form's title; may be empty.
    pub title: &'a str,
    /// The form.
    pub form: &'a FormSchema,
    /// Its state after the move.
    pub state: &'a FormState,
}

/// A reply as Markdown: its parts in order, in paragraphs; `answer` stands where the user's question is answered.
#[must_use]
pub fn word(spoken: Spoken<'_>, parts: &[Part], answer: &str) -> String {
    // A summary shows what documents filled in, too.
    let sums_up = parts.contains(&Part::Summary);
    let told = parts.iter().filter(|part| !(sums_up && matches!(part, Part::Prefilled(_))));
    let paragraphs = told.map(|part| part_text(spoken, part, answer));
    paragraphs.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn part_text(spoken: Spoken<'_>, part: &Part, answer: &str) -> String {
    let Spoken { tongue, title, form, state } = spoken;
    let label = |path: &str| label::label(tongue, form, path);
    let value =
        |path: &str| place::get(&state.values, path).map_or_else(String::new, |value| shown(tongue, value));
    let about = |key: &str, path: &str| {
        let label = label(path);
        // A sentence that begins with its field begins with a capital.
        let text = tongue.say(key, &[("label", &label), ("value", &value(path))]);
        if text.starts_with(&label) { label::capital(&text) } else { text }
    };
    match part {
        Part::Greeting => {
            let form = if title.is_empty() { tongue.say("the-form", &[]) } else { format!("“{title}”") };
            tongue.say("greeting", &[("form", &form)])
        }
        Part::Answer => answer.to_owned(),
        Part::Prefilled(paths) => {
            format!("{}\n{}", tongue.say("prefilled", &[]), summary::lines_of(spoken, paths))
        }
        Part::Noted(paths) => {
            let values: Vec<String> =
                paths.iter().map(|path| format!("{} – {}", label(path), value(path))).collect();
            tongue.say("noted", &[("values", &values.join("; "))])
        }
        Part::Changed { path, old } => {
            let said = [("label", label(path)), ("value", value(path)), ("old", shown(tongue, old))];
            label::capital(
                &tongue.say("changed", &said.each_ref().map(|(name, value)| (*name, value.as_str()))),
            )
        }
        Part::Removed { path, old } => {
            label::capital(&tongue.say("removed", &[("label", &label(path)), ("old", &shown(tongue, old))]))
        }
        Part::Dropped(paths) => {
            let labels: Vec<String> = paths.iter().map(|path| label(path)).collect();
            tongue.say("dropped", &[("labels", &labels.join(", "))])
        }
        Part::Kept { path, problem } => {
            let said = [
                ("problem", told(tongue, form, path, problem)),
                ("label", label(path)),
                ("value", value(path)),
            ];
            tongue.say("kept", &said.each_ref().map(|(name, value)| (*name, value.as_str())))
        }
        Part::Invalid { path, problem } => {
            tongue.say("invalid", &[("problem", &told(tongue, form, path, problem))])
        }
        Part::NotThere(path) => about("not-there", path),
        Part::OfferSkip(path) => about("offer-skip", path),
        Part::Required(path) => about("required", path),
        Part::Left { path, mark } => about(&format!("left-{}", mark.name()), path),
        Part::AskWeak(path) => {
            let is_implied = spoken.state.marks.get(path) == Some(&Mark::Implied);
            about(if is_implied { "ask-implied" } else { "ask-weak" }, path)
        }
        Part::AskMore(path) => about("ask-more", path),
        Part::AskAgain(path) => {
            format!("{}{}", about("ask-again", path), question::choices(tongue, form, path))
        }
        Part::Ask(path) => question(tongue, form, path),
        Part::Explain(path) => question::explanation(tongue, form, path),
        Part::Review => summary::review(spoken),
        Part::Summary => summary::summary(spoken),
        Part::Courtesy => {
            // What is left to say at the end is mostly thanks.
            let is_over = matches!(state.phase, Phase::Submitted | Phase::Cancelled);
            tongue.say(if is_over { "courtesy-after" } else { "courtesy" }, &[])
        }
        plain @ (Part::TooMuch
        | Part::NotUnderstood
        | Part::AskConfirm
        | Part::AskWhich
        | Part::AskCancel
        | Part::Submitted
        | Part::Cancelled
        | Part::AlreadySubmitted
        | Part::AlreadyCancelled
        | Part::Restarted) => tongue.say(&plain.label(), &[]),
    }
}

fn shown(tongue: Tongue, value: &Value) -> String {
    label::shown(tongue, value)
}

/// A problem: in the words of the check where replies are English, else what is wanted instead.
fn told(tongue: Tongue, form: &FormSchema, path: &str, problem: &str) -> String {
    let label = || label::capital(&label::label(tongue, form, path));
    match place::field(form, path) {
        Some(field) if field.pattern.as_ref().is_some_and(|pattern| problem.contains(pattern.as_str())) => {
            match example(field) {
                Some(example) => tongue.say("invalid-shape", &[("label", &label()), ("example", &example)]),
                None => tongue.say("invalid-here", &[]),
            }
        }
        Some(field) if tongue == Tongue::English => {
            sentence(&problem.replacen(&format!("'{}'", field.name), &label(), 1))
        }
        Some(field) => format!("{} {}", tongue.say("invalid-here", &[]), question::rules(tongue, field))
            .trim_end()
            .to_owned(),
        _ => sentence(problem),
    }
}

/// A problem as a whole sentence.
fn sentence(problem: &str) -> String {
    let problem = label::capital(problem);
    if problem.ends_with(['.', '!', '?', '…']) { problem } else { format!("{problem}.") }
}
