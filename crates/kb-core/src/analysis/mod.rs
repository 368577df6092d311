//! Turns texts into terms: the same way when they are indexed and when they are asked for.
//!
//! A text is brought into one Unicode form, cut at whatever is neither letter nor digit, and each word is reduced
//! to its stem by the rules of its language; then accents are dropped. Scripts without spaces between words give
//! overlapping pairs of characters. Numbers and identifiers can be found whole and by their parts.

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

/// Terms that are taken from one text at the most; what follows is not found by words.
pub const MAX_TERMS: usize = 1 << 16;

/// Tells each term of a text that is in a language (ISO 639-1), in order. A term has 64 characters at the most.
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
