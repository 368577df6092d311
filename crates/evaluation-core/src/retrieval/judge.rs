//! Compares what a search found with what is known of the answer.

use kb_core::SearchResult;

use super::{AnswerPlace, Question};

/// What a search found of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Judgement {
    /// For each place of the answer, the rank of the first passage there, from 1.
    pub(super) ranks: Vec<Option<u32>>,
    /// Whether a passage contains the answer; `None` without one.
    pub(super) has_answer: Option<bool>,
}

/// Judges the results of a question, best first. An answer without places counts as a place: a passage with it.
pub(super) fn judge(question: &Question, results: &[SearchResult]) -> Judgement {
    let passages: Vec<(u32, &SearchResult, String)> =
        (1..).zip(results).map(|(rank, result)| (rank, result, normal(&result.chunk.text))).collect();
    let answer = question.answer.as_deref().map(normal);
    let rank_of = |is_there: &dyn Fn(&SearchResult, &str) -> bool| {
        passages.iter().find(|(_, result, text)| is_there(result, text)).map(|(rank, ..)| *rank)
    };
    let answer_rank = answer.as_ref().map(|answer| rank_of(&|_, text| text.contains(answer.as_str())));
    let mut ranks: Vec<Option<u32>> = Vec::new();
    for place in &question.places {
        let wanted = place.text.as_deref().map(normal);
        ranks.push(rank_of(&|result, text| is_at(place, wanted.as_deref(), result, text)));
    }
    if question.places.is_empty() {
        ranks.extend(answer_rank);
    }
    Judgement { ranks, has_answer: answer_rank.map(|rank| rank.is_some()) }
}

fn is_at(place: &AnswerPlace, wanted: Option<&str>, result: &SearchResult, text: &str) -> bool {
    place.file.as_ref().is_none_or(|file| *file == result.item.0)
        && place.title.as_ref().is_none_or(|title| *title == result.title)
        && place.page.is_none_or(|page| result.chunk.page == Some(page))
        && wanted.is_none_or(|wanted| text.contains(wanted))
}

/// A text in lower case, with one space in place of each run of white space.
fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use kb_core::{BaseId, Chunk, ItemId};

    use super::*;

    fn result(file: &str, page: u32, text: &str) -> SearchResult {
        let chunk = Chunk {
            position: 0,
            page: Some(page),
            start: 0,
            end: 0,
            heading: String::new(),
            text: text.into(),
        };
        SearchResult {
            base: BaseId("base".into()),
            item: ItemId(file.into()),
            title: format!("Title of {file}"),
            meta: serde_json::Map::new(),
            chunk,
            score: 0.5,
            lexical: None,
            semantic: None,
            rerank: None,
            others: None,
        }
    }

    #[test]
    fn a_passage_is_at_a_place_when_all_that_is_set_agrees() {
        let results =
            [result("a", 1, "Tugs  cost\n410 EUR."), result("b", 2, "Pilots"), result("a", 2, "Lines")];
        let place = AnswerPlace { file: Some("a".into()), page: Some(2), ..AnswerPlace::default() };
        let other = AnswerPlace { title: Some("Title of b".into()), ..AnswerPlace::default() };
        let absent = AnswerPlace { file: Some("b".into()), page: Some(1), ..AnswerPlace::default() };
        let text = AnswerPlace { text: Some("tugs cost 410".into()), ..AnswerPlace::default() };
        let question = Question {
            query: "q".into(),
            places: vec![place, other, absent, text],
            answer: Some("410 eur".into()),
            unanswerable: false,
        };
        let told = judge(&question, &results);
        assert_eq!(told.ranks, [Some(3), Some(2), None, Some(1)]);
        assert_eq!(told.has_answer, Some(true));
    }

    #[test]
    fn an_answer_without_places_is_looked_for_in_the_passages() {
        let question = Question { query: "q".into(), answer: Some("Pilots".into()), ..Question::default() };
        let told = judge(&question, &[result("a", 1, "Tugs"), result("b", 2, "The PILOTS")]);
        assert_eq!((told.ranks, told.has_answer), (vec![Some(2)], Some(true)));
        let told = judge(&question, &[]);
        assert_eq!((told.ranks, told.has_answer), (vec![None], Some(false)));
        let unanswerable = Question { query: "q".into(), unanswerable: true, ..Question::default() };
        assert_eq!(judge(&unanswerable, &[result("a", 1, "Tugs")]), Judgement::default());
    }
}
