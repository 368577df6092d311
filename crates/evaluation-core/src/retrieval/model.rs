//! Sets of questions.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Timestamp};

/// A set of questions to a knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionSet {
    /// Identifier (`set_…`).
    pub id: String,
    /// The knowledge base.
    pub base: String,
    /// Display name.
    pub name: String,
    /// Number of questions.
    pub questions: u32,
    /// Who made it.
    pub author: Author,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last replaced.
    pub updated: Timestamp,
}

/// Values of a new set, or in place of those of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewQuestionSet {
    /// Display name.
    pub name: String,
    /// The questions in order.
    pub questions: Vec<Question>,
}

/// A question with what its answer is known to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is searched for, in natural language or keywords.
    pub query: String,
    /// Places of the answer. Each of them should be found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<AnswerPlace>,
    /// The answer, which a passage should contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether the knowledge base has no answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswerable: bool,
}

/// A place in a knowledge base. A passage is there when all that is set agrees with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerPlace {
    /// Id of the file in the knowledge base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Title of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Page that the passage begins on, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Text that the passage contains, without regard to case and white space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
