//! Infers the type of a field from its name.
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::draft::DraftKind;
use super::language::Language;
use super::lexicon::{
    ABOUT_EMAIL, ASKING, DATE, EMAIL, INTEGER, LISTS, NUMBER, NUMBER_ENDINGS, PARTICIPLES, URL,
};
use super::words::{Phrases, Word};

/// The inferred type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InferredType {
    pub(super) kind: DraftKind,
    pub(super) many: bool,
    pub(super) format: Option<&'static str>,
}

/// Prepositions that end the head noun phrase of an English or German name.
static PREPOSITIONS: Phrases = Phrases::new(
    "of, in, per, for, at, by, from, to, on, as, with, since, before, after, when, that, pro, der, \
    des, vom, von, fur, du, de, del, where, during, until, due",
);
/// Spanish words after "número de" that make it an identifier.
static IDENTIFIED: Phrases = Phrases::new(
    "telefono, factura, cliente, pedido, cuenta, serie, referencia, identificacion, poliza, matricula, \
    documento, licencia, pasaporte, contrato, orden, expediente, habitacion, dni, seguridad, movil, \
    socio, afiliado, colegiado, lote",
);
/// Participles after a number that mark a count, as in "number sold".
static COUNTING: Phrases = Phrases::new(
    "seen, sold, ordered, attending, affected, present, produced, remaining, rejected, inspected, \
    injured",
);

/// Infers the type from the words of a name.
pub(super) fn infer(name: &[Word], language: Language) -> InferredType {
    let words: Vec<&str> =
        name.iter().map(|word| strip_possessive(&word.plain)).filter(|word| !word.is_empty()).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let of = |kind: DraftKind| InferredType { kind, ..InferredType::default() };
    let (Some(first), Some(last)) = (words.first().copied(), words.last().copied()) else {
        return InferredType::default();
    };
    let head = head_noun(&words, language);
    let second = words.get(1).copied().unwrap_or_default();
    let allowing =
        matches!(first, "permission" | "agreement" | "acceptance" | "subscribe" | "subscription" | "opt-in")
            && words.len() > 1;
    if is_question(&words) || (allowing && (second == "to" || second == "of")) {
        return of(DraftKind::Boolean);
    }
    if words.len() == 3 && matches!(second, "or" | "oder" | "ou") {
        return InferredType::default();
    }
    if has(&EMAIL) && !has(&ABOUT_EMAIL) {
        return InferredType {
            kind: DraftKind::Email,
            many: matches!(last, "emails" | "e-mails"),
            format: None,
        };
    }
    if has(&URL)
        || matches!(
            (words.len() > 1, first, last),
            (true, "site" | "pagina" | "page" | "sitio", "web" | "internet")
        )
    {
        let many = matches!(head, "links" | "urls" | "liens" | "enlaces" | "websites");
        return InferredType { kind: DraftKind::Url, many, format: None };
    }
    if let Some(found) = infer_date(&words, head, language) {
        return found;
    }
    let past = |word: &str| word.ends_with("ed") || word.ends_with("en");
    if words.len() == 2 && INTEGER.contains(&first) && past(last) {
        return of(DraftKind::Integer);
    }
    if PARTICIPLES.contains(&last)
        && words.len() > 1
        && !matches!(first, "amount" | "total" | "price" | "sum" | "fee" | "cost" | "value")
        && !COUNTING.contains(&last)
        && first != "date"
        || words.len() == 1 && PARTICIPLES.contains(&first)
        || has(&["consent", "einwilligung", "consentement", "consentimiento"])
    {
        return of(DraftKind::Boolean);
    }
    let rate = words.iter().skip(1).any(|word| matches!(*word, "per" | "pro" | "por"));
    if rate && (head.ends_with('s') || NUMBER.contains(&head)) {
        return of(DraftKind::Number);
    }
    let counted = matches!((first, second), ("number" | "no" | "#" | "count", "of") | ("how", "many"))
        || (first == "number" && COUNTING.contains(&last))
        || matches!(
            (words.get(words.len().wrapping_sub(2)), last),
            (Some(&"party" | &"group" | &"class" | &"household" | &"team"), "size")
        )
        || (language == Language::Spanish
            && first == "numero"
            && second == "de"
            && !words.get(2).is_some_and(|w| IDENTIFIED.contains(w)))
        || (language == Language::French && first == "nombre")
        || words.windows(2).any(|pair| pair == ["number", "of"] && first != "number")
        || (matches!(first, "max" | "maximum" | "min" | "minimum")
            && words.len() == 2
            && last.ends_with('s'))
        || INTEGER.contains(&head)
        || (first == "year" && words.len() <= 3)
        || (language.is_german() && head.ends_with("anzahl"));
    if counted {
        return of(DraftKind::Integer);
    }
    let spacious = [
        "floor",
        "living",
        "surface",
        "plot",
        "land",
        "total",
        "roof",
        "wall",
        "usable",
        "lot",
        "planted",
        "cultivated",
    ];
    let past = |word: &str| {
        word.ends_with("ed")
            || word.ends_with("en")
            || ["due", "spent", "sold", "owed", "quoted", "lost"].contains(&word)
    };
    let sized = [
        "plot", "garden", "lot", "file", "farm", "field", "audience", "crew", "herd", "flock", "property",
        "pool", "house",
    ];
    let measured = NUMBER.contains(&head)
        || (words.len() == 2 && (NUMBER.contains(&first) || first == "price") && past(last))
        || (head == "area" && has(&spacious))
        || (last == "size" && has(&sized))
        || (first == "ph" && (words.len() == 1 || matches!(last, "level" | "value" | "reading")))
        || (NUMBER.contains(&first) && words.len() == 2 && PARTICIPLES.contains(&last))
        || matches!((first, second), ("how", "much" | "long" | "far" | "tall" | "heavy" | "big" | "old"))
        || (first == "total" && words.len() > 1 && NUMBER.contains(&last))
        || (language.is_german()
            && head.len() > 5
            && NUMBER_ENDINGS.iter().any(|ending| head.ends_with(ending)));
    if measured {
        return of(DraftKind::Number);
    }
    InferredType { many: LISTS.contains(&head), ..InferredType::default() }
}

/// Infers dates, times and date-times.
fn infer_date(words: &[&str], head: &str, language: Language) -> Option<InferredType> {
    let (first, last) = (words.first().copied()?, words.last().copied()?);
    let second = words.get(1).copied().unwrap_or_default();
    let has = |wanted: &str| words.contains(&wanted);
    let clock = ["time", "uhrzeit", "heure", "hora"];
    if clock.iter().any(|word| has(word)) && DATE.iter().any(|word| has(word)) {
        return Some(InferredType { format: Some("date-time"), ..InferredType::default() });
    }
    let past = last.ends_with("ed")
        || ["sold", "sent", "taken", "seen", "given", "paid", "lost", "found", "born", "built"]
            .contains(&last);
    let dated = DATE.contains(&head)
        || (first == "date" && words.len() == 2 && past)
        || (words.len() > 1 && matches!(last, "start" | "end" | "beginning") && !language.is_head_first())
        || (language.is_german()
            && ["beginn", "ende", "tag"]
                .iter()
                .any(|ending| last.len() > ending.len() + 2 && last.ends_with(ending)))
        || (matches!(first, "since" | "seit" | "depuis" | "desde")
            && matches!(second, "when" | "wann" | "quand" | "cuando"))
        || (words.len() > 1
            && matches!(first, "next" | "last")
            && matches!(
                last,
                "visit"
                    | "appointment"
                    | "inspection"
                    | "service"
                    | "checkup"
                    | "check-up"
                    | "meeting"
                    | "maintenance"
                    | "calibration"
                    | "review"
            ))
        || (words.len() == 2
            && matches!(first, "preferred" | "project" | "contract" | "planned" | "desired" | "earliest")
            && matches!(last, "start" | "end"))
        || (last == "day"
            && matches!(
                first,
                "first" | "last" | "moving" | "wedding" | "delivery" | "arrival" | "departure"
            )
            && words.len() <= 3)
        || matches!(first, "when" | "wann" | "quand" | "cuando")
        || (words.len() > 1 && last == "on" && !has("based"))
        || (words.len() > 1 && last == "due" && !words.iter().any(|word| NUMBER.contains(word)))
        || (words.len() > 1 && matches!(last, "until" | "since"))
        || (DATE.contains(&last) && words.len() <= 4 && !language.is_head_first() && last != "due")
        || (first == "due" && words.len() <= 2 && last != "amount")
        || (language.is_german() && ["datum", "frist", "termin"].iter().any(|ending| head.ends_with(ending)))
        || (language.is_head_first() && matches!(first, "date" | "fecha"));
    dated.then(|| InferredType { kind: DraftKind::Date, ..InferredType::default() })
}

/// Whether the words are a yes-no question.
fn is_question(words: &[&str]) -> bool {
    let Some(first) = words.first() else { return false };
    words.len() > 1
        && (ASKING.contains(first)
            || matches!(*first, "whether" | "agree" | "agrees" | "accept" | "accepts" | "ob"))
}

/// The head noun of a name.
fn head_noun<'a>(words: &[&'a str], language: Language) -> &'a str {
    let first = words.first().copied().unwrap_or_default();
    if language.is_head_first() {
        return first;
    }
    let end =
        words.iter().skip(1).position(|word| PREPOSITIONS.contains(word)).map_or(words.len(), |at| at + 1);
    words.get(end - 1).copied().unwrap_or(first)
}

/// The word without its possessive ending.
pub(super) fn strip_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("s'")).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::words::words;

    #[test]
    fn the_head_of_a_name_decides_its_type() {
        for (name, kind) in [
            ("date of birth", DraftKind::Date),
            ("birth certificate number", DraftKind::String),
            ("number of guests", DraftKind::Integer),
            ("price per night", DraftKind::Number),
            ("price list", DraftKind::String),
            ("collected on", DraftKind::Date),
            ("amount paid", DraftKind::Number),
            ("deposit paid", DraftKind::Boolean),
            ("consent to marketing emails", DraftKind::Boolean),
            ("email address", DraftKind::Email),
            ("company website", DraftKind::Url),
            ("hours per week", DraftKind::Number),
            ("type of leave", DraftKind::String),
        ] {
            assert_eq!(infer(&words(name), Language::English).kind, kind, "{name}");
        }
        assert_eq!(infer(&words("Kaufdatum"), Language::German).kind, DraftKind::Date);
        assert_eq!(infer(&words("numéro de téléphone"), Language::French).kind, DraftKind::String);
        assert_eq!(infer(&words("número de personas"), Language::Spanish).kind, DraftKind::Integer);
    }
}
