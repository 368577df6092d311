//! Properties of HTML elements by their names and attributes.

use html5ever::tokenizer::Tag;

/// Elements whose content is not text of the page.
pub(super) const SKIPPED: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select", "canvas",
];
/// Unclosed elements that end where the next of their kind begins.
pub(super) const CLOSED_BY_NEXT: &[&str] = &["p", "dt", "dd"];
/// Block elements.
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

/// Whether the element is declared hidden.
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

/// The declared language, when it is a valid language tag (RFC 5646).
pub(super) fn language(tag: &Tag) -> Option<String> {
    let declared = tag.attrs.iter().find(|attribute| &*attribute.name.local == "lang")?;
    let tag = declared.value.trim();
    let sound = (2..=35).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    sound.then(|| tag.to_owned())
}

/// Void elements, which have no content.
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

/// Inline elements, which do not separate words.
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
