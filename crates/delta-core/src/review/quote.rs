//! What reviewers quote for corrections: of a value, and of the members of a list or an object.

use std::collections::HashSet;

use forms_core::{Field, FormSchema, pointer_tokens};
use serde_json::Value;
use shared_core::Violation;

use super::model::Review;

// They bound what a review stores. Chosen by hand; no measurement is recorded.
/// Most characters of a quote.
pub const MAX_QUOTE: usize = 2_000;
/// Most quotes for the members of a list or an object.
pub const MAX_MEMBER_QUOTES: usize = 200;
/// Most characters of the pointer to a member.
const MAX_POINTER: usize = 1_000;

/// What a reviewer quotes for a correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewQuote {
    /// Name of the document, or the caller's reference to it; `None` for any document of the group.
    pub document: Option<String>,
    /// Page, from 1; `None` for any page.
    pub page: Option<u32>,
    /// The text that states the value.
    pub quote: String,
}

impl ReviewQuote {
    /// Checks its length; `path` is that of the quote below the decision.
    pub(super) fn check(&self, path: &str) -> Result<(), Violation> {
        if self.quote.trim().is_empty() || self.quote.chars().nth(MAX_QUOTE).is_some() {
            let rule = format!("'quote' must have 1 to {MAX_QUOTE} characters, not only spaces");
            return Err(Violation::new(format!("{path}/quote"), rule));
        }
        Ok(())
    }
}

/// What a reviewer quotes for a member of a corrected list or object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberQuote {
    /// JSON pointer of a single value in the corrected one, such as `/2/amount`.
    pub path: String,
    /// What states it.
    pub quote: ReviewQuote,
}

/// The path of a member's quote below its decision.
pub(super) fn member_place(place: usize) -> String {
    format!("/member_evidence/{place}")
}

/// Checks the number, the lengths and the pointers of quotes for members.
pub(super) fn check_member_quotes(quotes: &[MemberQuote]) -> Result<(), Violation> {
    if quotes.len() > MAX_MEMBER_QUOTES {
        let rule = format!("'member_evidence' may have at most {MAX_MEMBER_QUOTES} entries");
        return Err(Violation::new("/member_evidence", rule));
    }
    let mut known = HashSet::new();
    for (place, MemberQuote { path, quote }) in quotes.iter().enumerate() {
        let own = member_place(place);
        quote.check(&own)?;
        if path.chars().nth(MAX_POINTER).is_some() || !path.starts_with('/') {
            let rule = format!("'path' must be a JSON pointer of 1 to {MAX_POINTER} characters");
            return Err(Violation::new(format!("{own}/path"), rule));
        }
        if !known.insert(path) {
            return Err(Violation::new(format!("{own}/path"), format!("there are two quotes for '{path}'")));
        }
    }
    Ok(())
}

/// The field and the value of a member of a corrected review.
pub(super) fn member<'a>(
    form: &'a FormSchema,
    review: &'a Review,
    path: &str,
) -> Result<(&'a Field, &'a Value), String> {
    let mut value = &review.value;
    for token in pointer_tokens(path) {
        let found = match value {
            Value::Object(members) => members.get(&token),
            Value::Array(items) => token.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        };
        value = found.ok_or_else(|| format!("the corrected value has no '{path}'"))?;
    }
    if value.is_null() || value.is_array() || value.is_object() {
        return Err(format!("'{path}' is no single value of the corrected one"));
    }
    let field = form.field_at(&format!("{}{path}", review.about.path));
    Ok((field.ok_or_else(|| format!("the form has no field at '{path}'"))?, value))
}
