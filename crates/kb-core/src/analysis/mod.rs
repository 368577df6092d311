//! Tokenises texts into terms, in the same way for indexing and for queries.
//!
//! A text is normalised to one Unicode form, split at everything that is neither letter nor digit, and each
//! word is stemmed by the rules of its language; then accents are dropped. Scripts without spaces between
//! words give overlapping bigrams. Numbers and identifiers can be found as a whole and by their parts.

mod forms;
mod query;
mod question_words;
mod scan;
mod term;
#[cfg(test)]
mod tests;

pub use query::{QueryWord, query_words};

use language::fold::normalise;

use forms::{WordForm, forms};
use term::TermWriter;

/// Maximum terms of one text. What follows is not indexed lexically. Protects time and memory.
pub const MAX_TERMS: usize = 1 << 16;

/// Calls `each` with each term of a text in a language (ISO 639-1), in order. A term has at most 64
/// characters.
pub fn terms(text: &str, language: Option<&str>, each: &mut dyn FnMut(&str)) {
    let text = normalise(text);
    let mut writer = TermWriter::of(language);
    let mut left = MAX_TERMS;
    forms(&text, true, &mut |form: WordForm<'_>| {
        if left > 0 {
            left -= 1;
            each(writer.term(&form));
        }
    });
}
