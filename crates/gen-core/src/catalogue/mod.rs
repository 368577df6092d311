//! Kinds, context windows and prices of models, beyond what their providers list. The shipped table can be
//! overridden. An entry does not mean that the model exists.

mod kind_guess;
mod price;
mod table;

use std::collections::BTreeMap;

pub use price::{LongPrice, Price};

pub use kind_guess::{KindGuess, guess_open_model};

pub(crate) use kind_guess::guess;

use crate::{ModelId, ModelKind, Provider};

/// Maximum tokens that are reserved for an answer when the request sets no limit. A model's own limit is
/// often twenty times as high, and reserving it would exhaust any budget. Chosen by hand; no measurement is
/// recorded.
const USUAL_OUTPUT: u32 = 4_096;

/// What is known of a model; an unknown value is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The display name.
    pub name: Option<String>,
    /// The capability.
    pub kind: Option<ModelKind>,
    /// Maximum input in tokens.
    pub context_tokens: Option<u32>,
    /// Maximum output in tokens.
    pub output_tokens: Option<u32>,
    /// The prices.
    pub price: Option<Price>,
    /// Whether a text model takes pictures.
    pub vision: Option<bool>,
}

impl CatalogueEntry {
    /// This entry, with unknown values from `other`.
    #[must_use]
    fn or_else(self, other: Self) -> Self {
        Self {
            name: self.name.or(other.name),
            kind: self.kind.or(other.kind),
            context_tokens: self.context_tokens.or(other.context_tokens),
            output_tokens: self.output_tokens.or(other.output_tokens),
            price: self.price.or(other.price),
            vision: self.vision.or(other.vision),
        }
    }
}

/// Entries by provider and model name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: BTreeMap<Provider, BTreeMap<String, CatalogueEntry>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::empty().with_overrides(table::entries())
    }
}

impl Catalogue {
    /// A catalogue without entries.
    #[must_use]
    pub fn empty() -> Self {
        Self { entries: BTreeMap::new() }
    }

    /// Adds overrides. A value that an override leaves open stays as it was.
    #[must_use]
    pub fn with_overrides(mut self, overrides: impl IntoIterator<Item = (ModelId, CatalogueEntry)>) -> Self {
        for (id, entry) in overrides {
            let old = self.find(&id).cloned().unwrap_or_default();
            self.entries.entry(id.provider).or_default().insert(id.model, entry.or_else(old));
        }
        self
    }

    /// The entry of a model. A name with a date at its end falls back to the name without it.
    #[must_use]
    pub fn find(&self, id: &ModelId) -> Option<&CatalogueEntry> {
        let entries = self.entries.get(&id.provider)?;
        entries.get(&id.model).or_else(|| entries.get(strip_date(&id.model)?))
    }

    /// The prices of a model; `None` when unknown.
    #[must_use]
    pub fn price(&self, id: &ModelId) -> Option<Price> {
        self.find(id)?.price
    }

    pub(crate) fn is_free(&self, id: &ModelId) -> bool {
        self.price(id).is_some_and(|price| price.is_free())
    }

    /// Tokens to reserve for an answer without a limit of its own.
    pub(crate) fn usual_output(&self, id: &ModelId) -> u32 {
        let limit = self.find(id).and_then(|entry| entry.output_tokens);
        limit.map_or(USUAL_OUTPUT, |limit| limit.min(USUAL_OUTPUT))
    }

    /// The entries of a provider.
    pub(crate) fn of(&self, provider: Provider) -> impl Iterator<Item = (&str, &CatalogueEntry)> {
        self.entries.get(&provider).into_iter().flatten().map(|(name, entry)| (name.as_str(), entry))
    }
}

/// The name without a suffix `-YYYY-MM-DD`, `-YYYYMMDD`, `-YYMM` or `-latest`; `None` without such a suffix.
fn strip_date(model: &str) -> Option<&str> {
    let (rest, last) = model.rsplit_once('-')?;
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    if last == "latest" || digits(last, 8) || digits(last, 4) {
        return Some(rest);
    }
    let (rest, month) = rest.rsplit_once('-')?;
    let (rest, year) = rest.rsplit_once('-')?;
    (digits(last, 2) && digits(month, 2) && digits(year, 4)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ModelId {
        text.parse().unwrap()
    }

    #[test]
    fn a_dated_name_is_that_of_the_model_without_the_date() {
        for (dated, name) in [
            ("gpt-6-luna-2026-09-01", Some("gpt-6-luna")),
            ("claude-haiku-4-5-20251001", Some("claude-haiku-4-5")),
            ("mistral-large-2512", Some("mistral-large")),
            ("mistral-large-latest", Some("mistral-large")),
            ("gpt-6-luna", None),
            ("gemini-3-5", None),
            ("x", None),
        ] {
            assert_eq!(strip_date(dated), name, "{dated}");
        }
    }

    #[test]
    fn an_override_goes_before_the_table_and_leaves_what_it_does_not_say() {
        let (known, entry) = table::entries().find(|(_, entry)| entry.price.is_some()).unwrap();
        let other = CatalogueEntry { context_tokens: Some(7), ..CatalogueEntry::default() };
        let own = CatalogueEntry { price: Some(Price::free()), ..CatalogueEntry::default() };
        let catalogue = Catalogue::default()
            .with_overrides([(known.clone(), other), (id("gpu/llama@formwork"), own.clone())]);
        let found = catalogue.find(&known).unwrap();
        assert_eq!((found.context_tokens, found.price), (Some(7), entry.price));
        assert_eq!(catalogue.find(&id("gpu/llama@formwork")), Some(&own));
        assert_eq!(catalogue.price(&id("gpu/other@formwork")), None, "unknown is not free");
    }

    #[test]
    fn every_entry_of_the_table_says_what_the_model_does_and_no_price_is_a_slip() {
        let mut count = 0;
        for (id, entry) in table::entries() {
            count += 1;
            assert_eq!(id.to_string().parse::<ModelId>().unwrap(), id);
            let kind = entry.kind.unwrap();
            if let KindGuess::Kind(guessed) = guess(&id.model) {
                assert_eq!(guessed, kind, "{id}");
            }
            let Some(price) = entry.price.filter(|_| !id.is_extractive()) else { continue };
            // From a fiftieth of a cent to a thousand dollars for a million tokens.
            assert!((200_000..=1_000_000_000_000).contains(&price.input), "{id}");
            assert!(price.output >= price.input || kind != ModelKind::TextToText, "{id}");
            assert!(price.cached.is_none_or(|cached| cached <= price.input), "{id}");
        }
        assert!(count > 30);
        assert!(Catalogue::default().is_free(&ModelId::extractive()));
    }
}
