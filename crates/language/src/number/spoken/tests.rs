//! Tests of the module above.

use super::*;
use crate::language::Language;

fn of(code: &str) -> Languages {
    Language::from_code(code).unwrap_or_default().into()
}

#[test]
fn numbers_are_read_in_digits_and_words() {
    for (text, value, tokens) in [
        ("two tickets", 2.0, 1),
        ("1,470 bucks", 1470.0, 2),
        ("2.50", 2.5, 2),
        ("1.470,50", 1470.5, 3),
        ("100k", 100_000.0, 2),
        ("3.5 million", 3_500_000.0, 3),
        ("3,5 Mio. €", 3_500_000.0, 3),
        ("$1.2k", 1200.0, 3),
        ("2 billion", 2e9, 2),
        ("5 grand", 5_000.0, 2),
        ("one thousand three hundred and thirty dollars", 1330.0, 6),
        ("twenty five", 25.0, 2),
        ("a couple of", 2.0, 3),
        ("a hundred", 0.0, 0),
        ("-3", -3.0, 1),
        ("minus two", -2.0, 2),
    ] {
        let number = number_at(&Tokens::of(text), 0, of("en"));
        assert_eq!(number.map_or((0.0, 0), |n| (n.value, n.tokens)), (value, tokens), "{text}");
    }
}

#[test]
fn numbers_in_words_are_read_in_every_language() {
    for (code, text, value) in [
        ("de", "fünfundzwanzig", 25.0),
        ("de", "zweihundertfünfzig", 250.0),
        ("de", "dreitausendzweihundertundelf", 3211.0),
        ("de", "eintausend", 1000.0),
        ("de", "minus zwölf", -12.0),
        ("nl", "vijfentwintig", 25.0),
        ("nl", "tweehonderd", 200.0),
        ("nl", "drieëntwintig", 23.0),
        ("fr", "quatre-vingt-dix-sept", 97.0),
        ("fr", "soixante et onze", 71.0),
        ("fr", "deux cent trois", 203.0),
        ("fr", "mille deux cents", 1200.0),
        ("es", "treinta y dos", 32.0),
        ("es", "dos mil trescientos veinte", 2320.0),
        ("es", "ciento cinco", 105.0),
        ("it", "ventitré", 23.0),
        ("it", "duecentocinquanta", 250.0),
        ("it", "tremila", 3000.0),
        ("pt", "cento e vinte e três", 123.0),
        ("pt", "dois mil e quinhentos", 2500.0),
        ("pl", "sto dwadzieścia trzy", 123.0),
        ("pl", "dwa tysiące pięćset", 2500.0),
        ("sv", "tjugofem", 25.0),
        ("sv", "tvåhundrafemtio", 250.0),
    ] {
        let tokens = Tokens::of(text);
        let number = number_at(&tokens, 0, of(code));
        assert_eq!(number.map(|n| (n.value, n.tokens)), Some((value, tokens.len())), "{text}");
        let number = number_at(&tokens, 0, Languages::ALL);
        assert_eq!(number.map(|n| (n.value, n.tokens)), Some((value, tokens.len())), "{text} in any");
    }
    for text in ["handbag", "sextant", "undulate", "senator", "kleinanzeigen", "dreist"] {
        assert_eq!(number_at(&Tokens::of(text), 0, Languages::ALL), None, "{text}");
    }
}

#[test]
fn ranges_and_alternatives_are_no_number() {
    for (text, tokens) in [
        ("3 or 4", 3),
        ("3-5", 2),
        ("two or three", 3),
        ("3 bis 5", 3),
        ("3 to 5", 3),
        ("3 do 5", 3),
        ("3 lub 4", 3),
        ("3 tot en met 5", 5),
    ] {
        assert_eq!(spread_at(&Tokens::of(text), 0, Languages::ALL), Some(tokens), "{text}");
    }
    assert_eq!(spread_at(&Tokens::of("between 3 and 5"), 1, of("en")), Some(3));
    for text in ["3 and 4", "3 people", "3", "3 or more"] {
        assert_eq!(spread_at(&Tokens::of(text), 0, Languages::ALL), None, "{text}");
    }
}

#[test]
fn ordinal_numbers_are_read_in_digits_and_words() {
    for (text, place) in [("second", 2), ("2nd", 2), ("última", -1), ("pierwszy", 1), ("andra", 2)] {
        let tokens = Tokens::of(text);
        assert_eq!(ordinal_at(&tokens, 0, Languages::ALL), Some((tokens.len(), place)), "{text}");
    }
    assert_eq!(ordinal_at(&Tokens::of("2 rooms"), 0, Languages::ALL), None);
}
