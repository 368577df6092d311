//! Sizes by their words where the choices are letters: "medium" is M.

use super::profile::Profile;
use super::scene::Scene;
use super::text::plain;

/// Letters of sizes, as a word list names them.
const LETTERS: [&str; 7] = ["xs", "s", "m", "l", "xl", "xxl", "xxxl"];

/// The choice that the words at a place name, and how many words that are. Only where all choices are sizes, since
/// "large" says nothing of other letters.
pub(super) fn option<'f>(scene: &Scene<'_>, profile: &Profile<'f>, at: usize) -> Option<(usize, &'f str)> {
    let options = &profile.field.options;
    let (words, key) = scene.lexicon.list("size").key(&scene.text, at)?;
    let is_size = |option: &String| option.is_empty() || LETTERS.contains(&plain(option).as_str());
    if options.len() < 2 || !options.iter().all(is_size) {
        return None;
    }
    options.iter().find(|option| plain(option) == *key).map(|option| (words, option.as_str()))
}
