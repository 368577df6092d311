//! What the names and attributes of elements tell.

use html5ever::tokenizer::Tag;

/// Elements whose content is no text of the page.
pub(super) const SKIPPED: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select", "canvas",
];
/// Elements that end where the next of their kind begins, when they are not closed.
pub(super) const CLOSED_BY_NEXT: &[&str] = &["p", "dt", "dd"];
/// Elements that begin a new block.
pub(super) const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "header",
    "footer",
    "main",
    "nav",
    "aside",
    "address",
    "form",
    "fieldset",
    "figure",
    "figcaption",
    "dl",
    "dt",
    "dd",
    "hr",
    "body",
    "html",
    "details",
    "summary",
    "legend",
    "caption",
    "center",
];

/// Whether the element is not shown, as far as it says so itself.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    tag.attrs.iter().any(|attribute| match &*attribute.name.local {
        "hidden" => true,
        "style" => {
            let style: String = attribute.value.chars().filter(|c| !c.is_whitespace()).collect();
            style.to_ascii_lowercase().contains("display:none")
        }
        _ => false,
    })
}

/// The language that an element declares, where it is written as a language tag (RFC 5646).
pub(super) fn language(tag: &Tag) -> Option<String> {
    let declared = tag.attrs.iter().find(|attribute| &*attribute.name.local == "lang")?;
    let tag = declared.value.trim();
    let sound = (2..=35).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    sound.then(|| tag.to_owned())
}

/// Whether the element never has content.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "br" | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "area"
            | "base"
            | "col"
            | "embed"
            | "source"
            | "wbr"
    )
}

/// Whether words go on across the element's edges.
pub(super) fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "i"
            | "em"
            | "strong"
            | "span"
            | "u"
            | "s"
            | "sub"
            | "sup"
            | "small"
            | "font"
            | "code"
            | "mark"
            | "abbr"
    )
}
