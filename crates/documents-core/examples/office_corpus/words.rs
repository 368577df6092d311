//! Tokens of texts, and the agreement of two multisets of tokens.

use std::collections::HashMap;

/// Tokens separated by white space.
pub(crate) fn parted(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Words of Markdown: runs of letters and digits, in lower case, of the visible text.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut seen = without_addresses(&without_comments(text)).replace('\\', "");
    // markitdown underlines by tags, as Markdown has no mark for it.
    for tag in ["<u>", "</u>"] {
        seen = seen.replace(tag, "");
    }
    seen.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn without_comments(text: &str) -> String {
    let mut seen = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        seen.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    seen + rest
}

/// Removes parentheses that directly follow brackets.
fn without_addresses(text: &str) -> String {
    let mut seen = String::new();
    let mut rest = text;
    while let Some((before, address)) = rest.split_once("](") {
        seen.push_str(before);
        seen.push(']');
        rest = address.split_once(')').map_or("", |(_, after)| after);
    }
    seen + rest
}

/// Twice the common tokens over the tokens of both.
pub(crate) fn f1(found: &[String], reference: &[String]) -> f64 {
    2.0 * common(found, reference) as f64 / (found.len() + reference.len()).max(1) as f64
}

/// The common tokens as multisets.
pub(crate) fn common(found: &[String], reference: &[String]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for token in reference {
        *counts.entry(token).or_default() += 1;
    }
    let mut common = 0;
    for token in found {
        if let Some(count) = counts.get_mut(token.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    common
}
