//! Markdown syntax: marks of inline elements, characters that would begin another block, languages of code blocks.

use html::{Id, Tree};

pub(super) fn is_code(name: &str) -> bool {
    matches!(name, "code" | "kbd" | "samp" | "tt")
}

/// Normalises elements with the same Markdown mark to one name.
pub(super) fn marks(name: &str) -> &str {
    match name {
        "strong" | "b" => "b",
        "em" | "i" => "i",
        "code" | "kbd" | "samp" | "tt" => "code",
        other => other,
    }
}

pub(super) fn is_item_line(row: &str) -> bool {
    let row = row.trim_start_matches([' ', '>']);
    row.starts_with("- ") || row.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ")
}

/// Escapes the beginning of a paragraph that Markdown would read as another block.
pub(super) fn escaped_begin(text: &str) -> String {
    let is_mark = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ')
        || ["> ", "- ", "+ ", "* ", "```", "~~~", "---", "==="].iter().any(|mark| text.starts_with(mark));
    if is_mark { format!("\\{text}") } else { text.to_owned() }
}

/// The declared language of a code block.
pub(super) fn language(tree: &Tree<'_>, id: Id) -> String {
    let classes = tree
        .range(id)
        .take(3)
        .chain(tree.ancestors(id).take(2))
        .filter_map(|id| tree.raw_attribute(id, "class"));
    let named = classes.flat_map(str::split_ascii_whitespace).find_map(|class| {
        let name = ["language-", "lang-", "highlight-source-", "brush:"]
            .iter()
            .find_map(|begin| class.strip_prefix(begin))?;
        // Longer names are no languages. Chosen by hand; no measurement recorded.
        let fits = name.len() <= 20
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#-".contains(&byte));
        fits.then(|| name.to_ascii_lowercase())
    });
    named.unwrap_or_default()
}
