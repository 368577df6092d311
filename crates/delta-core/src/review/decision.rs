//! Decisions of reviewers.

use forms_core::{Field, FieldType, FormSchema, read_answer};
use indexmap::IndexMap;
use serde_json::{Value, json};
use shared_core::{Author, Timestamp, Violation};

use super::item::{ASSIGN, ReviewEntry, ReviewState};
use super::model::Review;
use super::quote::{MemberQuote, ReviewQuote, check_member_quotes};

// They bound what a review stores. Chosen by hand; no measurement is recorded.
/// Most characters of a note.
pub const MAX_NOTE: usize = 2_000;
/// Most characters of an assignee.
pub const MAX_ASSIGNEE: usize = 255;
/// Most entries of a history.
const MAX_HISTORY: usize = 200;

/// What a reviewer does.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewAction {
    /// The value is right, or the failure was seen.
    Accept,
    /// This is the right value.
    Correct(Value),
    /// The documents do not state it.
    MarkNotStated,
    /// The earlier decision does not hold any more.
    Reopen,
    /// Somebody is to decide, or nobody in particular.
    Assign(Option<String>),
}

impl ReviewAction {
    fn name(&self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Correct(_) => "correct",
            Self::MarkNotStated => "not_stated",
            Self::Reopen => "reopen",
            Self::Assign(_) => ASSIGN,
        }
    }

    /// Whether it corrects a list or an object.
    fn corrects_members(&self) -> bool {
        matches!(self, Self::Correct(value) if value.is_array() || value.is_object())
    }

    /// Whether the form decides what the action may do.
    pub(super) fn needs_form(&self) -> bool {
        matches!(self, Self::Correct(_) | Self::MarkNotStated)
    }
}

/// A decision about one review.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewDecision {
    /// Which review is decided.
    pub review_id: String,
    /// What to do.
    pub action: ReviewAction,
    /// What a correction is taken from.
    pub quote: Option<ReviewQuote>,
    /// What the members of a corrected list or object are taken from.
    pub member_quotes: Vec<MemberQuote>,
    /// A note for the history; may be empty.
    pub note: String,
    /// The revision that the reviewer saw; `None` to decide whatever it is.
    pub revision: Option<i64>,
}

impl ReviewDecision {
    /// Applies the decision to the review. `form` is that of its run, which is needed where
    /// [`ReviewAction::needs_form`] says so. The quote is not looked for.
    ///
    /// # Errors
    /// The rule that it breaks, with a path below the decision.
    pub(super) fn apply(
        &self,
        review: &mut Review,
        form: Option<&FormSchema>,
        author: &Author,
        now: Timestamp,
    ) -> Result<(), Violation> {
        if self.note.chars().nth(MAX_NOTE).is_some() {
            return Err(Violation::new("/note", format!("'note' may have at most {MAX_NOTE} characters")));
        }
        if let Some(quote) = &self.quote {
            check_quote(quote, &self.action)?;
        }
        if !self.member_quotes.is_empty() {
            if !self.action.corrects_members() {
                let rule = "'member_evidence' is for the action correct with a list or an object";
                return Err(Violation::new("/member_evidence", rule));
            }
            check_member_quotes(&self.member_quotes)?;
        }
        if review.history.len() >= MAX_HISTORY {
            let rule = format!("the review was changed {MAX_HISTORY} times, which is the most");
            return Err(Violation::new("", rule));
        }
        let before = match &self.action {
            ReviewAction::Assign(_) => json!(review.assignee),
            _ => review.value.clone(),
        };
        let field = form.and_then(|form| form.field_at(&review.about.path));
        match &self.action {
            ReviewAction::Accept => set_extracted(review, ReviewState::Accepted),
            ReviewAction::Correct(value) => {
                review.value = corrected(review, field, value)?;
                review.errors.clear();
                review.state = ReviewState::Corrected;
            }
            ReviewAction::MarkNotStated => {
                review.errors = missing(review, form, field)?;
                review.value = Value::Null;
                review.state = ReviewState::NotStated;
            }
            ReviewAction::Reopen if review.state == ReviewState::Open => {
                return Err(Violation::new("/action", "the review is open"));
            }
            ReviewAction::Reopen => set_extracted(review, ReviewState::Open),
            ReviewAction::Assign(assignee) => review.assignee = checked_assignee(assignee.as_deref())?,
        }
        let after = match &self.action {
            ReviewAction::Assign(_) => json!(review.assignee),
            _ => review.value.clone(),
        };
        review.history.push(ReviewEntry {
            action: self.action.name().to_owned(),
            before,
            after,
            evidence: None,
            member_evidence: IndexMap::new(),
            note: self.note.clone(),
            author: author.clone(),
            time: now,
        });
        review.revision = review.revision.next();
        review.updated = now;
        Ok(())
    }
}

fn check_quote(quote: &ReviewQuote, action: &ReviewAction) -> Result<(), Violation> {
    if !matches!(action, ReviewAction::Correct(_)) || action.corrects_members() {
        let rule = "'evidence' is for the action correct with a single value";
        return Err(Violation::new("/evidence", rule));
    }
    quote.check("/evidence")
}

fn set_extracted(review: &mut Review, state: ReviewState) {
    review.state = state;
    review.value = review.about.subject.value.clone();
    review.errors = review.about.subject.errors.clone();
}

fn checked_assignee(assignee: Option<&str>) -> Result<Option<String>, Violation> {
    match assignee.map(str::trim) {
        Some("") => Err(Violation::new("/assignee", "'assignee' must not be blank; null assigns nobody")),
        Some(name) if name.chars().nth(MAX_ASSIGNEE).is_some() => {
            let rule = format!("'assignee' may have at most {MAX_ASSIGNEE} characters");
            Err(Violation::new("/assignee", rule))
        }
        name => Ok(name.map(str::to_owned)),
    }
}

/// The value as the field has it.
fn corrected(review: &Review, field: Option<&Field>, value: &Value) -> Result<Value, Violation> {
    let field = field.ok_or_else(|| no_field(review))?;
    match read_answer(field, value) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => {
            let rule = "'value' states no value; the action not_stated marks the field as not stated";
            Err(Violation::new("/value", rule))
        }
        Err(problem) => Err(Violation::new("/value", problem)),
    }
}

/// The rule that a field without a value breaks.
fn missing(
    review: &Review,
    form: Option<&FormSchema>,
    field: Option<&Field>,
) -> Result<Vec<Violation>, Violation> {
    let (field, path) = (field.ok_or_else(|| no_field(review))?, &review.about.path);
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let list = form.and_then(|form| form.field_at(parent));
    if list.is_some_and(|list| matches!(list.kind, FieldType::Array(_))) {
        let rule = "an entry of a list cannot be marked as not stated; correct the list without it";
        return Err(Violation::new("/action", rule));
    }
    let message = format!("'{}' is required, and a reviewer marked it as not stated", field.name);
    Ok(field.required.then(|| Violation::new(path, message)).into_iter().collect())
}

fn no_field(review: &Review) -> Violation {
    let rule = match review.about.path.as_str() {
        "" => "a failed group has no values; retry the groups of its run that failed".to_owned(),
        path => format!("the form has no field at '{path}'"),
    };
    Violation::new("/action", rule)
}
