//! Marks that boolean fields ask for: what a person puts on a page beside its print.

use super::{Field, FieldType};

/// A mark on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A ticked or crossed box.
    Check,
    /// A signature by hand, or a digital one.
    Signature,
    /// A stamp or seal.
    Stamp,
}

impl Mark {
    /// What a model is told of the value.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Check => {
                "True if its box is ticked or crossed, false if the box is there and empty, null if no such box is seen."
            }
            Self::Signature => {
                "True if it is signed, false if the place to sign is there and empty, null if no such place is seen. A \
                 printed name is no signature."
            }
            Self::Stamp => {
                "True if it is stamped or sealed, false if the place for it is there and empty, null if no such place is \
                 seen. A printed letterhead is no stamp."
            }
        }
    }
}

impl Field {
    /// The mark that a boolean field with the format `checked`, `signed` or `stamped` asks for.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        if !matches!(self.kind, FieldType::Boolean) {
            return None;
        }
        match self.format.as_deref()? {
            "checked" => Some(Mark::Check),
            "signed" => Some(Mark::Signature),
            "stamped" => Some(Mark::Stamp),
            _ => None,
        }
    }
}
