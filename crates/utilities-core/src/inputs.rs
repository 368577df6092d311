//! What a call is about: documents by reference, or uploads that are no files.

use std::sync::Arc;

use files_core::StagedFile;

use crate::UtilitiesError;

/// Documents of one call at the most.
pub const MAX_INPUTS: usize = 100;
/// Characters of a reference at the most.
pub const MAX_REFERENCE: usize = gen_core::MAX_REFERENCE;

/// The documents of a call, in its order.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// File ids, own file URLs or web URLs.
    References(Vec<String>),
    /// Uploads without records. Whoever received them removes their bytes afterwards.
    Uploads(Arc<[StagedFile]>),
}

impl Inputs {
    /// Documents by reference; one that names nothing is its item's error.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] unless there are 1 to [`MAX_INPUTS`], none of them longer than [`MAX_REFERENCE`]
    /// characters.
    pub fn references(urls: Vec<String>) -> Result<Self, UtilitiesError> {
        check_count(urls.len())?;
        match urls.iter().position(|url| url.chars().nth(MAX_REFERENCE).is_some()) {
            Some(place) => Err(UtilitiesError::invalid(
                format!("/urls/{place}"),
                format!("each of 'urls' must have at most {MAX_REFERENCE} characters"),
            )),
            None => Ok(Self::References(urls)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::References(urls) => urls.len(),
            Self::Uploads(staged) => staged.len(),
        }
    }

    /// Whether they are uploads, which are referred to by their places.
    pub(crate) fn are_uploads(&self) -> bool {
        matches!(self, Self::Uploads(_))
    }

    /// What the answer calls an input: the reference, or the upload's name.
    pub(crate) fn name(&self, place: usize) -> String {
        let name = match self {
            Self::References(urls) => urls.get(place).cloned(),
            Self::Uploads(staged) => staged.get(place).map(|staged| staged.name().to_owned()),
        };
        name.unwrap_or_default()
    }
}

fn check_count(count: usize) -> Result<(), UtilitiesError> {
    if (1..=MAX_INPUTS).contains(&count) {
        return Ok(());
    }
    Err(UtilitiesError::invalid("/urls", format!("'urls' must have 1 to {MAX_INPUTS} entries")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_one_to_a_hundred_references_of_bounded_length() {
        let of = |count: usize| Inputs::references(vec!["1".to_owned(); count]);
        assert!(of(1).is_ok() && of(MAX_INPUTS).is_ok());
        assert!(of(0).is_err() && of(MAX_INPUTS + 1).is_err());
        assert!(Inputs::references(vec!["1".to_owned(), " \u{2003}".to_owned()]).is_ok());
        let refused = Inputs::references(vec!["1".to_owned(), "x".repeat(MAX_REFERENCE + 1)]);
        assert!(matches!(refused, Err(UtilitiesError::Invalid(rule)) if rule.path == "/urls/1"));
    }
}
