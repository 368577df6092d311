//! Last stage: dialogue acts, answers to the question that was asked, and updates of lists.

pub(crate) mod dialogue_acts;
pub(crate) mod direct_replies;
pub(crate) mod entries;
pub(crate) mod list_commands;
pub(crate) mod list_items;
pub(crate) mod list_updates;
pub(crate) mod retractions;
pub(crate) mod rows;
pub(crate) mod sums;
pub(crate) mod unprompted_rows;
