//! The inputs of a call: documents by reference, or uploads that are not stored as files.

use std::sync::Arc;

use files_core::StagedFile;

use crate::UtilitiesError;

/// Maximum documents of one call. Bounds time and memory of a call. Chosen by hand; no measurement is
/// recorded.
pub const MAX_INPUTS: usize = 100;
/// Maximum characters of a reference.
pub const MAX_REFERENCE: usize = gen_core::MAX_REFERENCE;

/// The documents of a call, in its order.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// File ids, own file URLs or web URLs.
    References(Vec<String>),
    /// Uploads without file records. The receiver of the request removes their bytes afterwards.
    Uploads(Arc<[StagedFile]>),
}

impl Inputs {
    /// Documents by reference. A reference that names nothing is an error of its item.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] unless there are 1 to [`MAX_INPUTS`] references, none of them longer than
    /// [`MAX_REFERENCE`] characters.
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

    /// Whether they are uploads, which are referred to by their index.
    pub(crate) fn are_uploads(&self) -> bool {
        matches!(self, Self::Uploads(_))
    }

    /// The name of an input in the answer: the reference, or the upload's name.
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
