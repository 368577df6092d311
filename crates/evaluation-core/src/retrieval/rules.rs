//! Rules of sets of questions.

use shared_core::Violation;

use super::{AnswerPlace, NewQuestionSet, Question};
use crate::MAX_SET_NAME;

// They bound what a set stores and the time of an evaluation. Chosen by hand; no measurement is recorded.
/// Most questions of a set.
pub const MAX_QUESTIONS: usize = 500;
/// Most characters of a question.
pub const MAX_QUESTION: usize = 2_000;
/// Most places of an answer.
pub const MAX_PLACES: usize = 20;
/// Most characters of an answer, and of the text of a place.
pub const MAX_ANSWER: usize = 2_000;
/// Most characters of a title or of the id of a file.
pub const MAX_TITLE: usize = 1_024;
/// Most bytes of the questions of a set as JSON.
pub const MAX_SET_BYTES: usize = 1 << 20;
/// Most settings that are evaluated side by side.
pub const MAX_SETTINGS: usize = 2;
/// Most violations that are told.
const MAX_VIOLATIONS: usize = 100;

/// Every rule that the values of a set break.
pub(super) fn violations(set: &NewQuestionSet) -> Vec<Violation> {
    let mut found = Vec::new();
    if is_blank_or_longer(&set.name, MAX_SET_NAME) {
        found.push(Violation::new("/name", format!("'name' must have 1 to {MAX_SET_NAME} characters")));
    }
    if set.questions.is_empty() || set.questions.len() > MAX_QUESTIONS {
        let rule = format!("'questions' must have 1 to {MAX_QUESTIONS} entries");
        found.push(Violation::new("/questions", rule));
        return found;
    }
    for (index, question) in set.questions.iter().enumerate() {
        check_question(question, &format!("/questions/{index}"), &mut found);
        if found.len() >= MAX_VIOLATIONS {
            found.truncate(MAX_VIOLATIONS);
            return found;
        }
    }
    if serde_json::to_string(&set.questions).map_or(true, |text| text.len() > MAX_SET_BYTES) {
        let rule = format!("'questions' may have at most {MAX_SET_BYTES} bytes as JSON");
        found.push(Violation::new("/questions", rule));
    }
    found
}

fn check_question(question: &Question, path: &str, found: &mut Vec<Violation>) {
    let mut say = |at: &str, rule: String| found.push(Violation::new(format!("{path}{at}"), rule));
    if is_blank_or_longer(&question.query, MAX_QUESTION) {
        say("/query", format!("'query' must have 1 to {MAX_QUESTION} characters"));
    }
    if question.answer.as_ref().is_some_and(|answer| is_blank_or_longer(answer, MAX_ANSWER)) {
        say("/answer", format!("'answer' must have 1 to {MAX_ANSWER} characters"));
    }
    let is_known = !question.places.is_empty() || question.answer.is_some();
    if question.unanswerable && is_known {
        say("", "a question with 'answerable': false has no 'expected' and no 'answer'".to_owned());
    }
    if !question.unanswerable && !is_known {
        say("", "a question must have 'expected' or 'answer', or be 'answerable': false".to_owned());
    }
    if question.places.len() > MAX_PLACES {
        say("/expected", format!("'expected' may have at most {MAX_PLACES} entries"));
        return;
    }
    for (index, place) in question.places.iter().enumerate() {
        check_place(place, &format!("{path}/expected/{index}"), found);
    }
}

fn check_place(place: &AnswerPlace, path: &str, found: &mut Vec<Violation>) {
    let texts = [
        ("file", &place.file, MAX_TITLE),
        ("title", &place.title, MAX_TITLE),
        ("text", &place.text, MAX_ANSWER),
    ];
    for (name, text, most) in texts {
        if text.as_ref().is_some_and(|text| is_blank_or_longer(text, most)) {
            let rule = format!("'{name}' must have 1 to {most} characters");
            found.push(Violation::new(format!("{path}/{name}"), rule));
        }
    }
    if place.page.is_some_and(|page| !(1..=kb_core::rules::MAX_PAGE).contains(&page)) {
        let rule = format!("'page' must be 1 to {}", kb_core::rules::MAX_PAGE);
        found.push(Violation::new(format!("{path}/page"), rule));
    }
    if place.file.is_none() && place.title.is_none() && place.text.is_none() {
        found.push(Violation::new(path, "a place must have 'file', 'title' or 'text'"));
    }
}

fn is_blank_or_longer(text: &str, most: usize) -> bool {
    text.trim().is_empty() || text.chars().nth(most).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(questions: Vec<Question>) -> Vec<String> {
        let set = NewQuestionSet { name: "n".into(), questions };
        violations(&set).into_iter().map(|violation| violation.path).collect()
    }

    fn question() -> Question {
        Question { query: "q".into(), answer: Some("a".into()), ..Question::default() }
    }

    #[test]
    fn each_broken_rule_is_told_with_its_place() {
        let place = |place: AnswerPlace| Question { places: vec![place], ..question() };
        let long = "x".repeat(MAX_QUESTION + 1);
        let questions = vec![
            question(),
            Question { query: " ".into(), ..question() },
            Question { query: long.clone(), ..question() },
            Question { answer: Some(long), ..question() },
            Question { answer: None, ..question() },
            Question { unanswerable: true, ..question() },
            place(AnswerPlace { page: Some(1), ..AnswerPlace::default() }),
            place(AnswerPlace { title: Some("t".into()), page: Some(0), ..AnswerPlace::default() }),
            place(AnswerPlace { file: Some(String::new()), ..AnswerPlace::default() }),
            Question { places: vec![AnswerPlace::default(); MAX_PLACES + 1], ..question() },
        ];
        let expected = [
            "/questions/1/query",
            "/questions/2/query",
            "/questions/3/answer",
            "/questions/4",
            "/questions/5",
            "/questions/6/expected/0",
            "/questions/7/expected/0/page",
            "/questions/8/expected/0/file",
            "/questions/9/expected",
        ];
        assert_eq!(asked(questions), expected);
        assert_eq!(asked(Vec::new()), ["/questions"]);
        assert_eq!(asked(vec![question(); MAX_QUESTIONS + 1]), ["/questions"]);
        assert!(asked(vec![question(); MAX_QUESTIONS]).is_empty());
        let large =
            Question { query: "x".repeat(MAX_QUESTION), answer: Some("y".repeat(MAX_ANSWER)), ..question() };
        assert_eq!(asked(vec![large; 300]), ["/questions"]);
        let nameless = NewQuestionSet { name: " ".into(), questions: vec![question()] };
        assert_eq!(violations(&nameless)[0].path, "/name");
    }
}
