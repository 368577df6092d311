//! Styles: properties that paragraphs and runs have through their style, its own or inherited.

use std::collections::HashMap;

use super::super::package::Relations;
use super::super::role::{Role, by_name, by_outline};
use crate::Limits;
use crate::xml::{self, Node};

/// The list position of a paragraph: the list's id and the level from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListPlace {
    pub(super) list: Option<String>,
    pub(super) level: Option<u8>,
}

#[derive(Clone, Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    place: ListPlace,
    hidden: Option<bool>,
}

/// The styles of a document by their ids.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    default_paragraph: Option<String>,
    language: Option<String>,
}

/// Maximum length of an inheritance chain. Protects time: styles may inherit from each other.
const CHAIN: usize = 12;

impl Styles {
    pub(super) fn read(text: &str, limits: &Limits) -> Self {
        let mut styles = Self::default();
        let Ok(tree) = xml::tree(text, limits) else { return styles };
        let Some(root) = tree.root() else { return styles };
        let defaults = root.path(&["w:docDefaults", "w:rPrDefault", "w:rPr", "w:lang"]);
        styles.language = defaults.and_then(|lang| lang.attribute("w:val")).map(str::to_owned);
        for node in root.all("w:style") {
            let Some(id) = node.attribute("w:styleId") else { continue };
            if node.attribute("w:type") == Some("paragraph") && node.attribute("w:default").is_some_and(is_on)
            {
                styles.default_paragraph = Some(id.to_owned());
            }
            styles.styles.insert(id.to_owned(), style(node));
        }
        styles
    }

    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The style and its ancestors.
    fn chain<'s>(&'s self, id: Option<&'s str>) -> impl Iterator<Item = &'s Style> {
        let first = id.and_then(|id| self.styles.get(id));
        let next = |style: &&'s Style| style.based_on.as_deref().and_then(|id| self.styles.get(id));
        std::iter::successors(first, next).take(CHAIN)
    }

    /// The role of a paragraph with the style.
    pub(super) fn role(&self, id: Option<&str>) -> Role {
        let id = id.or(self.default_paragraph.as_deref());
        for style in self.chain(id) {
            if let Some(level) = style.outline {
                return by_outline(level);
            }
            if let Some(role) = by_name(&style.name) {
                return role;
            }
        }
        // The style is referenced but not defined.
        match id.filter(|id| !self.styles.contains_key(*id)) {
            Some(id) => by_name(id).unwrap_or_default(),
            None => Role::Text,
        }
    }

    /// The list position of the style's paragraphs.
    pub(super) fn place(&self, id: Option<&str>) -> ListPlace {
        let mut place = ListPlace::default();
        for style in self.chain(id.or(self.default_paragraph.as_deref())) {
            place.level = place.level.or(style.place.level);
            place.list = place.list.or_else(|| style.place.list.clone());
        }
        place
    }

    /// Whether text of the style is hidden.
    pub(super) fn is_hidden(&self, id: Option<&str>) -> bool {
        self.chain(id).find_map(|style| style.hidden).unwrap_or(false)
    }
}

fn style(node: Node<'_>) -> Style {
    let value = |path: &[&str]| node.path(path).and_then(|node| node.attribute("w:val"));
    Style {
        name: value(&["w:name"]).unwrap_or_default().to_lowercase(),
        based_on: value(&["w:basedOn"]).map(str::to_owned),
        outline: value(&["w:pPr", "w:outlineLvl"]).and_then(|level| level.parse().ok()),
        place: node.path(&["w:pPr", "w:numPr"]).map(list_place).unwrap_or_default(),
        hidden: node.path(&["w:rPr", "w:vanish"]).map(is_set),
    }
}

/// The list position in a `w:numPr`.
pub(super) fn list_place(node: Node<'_>) -> ListPlace {
    let value = |name: &str| node.child(name).and_then(|node| node.attribute("w:val"));
    ListPlace {
        list: value("w:numId").map(str::to_owned),
        level: value("w:ilvl").and_then(|level| level.parse().ok()),
    }
}

/// Whether a present toggle property is on.
pub(super) fn is_set(node: Node<'_>) -> bool {
    node.attribute("w:val").is_none_or(is_on)
}

fn is_on(value: &str) -> bool {
    !matches!(value, "0" | "false" | "off")
}

/// The URL of a relation.
pub(super) fn address<'r>(relations: &'r Relations, id: Option<&str>) -> Option<&'r str> {
    let relation = relations.get(id?)?;
    relation.external.then_some(relation.target.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_by_outline_inheritance_and_name() {
        let xml = r#"<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
            <w:style w:type="paragraph" w:styleId="a"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
            <w:style w:type="paragraph" w:styleId="b"><w:name w:val="Mine"/><w:basedOn w:val="a"/></w:style>
            <w:style w:type="paragraph" w:styleId="c"><w:name w:val="Überschrift 2"/></w:style>
            <w:style w:type="paragraph" w:styleId="d"><w:name w:val="Headline of mine"/><w:basedOn w:val="d"/></w:style>
            <w:style w:type="paragraph" w:styleId="e"><w:name w:val="TOC Heading"/><w:basedOn w:val="a"/>
                <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style></w:styles>"#;
        let styles = Styles::read(xml, &Limits::default());
        let roles: Vec<Role> =
            ["a", "b", "c", "d", "e", "Heading1"].iter().map(|id| styles.role(Some(id))).collect();
        let [three, two, one] = [3, 2, 1].map(Role::Heading);
        assert_eq!(roles, [three, three, two, Role::Text, Role::Text, one]);
    }
}
