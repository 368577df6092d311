//! Validates the options of a call.

use super::query::{Freshness, LanguageTag, Query, SafeSearch};
use crate::UtilitiesError;

/// Maximum terms of one call. Bounds time and cost. Chosen by hand; no measurement is recorded.
pub const MAX_TERMS: usize = 100;
/// Maximum characters of a term: what the providers accept.
pub const MAX_TERM: usize = 400;
/// Maximum hits of a term. Bounds the response. Chosen by hand; no measurement is recorded.
pub const MAX_HITS: i64 = 100;
/// Default hits of a term. A page of most engines. Chosen by hand; no measurement is recorded.
const USUAL_HITS: usize = 10;

/// The terms of a call, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms(Vec<String>);

impl Terms {
    /// Terms of a request body.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] unless there are 1 to [`MAX_TERMS`], each of 1 to [`MAX_TERM`] characters
    /// that are not all white space or control characters.
    pub fn from_body(terms: Vec<String>) -> Result<Self, UtilitiesError> {
        Self::checked(terms, "/search_terms", |place| format!("/search_terms/{place}"))
    }

    /// Terms of a URL query, where the parameter is repeated.
    ///
    /// # Errors
    /// As [`Terms::from_body`].
    pub fn from_query(terms: Vec<String>) -> Result<Self, UtilitiesError> {
        Self::checked(terms, "?search_terms", |_| "?search_terms".to_owned())
    }

    /// The headlines of the news: one empty term.
    #[must_use]
    pub fn headlines() -> Self {
        Self(vec![String::new()])
    }

    fn checked(
        terms: Vec<String>,
        whole: &str,
        part: impl Fn(usize) -> String,
    ) -> Result<Self, UtilitiesError> {
        if !(1..=MAX_TERMS).contains(&terms.len()) {
            let rule = format!("'search_terms' must have 1 to {MAX_TERMS} entries");
            return Err(UtilitiesError::invalid(whole, rule));
        }
        let fits = |term: &String| term.chars().nth(MAX_TERM).is_none() && !one_line(term).is_empty();
        match terms.iter().position(|term| !fits(term)) {
            Some(place) => Err(UtilitiesError::invalid(
                part(place),
                format!("each of 'search_terms' must have 1 to {MAX_TERM} characters and not be blank"),
            )),
            None => Ok(Self(terms)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The text on one line: each run of white space and control characters becomes one space.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Validated filters of the hits of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filters {
    limit: usize,
    language: Option<LanguageTag>,
    freshness: Option<Freshness>,
    safe_search: SafeSearch,
    pub(super) full_text: bool,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            limit: USUAL_HITS,
            language: None,
            freshness: None,
            safe_search: SafeSearch::default(),
            full_text: true,
        }
    }
}

impl Filters {
    pub(super) fn query(&self, term: &str) -> Query {
        Query {
            term: one_line(term),
            limit: self.limit,
            language: self.language.clone(),
            freshness: self.freshness,
            safe_search: self.safe_search,
            with_text: self.full_text,
        }
    }
}

/// Options of a search as requested. `None` selects the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Maximum hits of a term.
    pub limit: Option<i64>,
    /// A language tag.
    pub language: Option<String>,
    /// Name of a [`Freshness`].
    pub freshness: Option<String>,
    /// Name of a [`SafeSearch`].
    pub safe_search: Option<String>,
    /// Whether the texts of the first pages are requested.
    pub full_text: Option<bool>,
    /// Whether the options come from the URL query; it decides the paths in errors.
    pub in_query: bool,
}

impl SearchOptions {
    /// The filters, with missing options taken from `other`.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] when an option is out of range.
    pub fn filters_or(&self, other: Filters) -> Result<Filters, UtilitiesError> {
        let limit = match self.limit {
            None => other.limit,
            Some(limit) => usize::try_from(limit)
                .ok()
                .filter(|_| (1..=MAX_HITS).contains(&limit))
                .ok_or_else(|| self.refused("limit", &format!("must be from 1 to {MAX_HITS}")))?,
        };
        let language =
            match &self.language {
                None => other.language,
                Some(tag) => Some(LanguageTag::parse(tag).ok_or_else(|| {
                    self.refused("language", "must be a language tag such as 'de' or 'en-GB'")
                })?),
            };
        let freshness = match &self.freshness {
            None => other.freshness,
            Some(name) => Some(
                Freshness::ALL
                    .into_iter()
                    .find(|known| known.name() == name)
                    .ok_or_else(|| self.refused("freshness", &one_of(Freshness::ALL.map(Freshness::name))))?,
            ),
        };
        let safe_search = match &self.safe_search {
            None => other.safe_search,
            Some(name) => SafeSearch::ALL
                .into_iter()
                .find(|known| known.name() == name)
                .ok_or_else(|| self.refused("safeSearch", &one_of(SafeSearch::ALL.map(SafeSearch::name))))?,
        };
        let full_text = self.full_text.unwrap_or(other.full_text);
        Ok(Filters { limit, language, freshness, safe_search, full_text })
    }

    fn refused(&self, name: &str, rule: &str) -> UtilitiesError {
        let mark = if self.in_query { '?' } else { '/' };
        UtilitiesError::invalid(format!("{mark}{name}"), format!("'{name}' {rule}"))
    }
}

fn one_of<const N: usize>(names: [&str; N]) -> String {
    format!("must be one of {}", names.join(", "))
}
