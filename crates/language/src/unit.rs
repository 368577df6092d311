//! Units of measurement, by symbol and by the words of all languages.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::fold::fold_word;
use crate::language::Language;

/// Symbols that are written as they are, beside those that locales have words for.
const SYMBOLS: &str = "kg g mg µg t lb lbs oz km m cm mm nm mi ft in yd l ml cl dl h min s ms d a week month % ‰ pcs m² m2 \
    km² km2 cm² m³ m3 cm³ ha sqm sqft °C °F K W kW MW Wh kWh MWh V A Ω Hz kHz MHz GHz J kJ kcal Pa kPa bar psi mmHg N dB lm lx px \
    dpi B kB MB GB TB bps kbps Mbps km/h mph m/s rpm bpm ppm pH";

static WORDS: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
    let mut words = FxHashMap::default();
    for locale in Language::all().filter_map(Language::locale) {
        for entry in locale.units.entries() {
            for word in entry.words.iter() {
                words.entry(fold_word(word)).or_insert(entry.key);
            }
        }
    }
    words
});

/// The symbol of the unit that a text as a whole names, in any language: `kg` of `Kilogramm`.
#[must_use]
pub fn parse_unit(text: &str) -> Option<&'static str> {
    let text = text.trim().trim_end_matches('.');
    let symbol = SYMBOLS.split_whitespace().find(|symbol| *symbol == text);
    symbol.or_else(|| WORDS.get(&fold_word(text)).copied())
}

#[cfg(test)]
mod tests {
    use super::parse_unit;

    #[test]
    fn units_are_known_by_symbol_and_by_word() {
        for (text, symbol) in [
            ("kg", "kg"),
            ("Kilogramm", "kg"),
            ("mètres carrés", "m²"),
            ("godzin", "h"),
            ("Stk.", "pcs"),
            ("procent", "%"),
            ("kWh", "kWh"),
        ] {
            assert_eq!(parse_unit(text), Some(symbol), "{text}");
        }
        assert_eq!(parse_unit("hotel"), None);
    }
}
