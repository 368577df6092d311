//! Names of attributes, and their values.

/// The names of attributes that readers use; all others are left out.
const NAMES: &[&str] = &[
    "alt",
    "aria-controls",
    "aria-expanded",
    "aria-hidden",
    "aria-label",
    "charset",
    "class",
    "colspan",
    "content",
    "data-bs-target",
    "data-bs-toggle",
    "data-lazy-src",
    "data-original",
    "data-src",
    "data-target",
    "data-testid",
    "data-toggle",
    "datetime",
    "height",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "itemprop",
    "itemscope",
    "itemtype",
    "lang",
    "media",
    "name",
    "property",
    "rel",
    "role",
    "rowspan",
    "src",
    "srcset",
    "start",
    "style",
    "title",
    "type",
    "width",
];

/// Name and raw value.
pub type Attribute<'a> = (&'static str, &'a str);

/// The attribute's name in lower case; `None` for names that no reader uses.
pub(crate) fn known_attribute(name: &str) -> Option<&'static str> {
    let mut lower = [0_u8; 16];
    let room = lower.get_mut(..name.len())?;
    room.copy_from_slice(name.as_bytes());
    room.make_ascii_lowercase();
    let place = NAMES.binary_search_by(|known| known.as_bytes().cmp(room)).ok()?;
    NAMES.get(place).copied()
}

/// The raw value of an attribute.
pub(crate) fn value<'a>(attributes: &[Attribute<'a>], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_in_any_case() {
        for name in NAMES {
            assert_eq!(known_attribute(&name.to_ascii_uppercase()), Some(*name));
        }
        assert_eq!(known_attribute("onclick"), None);
        assert_eq!(known_attribute("a-very-long-attribute"), None);
    }
}
