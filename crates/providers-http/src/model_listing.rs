//! Reads paged lists of models within bounds on models, pages and names.

use gen_core::{Fault, ListedModel, ProviderError};

// They bound memory and time of hostile answers.
/// Maximum number of models.
const MODELS: usize = 10_000;

/// Maximum number of pages.
const PAGES: usize = 100;

/// Maximum number of characters of a name; a model id cannot have a longer one.
const NAME: usize = 256;

/// The models of the pages so far.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    models: Vec<ListedModel>,
    pages: usize,
}

impl Listing {
    /// Adds the page at `cursor`. Returns the cursor of the next page: `next`, or `None` once a limit is
    /// reached.
    pub(crate) fn page(
        &mut self,
        models: impl Iterator<Item = ListedModel>,
        cursor: Option<String>,
        next: Option<String>,
    ) -> Result<Option<String>, ProviderError> {
        let models = models.filter(|model| is_name(&model.model));
        self.models.extend(
            models
                .take(MODELS - self.models.len())
                .map(|model| ListedModel { name: model.name.filter(|name| is_name(name)), ..model }),
        );
        self.pages += 1;
        if next.is_some() && next == cursor {
            let message = "the provider's list of models repeats its cursor";
            return Err(ProviderError::new(Fault::Protocol, message));
        }
        Ok(next.filter(|_| self.models.len() < MODELS && self.pages < PAGES))
    }

    pub(crate) fn models(self) -> Vec<ListedModel> {
        self.models
    }
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().nth(NAME).is_none() && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str) -> ListedModel {
        ListedModel {
            model: name.to_owned(),
            name: Some(name.to_owned()),
            kind: None,
            context_tokens: None,
            output_tokens: None,
        }
    }

    fn cursor(number: usize) -> Option<String> {
        Some(number.to_string())
    }

    #[test]
    fn a_list_ends_after_so_many_models_and_after_so_many_pages() {
        let mut listing = Listing::default();
        let many = (0..MODELS + 5).map(|number| model(&number.to_string()));
        assert_eq!(listing.page(many, None, cursor(1)).unwrap(), None);
        assert_eq!(listing.models().len(), MODELS);
        let mut listing = Listing::default();
        let mut pages = 1;
        while listing.page([model("one")].into_iter(), cursor(pages - 1), cursor(pages)).unwrap().is_some() {
            pages += 1;
        }
        assert_eq!(pages, PAGES);
    }

    #[test]
    fn a_list_that_goes_round_in_a_circle_is_refused() {
        let error = Listing::default().page(std::iter::empty(), cursor(1), cursor(1)).unwrap_err();
        assert_eq!(error.fault, Fault::Protocol);
    }

    #[test]
    fn names_that_no_model_id_can_hold_are_left_out() {
        let mut listing = Listing::default();
        let names = ["", " ", "a\nb", &"x".repeat(257), "fine"];
        listing.page(names.into_iter().map(model), None, None).unwrap();
        let names: Vec<_> = listing.models().into_iter().map(|model| model.model).collect();
        assert_eq!(names, ["fine"]);
    }
}
