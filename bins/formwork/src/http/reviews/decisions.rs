//! Decisions of reviewers.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::review::{
    MAX_ASSIGNEE, MAX_DECISIONS, MAX_MEMBER_QUOTES, MAX_NOTE, MAX_QUOTE, MemberQuote, ReviewAction,
    ReviewDecision, ReviewQuote,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::records::ReviewDetails;
use super::{examples, load};
use crate::app::AppState;
use crate::http::idempotency::Effects;
use crate::http::lists::nullable;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller};
use crate::http::rules::NOT_BLANK;
use crate::http::{ApiError, HandlerResult};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/reviews/decisions",
            "decide_reviews",
            "Accepts or corrects values, marks them as not stated, opens them again, or assigns them. All decisions \
             hold or none does.",
        )
        .body::<DecideReviews>()
        .example(examples::decisions)
        .answers::<DecidedReviews>()
        .example(examples::decided)
        .fails(&[404, 409])
        .recovers(recover_decisions)
        .to_once(decide_reviews);
}

#[derive(Deserialize, JsonSchema)]
struct DecideReviews {
    #[schemars(length(min = 1, max = MAX_DECISIONS))]
    decisions: Vec<DecisionBody>,
}

/// A decision about one review.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ReviewDecision")]
struct DecisionBody {
    review_id: String,
    action: ActionName,
    /// The right value, for the action correct.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<Value>")]
    value: Option<Option<Value>>,
    /// Who is to decide, for the action assign; null for nobody in particular.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>", length(max = MAX_ASSIGNEE))]
    assignee: Option<Option<String>>,
    /// Where the documents state the value of a correction. A quote that does not stand there is refused.
    evidence: Option<QuoteBody>,
    /// Where the documents state members of a corrected list or object. A quote that does not stand there is refused.
    #[schemars(length(max = MAX_MEMBER_QUOTES))]
    member_evidence: Option<Vec<MemberQuoteBody>>,
    /// A note for the history.
    #[schemars(length(max = MAX_NOTE))]
    note: Option<String>,
    /// The revision that the reviewer saw. With another one, nothing is decided (409).
    revision: Option<i64>,
}

/// A quote of a document.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ReviewQuote")]
struct QuoteBody {
    /// Name of the document, or its file id or URL; any document of the group when absent.
    document: Option<String>,
    /// Page, from 1; any page when absent.
    #[schemars(range(min = 1))]
    page: Option<u32>,
    /// Text of the document. Case and the kind and number of spaces do not matter.
    #[schemars(length(max = MAX_QUOTE), extend("pattern" = NOT_BLANK))]
    quote: String,
}

impl From<QuoteBody> for ReviewQuote {
    fn from(QuoteBody { document, page, quote }: QuoteBody) -> Self {
        Self { document, page, quote }
    }
}

/// A quote for a member of a corrected list or object.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ReviewMemberQuote")]
struct MemberQuoteBody {
    /// JSON pointer of a single value in `value`, such as /2/amount.
    path: String,
    #[serde(flatten)]
    quote: QuoteBody,
}

/// What to do.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ReviewAction", inline)]
enum ActionName {
    Accept,
    Correct,
    NotStated,
    Reopen,
    Assign,
}

#[derive(Serialize, JsonSchema)]
struct DecidedReviews {
    /// In the order of the decisions.
    reviews: Vec<ReviewDetails>,
}

impl DecisionBody {
    fn read(self, place: usize) -> Result<ReviewDecision, ApiError> {
        let missing = |field: &str, action: &str| {
            ApiError::invalid(
                format!("/decisions/{place}/{field}"),
                format!("the action {action} needs '{field}'"),
            )
        };
        let action = match self.action {
            ActionName::Accept => ReviewAction::Accept,
            ActionName::Correct => {
                let value = self.value.ok_or_else(|| missing("value", "correct"))?;
                ReviewAction::Correct(value.unwrap_or_default())
            }
            ActionName::NotStated => ReviewAction::MarkNotStated,
            ActionName::Reopen => ReviewAction::Reopen,
            ActionName::Assign => {
                ReviewAction::Assign(self.assignee.ok_or_else(|| missing("assignee", "assign"))?)
            }
        };
        let quote = self.evidence.map(ReviewQuote::from);
        let member = |MemberQuoteBody { path, quote }| MemberQuote { path, quote: quote.into() };
        let member_quotes = self.member_evidence.unwrap_or_default().into_iter().map(member).collect();
        let note = self.note.unwrap_or_default();
        let (review_id, revision) = (self.review_id, self.revision);
        Ok(ReviewDecision { review_id, action, quote, member_quotes, note, revision })
    }
}

async fn decide_reviews(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(body): Body<DecideReviews>,
) -> HandlerResult {
    let decisions = body.decisions.into_iter().enumerate().map(|(place, one)| one.read(place));
    let decisions = decisions.collect::<Result<Vec<_>, _>>()?;
    let reviews = state.reviews.decide(&who.scope, &who.author, &decisions).await?;
    let reviews = reviews.into_iter().map(ReviewDetails::from).collect();
    Ok(HttpResponse::Ok().json(DecidedReviews { reviews }))
}

/// The answer to decisions whose request ended without one.
async fn recover_decisions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    effects: Effects,
) -> HandlerResult {
    let reviews = load(&state, &who.scope, effects.ids("review").unwrap_or_default()).await?;
    let reviews = reviews.into_iter().map(ReviewDetails::from).collect();
    Ok(HttpResponse::Ok().json(DecidedReviews { reviews }))
}
