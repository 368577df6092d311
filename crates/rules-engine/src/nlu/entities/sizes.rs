//! Size words where the options are letters: "medium" is M.

use language::fold::fold_word;
use language::phrase::PhraseMatch;

use crate::nlu::context::field_profile::FieldProfile;
use crate::nlu::context::nlu_context::NluContext;

/// Size letters, as used for keys of the word list.
const LETTERS: [&str; 7] = ["xs", "s", "m", "l", "xl", "xxl", "xxxl"];

/// Whether all options of a field are sizes. Otherwise "large" would match unrelated letters.
pub(crate) fn has_size_options(profile: &FieldProfile<'_>) -> bool {
    let options = &profile.field.options;
    let is_size = |option: &String| option.is_empty() || LETTERS.contains(&fold_word(option).as_str());
    options.len() > 1 && options.iter().all(is_size)
}

/// Number of words and option of the size that the words name.
pub(crate) fn option<'f>(
    context: &NluContext<'_>,
    profile: &FieldProfile<'f>,
    at: usize,
) -> Option<(usize, &'f str)> {
    let PhraseMatch { tokens: words, value: key } = context.lexicon.list("size").key_at(&context.text, at)?;
    let option = profile.field.options.iter().find(|option| fold_word(option) == *key)?;
    Some((words, option.as_str()))
}
