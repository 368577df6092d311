//! The role of a paragraph by the name of its style.

use language::fold::fold_phrase;
use language::layout::LayoutPhrase;

/// The role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Text,
    Heading(u8),
    Quote,
    Code,
}

/// The role by the name of a style; `None` for other names. Word stores English names, other programs those of their
/// language.
pub(super) fn by_name(name: &str) -> Option<Role> {
    let name = fold_phrase(name);
    let level = LayoutPhrase::HeadingStyle
        .words()
        .find_map(|heading| name.strip_prefix(heading)?.trim().parse().ok());
    match level {
        Some(level @ 1..=9) => Some(Role::Heading(u8::min(level, 6))),
        _ if LayoutPhrase::TitleStyle.has(&name) => Some(Role::Heading(1)),
        _ if LayoutPhrase::CodeStyle.has(&name) => Some(Role::Code),
        _ => LayoutPhrase::QuoteStyle.has(&name).then_some(Role::Quote),
    }
}

/// The role by an outline level, from 0.
pub(super) fn by_outline(level: u8) -> Role {
    if level < 9 { Role::Heading((level + 1).min(6)) } else { Role::Text }
}
