//! The crates that Rust code names: `name::`, `use name`, and paths in strings of attributes.

use std::collections::BTreeSet;

use anyhow::{Context as _, anyhow};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Names in a file that may be crates. There are false positives; the check needs only the absence of a name.
pub(crate) fn names(path: &str, text: &str) -> anyhow::Result<BTreeSet<String>> {
    let text = text.strip_prefix("#!").filter(|rest| !rest.starts_with('[')).map_or(text, |_| "");
    let tokens: TokenStream = text.parse().map_err(|error| anyhow!("{error}")).context(path.to_owned())?;
    let mut found = BTreeSet::new();
    collect(tokens, &mut found);
    Ok(found)
}

fn collect(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if is_path_start(&tokens[index + 1..]) => {
                found.insert(name.to_string());
            }
            TokenTree::Ident(word) if *word == "use" || *word == "crate" => {
                found.extend(imported(&tokens[index + 1..]));
            }
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                found.extend(attribute_names(&tokens[index + 1..]))
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}

/// Whether `::` follows.
fn is_path_start(rest: &[TokenTree]) -> bool {
    let is_colon = |token: Option<&TokenTree>, spacing: Option<Spacing>| {
        matches!(token, Some(TokenTree::Punct(mark))
            if mark.as_char() == ':' && spacing.is_none_or(|spacing| mark.spacing() == spacing))
    };
    is_colon(rest.first(), Some(Spacing::Joint)) && is_colon(rest.get(1), None)
}

/// The names after `use` or `extern crate`: one, or the first segment of each in braces.
fn imported(rest: &[TokenTree]) -> Vec<String> {
    let rest: Vec<&TokenTree> =
        rest.iter().skip_while(|token| matches!(token, TokenTree::Punct(_))).collect();
    match rest.first() {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let parts =
                tokens.split(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','));
            parts.flat_map(imported).collect()
        }
        _ => Vec::new(),
    }
}

/// The first segments of paths in an attribute's strings, and of those in the code of doc comments.
fn attribute_names(rest: &[TokenTree]) -> Vec<String> {
    let group = rest.iter().find(|token| !matches!(token, TokenTree::Punct(_)));
    let Some(TokenTree::Group(group)) = group else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![group.stream()];
    while let Some(stream) = open.pop() {
        for token in stream {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Literal(literal) => found.extend(text_names(&literal.to_string())),
                _ => {}
            }
        }
    }
    found
}

/// The words before `::` in a text, and a text that is a single word.
pub(crate) fn text_names(text: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let word = |part: &str| part.rsplit(|letter| !is_name(letter)).next().unwrap_or_default().to_owned();
    let mut parts: Vec<&str> = text.split("::").collect();
    parts.pop();
    let whole = text.trim_matches('"');
    let single = whole.chars().all(is_name).then(|| whole.to_owned());
    let used = text.split("use ").skip(1).filter_map(|rest| rest.split(|letter| !is_name(letter)).next());
    parts
        .into_iter()
        .map(word)
        .chain(single)
        .chain(used.map(str::to_owned))
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn crates_are_named_by_paths_imports_macros_and_attributes() {
        let text = "use {a, ::b::c as x}; use d as e; extern crate f; #[g::main] fn main() { h::i!(j::k) }\n\
                    #[serde(with = \"l::m\", default = \"n\")] struct S;\n/// ```\n/// use o::P;\n/// ```\nstruct T;";
        let found = names("a.rs", text).unwrap();
        for name in ["a", "b", "d", "f", "g", "h", "j", "l", "n", "o"] {
            assert!(found.contains(name), "{name}");
        }
    }

    #[test]
    fn comments_strings_and_plain_words_name_no_crate() {
        let found = names("a.rs", "// a::b\nfn c(d: E) { \"f::g\"; h.i(); }").unwrap();
        assert!(["a", "c", "d", "f", "h"].iter().all(|name| !found.contains(*name)));
    }
}
