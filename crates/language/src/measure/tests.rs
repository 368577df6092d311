use super::*;

fn unit(symbol: &str) -> Unit {
    Unit::parse(symbol).unwrap()
}

#[test]
fn numbers_convert_within_a_quantity() {
    for (number, from, to, wanted) in [
        (250.0, "g", "kg", 0.25),
        (1.0, "lb", "kg", 0.453_592_37),
        (2.5, "t", "kg", 2_500.0),
        (5.0, "ft", "m", 1.524),
        (32.0, "°F", "°C", 0.0),
        (98.6, "°F", "°C", 37.0),
        (-40.0, "°C", "°F", -40.0),
        (90.0, "min", "h", 1.5),
        (3.0, "days", "h", 72.0),
        (2.0, "years", "month", 24.0),
        (0.7, "L", "ml", 700.0),
        (36.0, "km/h", "m/s", 10.0),
        (0.1, "kg", "g", 100.0),
    ] {
        assert_eq!(unit(from).convert(number, unit(to)), Some(wanted), "{number} {from}");
    }
    assert_eq!(unit("kg").convert(1.0, unit("m")), None);
    assert_eq!(unit("month").convert(1.0, unit("d")), None, "months differ in length");
    for word in ["tons", "gallon", "kilobananas", "pcs", "Pfund"] {
        assert_eq!(Unit::parse(word), None, "{word}");
    }
}

fn beside(text: &str) -> (PrintedUnit, String, f64) {
    let mut number = None;
    scan(text, 0..text.len(), |mention| number = number.take().or(Some(mention.range)));
    let (unit, place, more) = unit_beside(text, number.unwrap());
    (unit, text.get(place).unwrap().to_owned(), more)
}

#[test]
fn the_unit_is_read_beside_the_number() {
    for (text, symbol, printed) in [
        ("Weight: 250 g", "g", "250 g"),
        ("250g net", "g", "250g"),
        ("1.5 kg, boxed", "kg", "1.5 kg"),
        ("| 30 °C | x |", "°C", "30 °C"),
        ("12 Kilogramm brutto", "kg", "12 Kilogramm"),
        ("12 square meters", "m²", "12 square meters"),
        ("80 (cm)", "cm", "80 (cm)"),
        ("kg 12", "kg", "kg 12"),
        ("size 5 in", "in", "5 in"),
        ("120 km/h.", "km/h", "120 km/h"),
    ] {
        assert_eq!(beside(text), (PrintedUnit::Known(unit(symbol)), printed.to_owned(), 0.0), "{text}");
    }
    for text in [
        "250",
        "250, boxed",
        "5 in the box",
        "250  Height 3",
        "Weight 250 Height 3",
        "250 for all",
        "| 250 | kg |",
    ] {
        assert_eq!(beside(text).0, PrintedUnit::None, "{text}");
    }
    for text in ["250 stones", "250xyz", "12 tons", "30 %", "250 €", "3 pieces", "12 barrels of oil", "3 EUR"]
    {
        assert_eq!(beside(text).0, PrintedUnit::Unknown, "{text}");
    }
}

#[test]
fn smaller_units_belong_to_the_measure() {
    assert_eq!(beside("1 h 30 min"), (PrintedUnit::Known(unit("h")), "1 h 30 min".to_owned(), 0.5));
    let (_, printed, more) = beside("5 ft 6 in tall");
    assert_eq!((printed.as_str(), more), ("5 ft 6 in", 0.5));
    assert_eq!(beside("2 kg 3 boxes").2, 0.0);
}

#[test]
fn a_label_may_state_the_unit() {
    for (label, symbol) in
        [("Weight (kg)", "kg"), ("Gewicht [g]:", "g"), ("Length in mm", "mm"), ("Temp. (°F)", "°F")]
    {
        assert_eq!(unit_in_label(label), PrintedUnit::Known(unit(symbol)), "{label}");
    }
    assert_eq!(unit_in_label("Share (%)"), PrintedUnit::Unknown);
    for label in ["Weight", "Weight (net)", "Check in", "", "kg", "Plan a"] {
        assert_eq!(unit_in_label(label), PrintedUnit::None, "{label}");
    }
}
