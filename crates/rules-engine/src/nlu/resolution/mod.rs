//! Fifth stage: the candidates that hold.

pub(crate) mod direct_answers;
pub(crate) mod selection;
