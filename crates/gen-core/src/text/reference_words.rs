//! Words that need a word after them, as they refer to a source or are conjunctions. Folded, in English, German,
//! French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish and Danish.

use std::collections::HashSet;
use std::sync::LazyLock;

const REFERENCES: &str = "see per source sources reference ref cf siehe vgl quelle quellen laut gemass voir selon vedi fonte \
    vease segun fuente ver conforme zie volgens bron zob wedlug zrodlo se enligt \
    and or of by from than und oder von bei aus nach et ou de par dans di da en van lub och og";

static REFERENCE_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| REFERENCES.split_whitespace().collect());

/// Whether a folded word needs a word after it, such as the name of a source.
pub(crate) fn is_reference_word(folded: &str) -> bool {
    REFERENCE_WORDS.contains(folded)
}
