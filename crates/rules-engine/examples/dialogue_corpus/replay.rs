//! One conversation, replayed.

use std::time::{Duration, Instant};

use agents_core::chat::machine::{TurnContext, begin, step};
use agents_core::chat::{FormState, Interpretation, UserTurn, spoken_language};
use chrono::NaiveDate;
use forms_core::FormSchema;
use language::Language;
use rules_engine::nlu::interpret;
use serde_json::{Map, Value};

/// What came of a conversation.
pub(crate) struct ReplayResult {
    /// The values at the end.
    pub(crate) values: Map<String, Value>,
    /// What was understood of each message.
    pub(crate) interpretations: Vec<(String, Option<String>, Interpretation)>,
    /// Time spent in the reader.
    pub(crate) reading: Duration,
}

/// Replays what the user says; `None` for a form that is none.
pub(crate) fn replay(dialogue: &Value) -> Option<ReplayResult> {
    let form = FormSchema::parse(dialogue["form"].as_object()?).ok()?;
    let today = NaiveDate::from_ymd_opt(2019, 3, 1)?;
    let mut state: FormState = begin(&form, "form", 1);
    let mut played =
        ReplayResult { values: Map::new(), interpretations: Vec::new(), reading: Duration::ZERO };
    // The reply to a greeting asks for the first field.
    step(
        &form,
        &mut state,
        &Interpretation::default(),
        TurnContext { is_first: true, ..TurnContext::default() },
    );
    let mut language = Language::UNKNOWN;
    for turn in dialogue["turns"].as_array()? {
        if turn[0] != "USER" {
            continue;
        }
        let message = turn[1].as_str().unwrap_or_default();
        let recent: Vec<String> = state
            .trail
            .iter()
            .rev()
            .filter(|path| state.values.contains_key(path.trim_start_matches('/')))
            .cloned()
            .collect();
        let user_turn = UserTurn {
            message,
            language,
            form: &form,
            phase: state.phase,
            asked: state.asked.as_deref(),
            is_confirmation: state.is_confirmation(),
            values: &state.values,
            recent: &recent,
            today,
        };
        let begun = Instant::now();
        let reading = interpret(&user_turn);
        played.reading += begun.elapsed();
        language = spoken_language(language, &form, message);
        played.interpretations.push((message.to_owned(), state.asked.clone(), reading.clone()));
        step(&form, &mut state, &reading, TurnContext { message, ..TurnContext::default() });
    }
    played.values = state.values;
    Some(played)
}
