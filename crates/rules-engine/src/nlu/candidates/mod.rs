//! Fourth stage: candidate values of the fields, each with a score.

pub(crate) mod booleans;
pub(crate) mod choices;
pub(crate) mod classes;
pub(crate) mod contrast;
pub(crate) mod corrections;
pub(crate) mod counts;
pub(crate) mod field_reference;
pub(crate) mod key_values;
pub(crate) mod labelled_values;
pub(crate) mod money;
pub(crate) mod name_cues;
pub(crate) mod named_changes;
pub(crate) mod places;
pub(crate) mod removals;
pub(crate) mod typed_values;
