//! Properties of HTML elements by their names and attributes.

use html::Tag;

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
pub(super) fn is_hidden(tag: &Tag<'_>) -> bool {
    let is_not_displayed = |style: &str| {
        let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
        style.to_ascii_lowercase().contains("display:none")
    };
    tag.raw_attribute("hidden").is_some()
        || tag.attribute("style").is_some_and(|style| is_not_displayed(&style))
}

/// The declared language, when it is a valid language tag (RFC 5646).
pub(super) fn language(tag: &Tag<'_>) -> Option<String> {
    let declared = tag.attribute("lang")?;
    let language = declared.trim();
    let sound =
        (2..=35).contains(&language.len()) && language.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    sound.then(|| language.to_owned())
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
