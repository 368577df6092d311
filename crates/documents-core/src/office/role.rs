//! The role of a paragraph by the name of its style.

/// The role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Text,
    Heading(u8),
    Quote,
    Code,
}

/// Localised names of the style `Heading`; Word itself stores the English name.
const HEADINGS: &[&str] = &[
    "heading",
    "überschrift",
    "titre",
    "título",
    "titulo",
    "titolo",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "nagłówek",
    "nadpis",
    "заголовок",
    "başlık",
    "címsor",
    "titlu",
    "επικεφαλίδα",
    "标题",
    "標題",
    "見出し",
    "제목",
    "header",
];

const CODE: &[&str] = &[
    "code",
    "source code",
    "html preformatted",
    "code block",
    "codeblock",
    "preformatted text",
    "macro text",
];

const QUOTES: &[&str] =
    &["quote", "intense quote", "block text", "block quotation", "blockquote", "quotations"];

/// The role by the name of a style; `None` for other names.
pub(super) fn by_name(name: &str) -> Option<Role> {
    let name = name.trim().to_lowercase();
    if name == "title" {
        return Some(Role::Heading(1));
    }
    let level = HEADINGS.iter().find_map(|heading| name.strip_prefix(heading)?.trim().parse::<u8>().ok());
    if let Some(level) = level.filter(|level| (1..=9).contains(level)) {
        return Some(Role::Heading(level.min(6)));
    }
    if CODE.contains(&name.as_str()) {
        return Some(Role::Code);
    }
    QUOTES.contains(&name.as_str()).then_some(Role::Quote)
}

/// The role by an outline level, from 0.
pub(super) fn by_outline(level: u8) -> Role {
    if level < 9 { Role::Heading((level + 1).min(6)) } else { Role::Text }
}
