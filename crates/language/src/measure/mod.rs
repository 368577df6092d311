//! Measures: the unit beside a printed number, and conversion between the units of one quantity.

use std::ops::Range;

use crate::language::Language;
use crate::locale::Level;
use crate::money::Currency;
use crate::number::scan;
use crate::unit::parse_unit;
use crate::vocabulary::is_stop_word;

/// What units measure. Units of different quantities do not convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Quantity {
    Mass,
    Length,
    Area,
    Volume,
    Duration,
    /// Months and years, whose days differ.
    Calendar,
    Temperature,
    Speed,
    Energy,
    Power,
    Pressure,
}

use Quantity::{Area, Calendar, Duration, Energy, Length, Mass, Power, Pressure, Speed, Temperature, Volume};

/// A unit that converts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    symbol: &'static str,
    /// What it measures.
    pub quantity: Quantity,
    /// Its size in the base unit of its quantity, and the base value of its zero.
    factor: f64,
    zero: f64,
}

const fn unit(symbol: &'static str, quantity: Quantity, factor: f64) -> Unit {
    Unit { symbol, quantity, factor, zero: 0.0 }
}

/// Exact factors: SI Brochure (BIPM, 9th edition), chapters 3 and 4, for units of the SI and those used with it; NIST
/// SP 811 (2008), appendix B, for the others. Units with several sizes, such as the ton and the gallon, are left out.
const UNITS: &[Unit] = &[
    unit("kg", Mass, 1.0),
    unit("g", Mass, 0.001),
    unit("mg", Mass, 1e-6),
    unit("µg", Mass, 1e-9),
    unit("t", Mass, 1_000.0),
    unit("lb", Mass, 0.453_592_37),
    unit("lbs", Mass, 0.453_592_37),
    unit("oz", Mass, 0.028_349_523_125),
    unit("m", Length, 1.0),
    unit("km", Length, 1_000.0),
    unit("cm", Length, 0.01),
    unit("mm", Length, 0.001),
    unit("nm", Length, 1e-9),
    unit("mi", Length, 1_609.344),
    unit("yd", Length, 0.9144),
    unit("ft", Length, 0.3048),
    unit("in", Length, 0.0254),
    unit("m²", Area, 1.0),
    unit("m2", Area, 1.0),
    unit("sqm", Area, 1.0),
    unit("cm²", Area, 1e-4),
    unit("km²", Area, 1e6),
    unit("km2", Area, 1e6),
    unit("ha", Area, 1e4),
    unit("sqft", Area, 0.092_903_04),
    unit("l", Volume, 1.0),
    unit("dl", Volume, 0.1),
    unit("cl", Volume, 0.01),
    unit("ml", Volume, 0.001),
    unit("m³", Volume, 1_000.0),
    unit("m3", Volume, 1_000.0),
    unit("cm³", Volume, 0.001),
    unit("s", Duration, 1.0),
    unit("ms", Duration, 0.001),
    unit("min", Duration, 60.0),
    unit("h", Duration, 3_600.0),
    unit("d", Duration, 86_400.0),
    unit("week", Duration, 604_800.0),
    unit("month", Calendar, 1.0),
    unit("a", Calendar, 12.0),
    unit("K", Temperature, 1.0),
    Unit { symbol: "°C", quantity: Temperature, factor: 1.0, zero: 273.15 },
    Unit { symbol: "°F", quantity: Temperature, factor: 5.0 / 9.0, zero: 459.67 * 5.0 / 9.0 },
    unit("m/s", Speed, 1.0),
    unit("km/h", Speed, 1.0 / 3.6),
    unit("mph", Speed, 0.44704),
    unit("J", Energy, 1.0),
    unit("kJ", Energy, 1_000.0),
    unit("Wh", Energy, 3_600.0),
    unit("kWh", Energy, 3.6e6),
    unit("MWh", Energy, 3.6e9),
    unit("W", Power, 1.0),
    unit("kW", Power, 1_000.0),
    unit("MW", Power, 1e6),
    unit("Pa", Pressure, 1.0),
    unit("kPa", Pressure, 1_000.0),
    unit("bar", Pressure, 1e5),
];

impl Unit {
    /// The unit that a text as a whole names, by symbol or by a word of any language.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('.');
        let of = |symbol: &str| UNITS.iter().find(|unit| unit.symbol == symbol).copied();
        // Both letters are symbols of the litre.
        of(if text == "L" { "l" } else { text }).or_else(|| of(parse_unit(text)?))
    }

    /// Its symbol, such as `kg`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        self.symbol
    }

    /// A number of this unit in another one of the same quantity, to 12 significant digits; `None` for another quantity.
    #[must_use]
    pub fn convert(self, number: f64, to: Self) -> Option<f64> {
        if self.quantity != to.quantity {
            return None;
        }
        if self.is_same(to) {
            return Some(number);
        }
        let converted = (number * self.factor + self.zero - to.zero) / to.factor;
        let digits = match self.quantity {
            // The difference of two temperatures loses digits.
            Temperature => format!("{converted:.9}"),
            _ => format!("{converted:.11e}"),
        };
        digits.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Whether both are one unit, such as `lb` and `lbs`.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        self.quantity == other.quantity && self.factor == other.factor && self.zero == other.zero
    }
}

/// The unit that is printed with a number.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintedUnit {
    /// No unit stands there.
    None,
    /// One that converts.
    Known(Unit),
    /// A word or sign that may be a unit, or is one that does not convert.
    Unknown,
}

/// The unit beside the number at `number` of a text, and the place of both. `5 ft 11 in` is one measure: the second
/// number of the answer is what the smaller units add, in the unit.
#[must_use]
pub fn unit_beside(text: &str, number: Range<usize>) -> (PrintedUnit, Range<usize>, f64) {
    let (unit, end) = unit_after(text, number.end, false);
    match unit {
        PrintedUnit::Known(unit) => {
            let (more, end) = smaller_units(text, end, unit);
            (PrintedUnit::Known(unit), number.start..end, more)
        }
        PrintedUnit::None => match unit_before(text, number.start) {
            Some((unit, start)) => (PrintedUnit::Known(unit), start..number.end, 0.0),
            None => (PrintedUnit::None, number, 0.0),
        },
        PrintedUnit::Unknown => (PrintedUnit::Unknown, number.start..end, 0.0),
    }
}

/// The unit that a label states in brackets or behind its words: `Weight (kg)`, `Gewicht in g`.
#[must_use]
pub fn unit_in_label(label: &str) -> PrintedUnit {
    let label = label.trim().trim_end_matches(':').trim();
    let bracket = label.rfind(['(', '[']).and_then(|open| label.get(open + 1..));
    let inside = bracket.map(|rest| rest.trim_end_matches([')', ']']).trim());
    if let Some(inside) = inside {
        return match Unit::parse(inside) {
            Some(unit) => PrintedUnit::Known(unit),
            None if parse_unit(inside).is_some() => PrintedUnit::Unknown,
            None => PrintedUnit::None,
        };
    }
    let last = label.rsplit([' ', ',', '/']).next().unwrap_or_default();
    // One letter, or a word of a language, may mean anything there.
    let is_symbol = last.len() < label.len() && last.chars().nth(1).is_some() && !is_small_word(last);
    match Unit::parse(last).filter(|unit| is_symbol && unit.symbol == last) {
        Some(unit) => PrintedUnit::Known(unit),
        None => PrintedUnit::None,
    }
}

/// The unit that begins at `at` or one space behind it, and where it ends. `goes_on` says that it belongs to a measure that
/// has begun, so that a small word is a unit.
fn unit_after(text: &str, at: usize, goes_on: bool) -> (PrintedUnit, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.get(..segment_end(rest)).unwrap_or_default();
    let bare = rest.trim_start_matches(is_space);
    let start = at + rest.len() - bare.len();
    if bare.starts_with(['(', '[']) {
        let inside = bare.get(1..).and_then(|rest| rest.split([')', ']']).next()).unwrap_or_default();
        return match Unit::parse(inside) {
            Some(unit) => (PrintedUnit::Known(unit), (start + inside.len() + 2).min(at + rest.len())),
            None => (PrintedUnit::None, at),
        };
    }
    let mut ends = bare.char_indices().filter(|(_, c)| is_end(*c)).map(|(at, _)| at).chain([bare.len()]);
    let one = ends.next().unwrap_or_default();
    let two = ends.find(|end| *end > one + 1).unwrap_or(one);
    for end in [two, one] {
        let word = bare.get(..end).unwrap_or_default();
        let Some(symbol) = parse_unit(word).or_else(|| Unit::parse(word).map(Unit::symbol)) else { continue };
        // `5 in the box`: a small word is a unit where nothing follows, or a number.
        let follows = bare.get(end..).unwrap_or_default().trim_start();
        if !goes_on && is_small_word(word) && follows.starts_with(char::is_alphabetic) {
            return (PrintedUnit::None, at);
        }
        let unit = Unit::parse(symbol).map_or(PrintedUnit::Unknown, PrintedUnit::Known);
        return (unit, start + word.trim_end_matches('.').len());
    }
    let word = bare.get(..one).unwrap_or_default();
    let is_last = bare.get(one..).unwrap_or_default().chars().all(|c| !c.is_alphanumeric());
    let begins = word.chars().next();
    let is_currency = !word.is_empty() && !Currency::named(word).is_empty();
    let is_word = begins.is_some_and(char::is_alphabetic) && !is_small_word(word);
    let is_unknown = is_currency
        || matches!(begins, Some('%' | '‰' | '°'))
        || is_word && (start == at || is_last || begins.is_some_and(char::is_lowercase));
    (
        if is_unknown { PrintedUnit::Unknown } else { PrintedUnit::None },
        start + if is_unknown { one } else { 0 },
    )
}

/// A symbol that stands right before a number, and where it begins.
fn unit_before(text: &str, at: usize) -> Option<(Unit, usize)> {
    let before = text.get(..at)?.trim_end_matches(is_space);
    let word = before.rsplit(|c: char| is_end(c) || c == '|').next()?;
    let is_symbol = word.chars().nth(1).is_some() && !is_small_word(word);
    let unit = Unit::parse(word).filter(|unit| is_symbol && unit.symbol == word)?;
    Some((unit, before.len() - word.len()))
}

/// What smaller units of the same quantity add to a measure that ends at `end`, in its unit, and where they end.
fn smaller_units(text: &str, mut end: usize, unit: Unit) -> (f64, usize) {
    let (mut more, mut last) = (0.0, unit);
    // Two further units at most, as of hours, minutes and seconds.
    for _ in 0..2 {
        let window = text.get(end..).map_or(0, |rest| rest.floor_char_boundary(16));
        let mut found = None;
        scan(text, end..end + window, |mention| {
            let gap = text.get(end..mention.range.start).unwrap_or("-");
            if found.is_none() && gap.chars().all(is_space) && mention.readings.len() == 1 {
                found = mention
                    .readings
                    .first()
                    .and_then(|one| one.decimal_text.parse::<f64>().ok())
                    .zip(Some(mention.range));
            }
        });
        let Some((number, range)) = found else { break };
        let (PrintedUnit::Known(small), next) = unit_after(text, range.end, true) else { break };
        let Some(part) =
            small.convert(number, unit).filter(|_| small.factor < last.factor && small.zero == 0.0)
        else {
            break;
        };
        (more, end, last) = (more + part, next, small);
    }
    (more, end)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')' | '[' | ']' | '|' | '!' | '?' | '"' | '*')
}

/// Where the cell or column of a text ends.
fn segment_end(text: &str) -> usize {
    let wide = text.find("  ").filter(|at| *at > 0);
    let mark = text.find(['\n', '\r', '\t', '|']);
    wide.into_iter().chain(mark).min().unwrap_or(text.len())
}

/// Whether a word has no meaning of its own in a language of conversations.
fn is_small_word(word: &str) -> bool {
    let folded = word.to_lowercase();
    Language::all()
        .filter(|language| language.is_at_least(Level::Full))
        .any(|language| is_stop_word(language, &folded))
}

#[cfg(test)]
mod tests;
