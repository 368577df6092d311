//! How well the final values fit the known ones.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::replay::ReplayResult;

/// Counts of one kind of field.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    /// Values that the user states.
    stated: usize,
    /// Of these, right.
    right: usize,
    /// Of these, without a value.
    missed: usize,
    /// Of these, with a wrong value.
    wrong: usize,
    /// Values that are not known at all, and were filled.
    invented: usize,
    /// Fields without a known value.
    empty: usize,
    /// Values that the user does not state.
    unstated: usize,
    /// Of these, right.
    unstated_right: usize,
}

/// The score of some conversations.
#[derive(Debug, Default)]
pub(crate) struct Score {
    kinds: BTreeMap<&'static str, Counts>,
    conversations: usize,
    joint: usize,
    joint_stated: usize,
    outside: usize,
    messages: usize,
    reading: Duration,
    slowest: Duration,
}

impl Score {
    pub(crate) fn add(&mut self, number: usize, dialogue: &Value, played: &ReplayResult, verbose: bool) {
        self.conversations += 1;
        self.messages += played.interpretations.len();
        self.reading += played.reading;
        self.slowest = self
            .slowest
            .max(played.reading / u32::try_from(played.interpretations.len().max(1)).unwrap_or(1));
        let said: String = played
            .interpretations
            .iter()
            .map(|(message, ..)| message.to_lowercase())
            .collect::<Vec<_>>()
            .join("\n");
        let (mut all_right, mut all_stated) = (true, true);
        let mut mistakes = Vec::new();
        let Some(form) = dialogue["form"].as_object() else { return };
        for (name, field) in form {
            let kind = kind(name, field);
            let gold: Vec<String> = dialogue["slots"][name]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_lowercase)
                .collect();
            let value = played.values.get(name).and_then(format_value);
            let right = value.as_ref().is_some_and(|value| gold.contains(&value.to_lowercase()));
            let stated = field.get("enum").is_some() || gold.iter().any(|gold| said.contains(gold.as_str()));
            self.outside += usize::from(is_outside(field, value.as_deref()));
            let counts = self.kinds.entry(kind).or_default();
            match (gold.is_empty(), stated) {
                (true, _) => {
                    counts.empty += 1;
                    counts.invented += usize::from(value.is_some());
                }
                (false, true) => {
                    counts.stated += 1;
                    counts.right += usize::from(right);
                    counts.missed += usize::from(value.is_none());
                    counts.wrong += usize::from(value.is_some() && !right);
                }
                (false, false) => {
                    counts.unstated += 1;
                    counts.unstated_right += usize::from(right);
                }
            }
            all_right &= if gold.is_empty() { value.is_none() } else { right };
            all_stated &= gold.is_empty() || !stated || right;
            if verbose && (gold.is_empty() && value.is_some() || !gold.is_empty() && stated && !right) {
                mistakes.push(format!("   {name}: {value:?}, and not {gold:?}"));
            }
        }
        self.joint += usize::from(all_right);
        self.joint_stated += usize::from(all_stated);
        if !mistakes.is_empty() {
            println!("## {number}");
            for (message, asked, reading) in &played.interpretations {
                let values: Vec<String> =
                    reading.statements.iter().map(|said| format!("{}={}", said.path, said.value)).collect();
                let acts: Vec<_> = reading.acts.iter().map(|said| said.act_type).collect();
                let question = if reading.question.is_some() { " ?" } else { "" };
                println!(
                    "  [{}] {message}\n      {} {acts:?}{question}",
                    asked.as_deref().unwrap_or(""),
                    values.join(" ")
                );
            }
            println!("{}", mistakes.join("\n"));
        }
    }

    pub(crate) fn print(&self) {
        let sum = |of: fn(&Counts) -> usize| self.kinds.values().map(of).sum::<usize>();
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let f1 =
            |right: usize, filled: usize, wanted: usize| 2.0 * right as f64 / (filled + wanted).max(1) as f64;
        println!("kind       stated  right  missed  wrong  unknown  invented   f1");
        for (kind, c) in &self.kinds {
            let f1 = f1(c.right, c.right + c.wrong + c.invented, c.stated);
            println!(
                "{kind:<10} {:>6} {:>6} {:>7} {:>6} {:>8} {:>9}   {f1:.3}",
                c.stated, c.right, c.missed, c.wrong, c.empty, c.invented
            );
        }
        let (right, stated) = (sum(|c| c.right), sum(|c| c.stated));
        let filled = right + sum(|c| c.wrong) + sum(|c| c.invented);
        println!(
            "stated values: f1 {:.3}, precision {:.3}, recall {:.3}; all of a conversation right: {:.3}",
            f1(right, filled, stated),
            share(right, filled),
            share(right, stated),
            share(self.joint_stated, self.conversations)
        );
        let (all_right, all) = (right + sum(|c| c.unstated_right), stated + sum(|c| c.unstated));
        println!(
            "all values: f1 {:.3}; all of a conversation right: {:.3}",
            f1(all_right, filled + sum(|c| c.unstated_right), all),
            share(self.joint, self.conversations)
        );
        println!(
            "without a known value and empty: {:.4}; outside their list: {}",
            1.0 - share(sum(|c| c.invented), sum(|c| c.empty)),
            self.outside
        );
        println!(
            "{} messages, {:.0} µs each, {:.0} µs in the slowest conversation",
            self.messages,
            self.reading.as_secs_f64() * 1e6 / self.messages.max(1) as f64,
            self.slowest.as_secs_f64() * 1e6
        );
    }
}

fn format_value(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn is_outside(field: &Value, value: Option<&str>) -> bool {
    let options = field.get("enum").and_then(Value::as_array);
    options.is_some_and(|options| value.is_some_and(|value| !options.iter().any(|option| option == value)))
}

/// The kind of a field, for the report.
fn kind(name: &str, field: &Value) -> &'static str {
    let options: Vec<&str> =
        field.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let is_number = |option: &&str| option.is_empty() || option.parse::<f64>().is_ok();
    match () {
        () if options.contains(&"True") => "yes or no",
        () if !options.is_empty() && options.iter().all(is_number) => "number",
        () if !options.is_empty() => "choice",
        () if name.contains("date") => "date",
        () if name.contains("time") => "time",
        () if name.contains("number_of") || name.contains("length") => "number",
        () if ["city", "location", "destination", "area", "station"]
            .iter()
            .any(|word| name.contains(word)) =>
        {
            "place"
        }
        () if ["genre", "category"].iter().any(|word| name.contains(word)) => "class",
        () if ["name", "title", "artist", "director", "actor", "starring", "album"]
            .iter()
            .any(|word| name.contains(word)) =>
        {
            "name"
        }
        () => "other",
    }
}
