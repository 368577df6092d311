//! The forms to which the documents of a run were classified, and the documents that it leaves out.

use document::PageRanges;
use gen_core::Spend;
use intake_core::Quote;
use serde::{Deserialize, Serialize};

/// Documents left out that are stored with a run, one by one; of more only their number is. Bounds the size of a run.
pub(crate) const MAX_LEFT_OUT: usize = 1_000;

/// A form at a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunForm {
    /// Which form it is: `form_…`.
    pub form_id: String,
    /// The form's version.
    pub form_version: u32,
}

/// The form that a document was found to fill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentClass {
    /// Which of the agent's forms it fills.
    #[serde(flatten)]
    pub form: RunForm,
    /// The probability that the document fills it, 0 to 1.
    pub probability: f64,
    /// Texts of the document that tell it, with offsets in the whole document.
    pub evidence: Vec<Quote>,
}

/// What became of the classification of a run's documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Classification {
    /// The forms; never empty.
    pub forms: Vec<RunForm>,
    /// Documents and pages that no group has.
    pub left_out: Vec<LeftOutDocument>,
    /// How many more there are than `left_out` has.
    #[serde(default)]
    pub more_left_out: u32,
    /// What the questions to a model cost, which the run begins with.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub spent: Spend,
}

fn is_nothing(spent: &Spend) -> bool {
    *spent == Spend::default()
}

impl Classification {
    /// How many documents and pages no group has.
    #[must_use]
    pub fn left_out_count(&self) -> u32 {
        u32::try_from(self.left_out.len()).unwrap_or(u32::MAX).saturating_add(self.more_left_out)
    }

    pub(crate) fn leave_out(&mut self, document: LeftOutDocument) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push(document);
        } else {
            self.more_left_out = self.more_left_out.saturating_add(1);
        }
    }
}

/// A document, or pages of one, that no group has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOutDocument {
    /// Index of its group in the request.
    pub group: u32,
    /// Its index in that group.
    pub index: u32,
    /// The caller's reference.
    pub url: String,
    /// The pages; `None` for the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageRanges>,
    /// Stable code of the reason.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The likeliest form; `None` when it likely fills none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form_id: Option<String>,
    /// The probability of this, 0 to 1; `None` when the document was not classified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_beyond_what_is_stored() {
        let one = LeftOutDocument {
            group: 0,
            index: 0,
            url: "1".into(),
            pages: None,
            code: "no_form_fits".into(),
            message: "m".into(),
            form_id: None,
            probability: Some(0.9),
        };
        let mut found = Classification::default();
        (0..MAX_LEFT_OUT + 7).for_each(|_| found.leave_out(one.clone()));
        assert_eq!((found.left_out.len(), found.more_left_out), (MAX_LEFT_OUT, 7));
        assert_eq!(found.left_out_count() as usize, MAX_LEFT_OUT + 7);
    }
}
