//! Names of countries and regions, by which addresses are told (`data/places.toml`); folded.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::locale::Section;

static PLACES: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/places.txt")));

fn names(key: &str) -> FxHashSet<&'static str> {
    PLACES.words(key).iter().collect()
}

static COUNTRIES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names("countries"));
static REGIONS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names("regions"));
static PAIRS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| names("pairs"));

/// Whether a folded word is a country.
#[must_use]
pub fn is_country(folded: &str) -> bool {
    COUNTRIES.contains(folded)
}

/// Whether a folded word is a region of the first level or a country.
#[must_use]
pub fn is_region(folded: &str) -> bool {
    REGIONS.contains(folded) || is_country(folded)
}

/// Whether two folded words together are a region or city.
#[must_use]
pub fn is_region_pair(first: &str, second: &str) -> bool {
    PAIRS.contains(format!("{first} {second}").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_and_regions_are_known_by_their_folded_names() {
        assert!(is_country("deutschland") && is_region("deutschland") && is_region("selangor"));
        assert!(!is_country("selangor") && !is_region("street"));
        assert!(is_region_pair("new", "york") && !is_region_pair("york", "new"));
    }
}
