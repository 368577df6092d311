//! Natural language generation by templates. The state machine has decided the system acts; this module only
//! words them.

mod label;
mod question;
mod summary;

use forms_core::FormSchema;
use language::Language;
use language::reply::reply;
use serde_json::Value;

use super::machine::{SystemAct, pointer};
use super::patterns::example;
use super::{FieldStatus, FormState, Phase};
use question::question;

/// What the templates need to word a reply.
#[derive(Clone, Copy, Debug)]
pub struct ReplyContext<'a> {
    /// The language; English where it has no replies.
    pub language: Language,
    /// The form's title; may be empty.
    pub title: &'a str,
    /// The form.
    pub form: &'a FormSchema,
    /// State of the form after the turn.
    pub state: &'a FormState,
}

/// Words a reply as Markdown, one paragraph per system act. `answer` replaces [`SystemAct::Answer`].
#[must_use]
pub fn word(spoken: ReplyContext<'_>, parts: &[SystemAct], answer: &str) -> String {
    // The summary already lists values from documents.
    let sums_up = parts.contains(&SystemAct::Summary);
    let told = parts.iter().filter(|part| !(sums_up && matches!(part, SystemAct::Prefilled(_))));
    let paragraphs = told.map(|part| render_act(spoken, part, answer));
    paragraphs.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn render_act(spoken: ReplyContext<'_>, part: &SystemAct, answer: &str) -> String {
    let ReplyContext { language, title, form, state } = spoken;
    let label = |path: &str| label::label(language, form, path);
    let value = |path: &str| {
        pointer::get(&state.values, path).map_or_else(String::new, |value| format_value(language, value))
    };
    let about = |key: &str, path: &str| {
        let label = label(path);
        // A sentence that begins with its field begins with a capital.
        let text = reply(language, key, &[("label", &label), ("value", &value(path))]);
        if text.starts_with(&label) { label::capital(&text) } else { text }
    };
    match part {
        SystemAct::Greeting => {
            let form =
                if title.is_empty() { reply(language, "the-form", &[]) } else { format!("“{title}”") };
            reply(language, "greeting", &[("form", &form)])
        }
        SystemAct::Answer => answer.to_owned(),
        SystemAct::Prefilled(paths) => {
            format!("{}\n{}", reply(language, "prefilled", &[]), summary::lines_of(spoken, paths))
        }
        SystemAct::Noted(paths) => {
            let values: Vec<String> =
                paths.iter().map(|path| format!("{} – {}", label(path), value(path))).collect();
            reply(language, "noted", &[("values", &values.join("; "))])
        }
        SystemAct::Changed { path, old } => {
            let said = [("label", label(path)), ("value", value(path)), ("old", format_value(language, old))];
            label::capital(&reply(
                language,
                "changed",
                &said.each_ref().map(|(name, value)| (*name, value.as_str())),
            ))
        }
        SystemAct::Removed { path, old } => label::capital(&reply(
            language,
            "removed",
            &[("label", &label(path)), ("old", &format_value(language, old))],
        )),
        SystemAct::NoLongerApplicable(paths) => {
            let labels: Vec<String> = paths.iter().map(|path| label(path)).collect();
            reply(language, "dropped", &[("labels", &labels.join(", "))])
        }
        SystemAct::OldValueKept { path, problem } => {
            let said = [
                ("problem", describe_problem(language, form, path, problem)),
                ("label", label(path)),
                ("value", value(path)),
            ];
            reply(language, "kept", &said.each_ref().map(|(name, value)| (*name, value.as_str())))
        }
        SystemAct::Invalid { path, problem } => {
            reply(language, "invalid", &[("problem", &describe_problem(language, form, path, problem))])
        }
        SystemAct::BrokenRule { problem, .. } => sentence(problem),
        SystemAct::NothingToRemove(path) => about("not-there", path),
        SystemAct::OfferSkip(path) => about("offer-skip", path),
        SystemAct::Required(path) => about("required", path),
        SystemAct::LeftOpen { path, mark } => about(&format!("left-{}", mark.name()), path),
        SystemAct::AskIfCorrect(path) => {
            let is_implied = spoken.state.marks.get(path) == Some(&FieldStatus::Implied);
            about(if is_implied { "ask-implied" } else { "ask-weak" }, path)
        }
        SystemAct::AskNextItem(path) => about("ask-more", path),
        SystemAct::AskReplacement(path) => {
            format!("{}{}", about("ask-again", path), question::choices(language, form, path))
        }
        SystemAct::Ask(path) => question(language, form, path),
        SystemAct::Explain(path) => question::explanation(language, form, path),
        SystemAct::Review => summary::review(spoken),
        SystemAct::Summary => summary::summary(spoken),
        SystemAct::Courtesy => {
            // After the end, a courtesy is usually a thank-you.
            let is_over = matches!(state.phase, Phase::Submitted | Phase::Cancelled);
            reply(language, if is_over { "courtesy-after" } else { "courtesy" }, &[])
        }
        plain @ (SystemAct::TooLarge
        | SystemAct::NotUnderstood
        | SystemAct::AskConfirm
        | SystemAct::AskWhich
        | SystemAct::AskCancel
        | SystemAct::Submitted
        | SystemAct::Cancelled
        | SystemAct::AlreadySubmitted
        | SystemAct::AlreadyCancelled
        | SystemAct::Restarted) => reply(language, &plain.label(), &[]),
    }
}

fn format_value(language: Language, value: &Value) -> String {
    label::format_value(language, value)
}

/// A problem: in the words of the check where replies are English, else what is wanted instead.
fn describe_problem(language: Language, form: &FormSchema, path: &str, problem: &str) -> String {
    let label = || label::capital(&label::label(language, form, path));
    match form.field_at(path) {
        Some(field) if field.pattern.as_ref().is_some_and(|pattern| problem.contains(pattern.as_str())) => {
            match example(field) {
                Some(example) => {
                    reply(language, "invalid-shape", &[("label", &label()), ("example", &example)])
                }
                None => reply(language, "invalid-here", &[]),
            }
        }
        Some(field) if language == Language::ENGLISH => {
            sentence(&problem.replacen(&format!("'{}'", field.name), &label(), 1))
        }
        Some(field) => {
            format!("{} {}", reply(language, "invalid-here", &[]), question::rules(language, field))
                .trim_end()
                .to_owned()
        }
        _ => sentence(problem),
    }
}

/// The message as a sentence with a full stop.
fn sentence(problem: &str) -> String {
    let problem = label::capital(problem);
    if problem.ends_with(['.', '!', '?', '…']) { problem } else { format!("{problem}.") }
}
