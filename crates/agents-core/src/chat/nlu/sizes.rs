//! Sizes by their words where the choices are letters: "medium" is M.

use super::context::NluContext;
use super::field_profile::FieldProfile;
use super::text::fold;

/// Letters of sizes, as a word list names them.
const LETTERS: [&str; 7] = ["xs", "s", "m", "l", "xl", "xxl", "xxxl"];

/// Whether all choices of a field are sizes: "large" says nothing of other letters.
pub(super) fn has_size_options(profile: &FieldProfile<'_>) -> bool {
    let options = &profile.field.options;
    let is_size = |option: &String| option.is_empty() || LETTERS.contains(&fold(option).as_str());
    options.len() > 1 && options.iter().all(is_size)
}

/// The choice that the words at a place name, and how many words that are.
pub(super) fn option<'f>(
    scene: &NluContext<'_>,
    profile: &FieldProfile<'f>,
    at: usize,
) -> Option<(usize, &'f str)> {
    let (words, key) = scene.lexicon.list("size").key(&scene.text, at)?;
    let option = profile.field.options.iter().find(|option| fold(option) == *key)?;
    Some((words, option.as_str()))
}
