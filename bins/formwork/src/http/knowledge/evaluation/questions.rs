//! The JSON shapes of sets of questions.

use evaluation_core::MAX_SET_NAME;
use evaluation_core::retrieval::{
    AnswerPlace, MAX_ANSWER, MAX_PLACES, MAX_QUESTION, MAX_QUESTIONS, MAX_TITLE, NewQuestionSet, Question,
    QuestionSet,
};
use kb_core::rules::MAX_PAGE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::rules::NOT_BLANK;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "QuestionSetInput")]
pub(super) struct QuestionSetBody {
    #[schemars(length(max = MAX_SET_NAME), extend("pattern" = NOT_BLANK))]
    name: String,
    /// The questions, of at most a mebibyte in all.
    #[schemars(length(min = 1, max = MAX_QUESTIONS))]
    questions: Vec<QuestionBody>,
}

/// A question. It has `expected` or `answer`, or is not answerable.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "EvaluationQuestionInput")]
struct QuestionBody {
    #[schemars(length(max = MAX_QUESTION), extend("pattern" = NOT_BLANK))]
    query: String,
    /// The places of the answer, each of which should be found.
    #[schemars(length(max = MAX_PLACES))]
    expected: Option<Vec<PlaceBody>>,
    /// The answer, which a passage should contain, without regard to case and white space.
    #[schemars(length(max = MAX_ANSWER), extend("pattern" = NOT_BLANK))]
    answer: Option<String>,
    /// False where the knowledge base has no answer, so that nothing should be found; true when absent.
    answerable: Option<bool>,
}

/// A place of an answer. A passage is there when all that is given agrees. It has `file`, `title` or `text`.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "AnswerPlaceInput")]
struct PlaceBody {
    /// Id of the file in the knowledge base.
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    file: Option<String>,
    /// Title of the file.
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    title: Option<String>,
    /// The page that the passage begins on.
    #[schemars(range(min = 1, max = MAX_PAGE))]
    page: Option<i64>,
    /// A text that the passage contains, without regard to case and white space.
    #[schemars(length(max = MAX_ANSWER), extend("pattern" = NOT_BLANK))]
    text: Option<String>,
}

impl From<QuestionSetBody> for NewQuestionSet {
    fn from(body: QuestionSetBody) -> Self {
        Self { name: body.name, questions: body.questions.into_iter().map(Question::from).collect() }
    }
}

impl From<QuestionBody> for Question {
    fn from(body: QuestionBody) -> Self {
        Self {
            query: body.query,
            places: body.expected.unwrap_or_default().into_iter().map(AnswerPlace::from).collect(),
            answer: body.answer,
            unanswerable: body.answerable == Some(false),
        }
    }
}

impl From<PlaceBody> for AnswerPlace {
    fn from(body: PlaceBody) -> Self {
        // The service rejects out-of-range values with the rule.
        let page = body.page.map(|page| u32::try_from(page).unwrap_or_default());
        Self { file: body.file, title: body.title, page, text: body.text }
    }
}

/// A set of questions to a knowledge base.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuestionSet")]
pub(super) struct QuestionSetRecord {
    id: String,
    knowledge_id: String,
    name: String,
    /// Number of questions.
    question_count: u32,
    #[serde(rename = "created_timestamp")]
    created: String,
    #[serde(rename = "updated_timestamp")]
    updated: String,
    user_name: String,
    /// The questions; absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<QuestionRecord>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluationQuestion")]
struct QuestionRecord {
    query: String,
    expected: Vec<PlaceRecord>,
    answer: Option<String>,
    answerable: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AnswerPlace")]
struct PlaceRecord {
    file: Option<String>,
    title: Option<String>,
    page: Option<u32>,
    text: Option<String>,
}

impl From<QuestionSet> for QuestionSetRecord {
    fn from(set: QuestionSet) -> Self {
        Self {
            id: set.id,
            knowledge_id: set.base,
            name: set.name,
            question_count: set.questions,
            created: set.created.record_text(),
            updated: set.updated.record_text(),
            user_name: set.author.name,
            questions: None,
        }
    }
}

impl QuestionSetRecord {
    pub(super) fn with_questions(set: QuestionSet, questions: Vec<Question>) -> Self {
        let questions = questions.into_iter().map(QuestionRecord::from).collect();
        Self { questions: Some(questions), ..Self::from(set) }
    }
}

impl From<Question> for QuestionRecord {
    fn from(question: Question) -> Self {
        let place =
            |AnswerPlace { file, title, page, text }: AnswerPlace| PlaceRecord { file, title, page, text };
        Self {
            query: question.query,
            expected: question.places.into_iter().map(place).collect(),
            answer: question.answer,
            answerable: !question.unanswerable,
        }
    }
}
