//! Second stage: the profiles of the form's fields, and where the message mentions them.

pub(crate) mod ambiguous_fields;
pub(crate) mod field_profile;
mod label_words;
pub(crate) mod nlu_context;
pub(crate) mod slot_type;
