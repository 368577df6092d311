//! Words of names and labels as concepts, and how well a label fits a field.

use unicode_normalization::UnicodeNormalization as _;

use super::vocabulary::{PAPER, QUALIFIERS, concept, is_filler};

/// The meaning of a name or label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Concepts {
    /// Concepts of its words in order, each once.
    pub(crate) words: Vec<String>,
    /// Concepts of the description, which only help to tell the kind.
    pub(crate) hints: Vec<String>,
}

impl Concepts {
    pub(crate) fn has(&self, concept: &str) -> bool {
        self.words.iter().any(|word| word == concept)
    }

    pub(crate) fn hints_at(&self, concept: &str) -> bool {
        self.has(concept) || self.hints.iter().any(|word| word == concept)
    }

    /// What the name demands of a label.
    pub(crate) fn qualifiers(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str).filter(|word| QUALIFIERS.contains(word))
    }
}

/// The concepts of a field.
pub(crate) fn concepts(name: &str, description: &str) -> Concepts {
    Concepts { words: words(&split_name(name)), hints: words(description) }
}

/// `invoiceDate` and `invoice_date` as words.
fn split_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    let mut lower = false;
    for c in name.chars() {
        if c.is_uppercase() && lower {
            text.push(' ');
        }
        lower = c.is_lowercase() || c.is_ascii_digit();
        text.push(if c == '_' || c == '-' || c == '.' { ' ' } else { c });
    }
    text
}

/// A word in lower case without marks.
pub(crate) fn fold(word: &str) -> String {
    word.nfkd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The concepts of a text, fillers left out, each once.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text
        .replace("e-mail", "email")
        .replace("E-mail", "email")
        .replace("E-Mail", "email")
        .split(|c: char| !c.is_alphanumeric())
    {
        let folded = fold(word);
        if folded.is_empty() || is_filler(&folded) {
            continue;
        }
        let mut push = |concept: &str| {
            if !found.iter().any(|known| known == concept) {
                found.push(concept.to_owned());
            }
        };
        match compound(&folded) {
            Some((first, second)) => {
                push(first);
                push(second);
            }
            None => push(concept(&folded)),
        }
    }
    found
}

/// Words that carry two concepts, such as German compounds.
fn compound(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "rechnungsnummer" | "rechnungsnr" | "invoiceno" => ("invoice", "number"),
        "rechnungsdatum" | "invoicedate" => ("invoice", "date"),
        "bestellnummer" | "bestellnr" | "auftragsnummer" | "orderno" => ("order", "number"),
        "kundennummer" | "kundennr" => ("customer", "number"),
        "geburtsdatum" | "dob" | "birthdate" | "birthday" => ("birth", "date"),
        "falligkeitsdatum" | "faelligkeitsdatum" | "duedate" => ("due", "date"),
        "lieferdatum" | "liefertermin" => ("delivery", "date"),
        "bestelldatum" => ("order", "date"),
        "gesamtbetrag" | "rechnungsbetrag" | "endbetrag" | "gesamtsumme" => ("total", "amount"),
        "zwischensumme" => ("subtotal", "amount"),
        "mietbeginn" | "vertragsbeginn" => ("start", "date"),
        "startdate" => ("start", "date"),
        "po" => ("purchase", "order"),
        _ => return None,
    })
}

/// How well a label fits a field, 0 to 1; 0 when the label lacks a qualifier of the field, or speaks of
/// something else of the same kind.
pub(crate) fn fit(field: &Concepts, label: &[String]) -> f32 {
    if label.is_empty() || field.words.is_empty() {
        return 0.0;
    }
    let has = |concept: &str| label.iter().any(|word| same(word, concept));
    if field.qualifiers().any(|qualifier| !has(qualifier)) {
        return 0.0;
    }
    let mut matched = 0.0;
    let mut wanted = 0.0;
    for word in &field.words {
        let weight = if PAPER.contains(&word.as_str()) { 0.4 } else { 1.0 };
        wanted += weight;
        if has(word) {
            matched += weight;
        }
    }
    if matched == 0.0 {
        return 0.0;
    }
    let foreign = label.iter().filter(|word| !field.words.iter().any(|own| same(word, own)));
    let (mut strange, mut others) = (0, 0);
    for word in foreign {
        if QUALIFIERS.contains(&word.as_str()) {
            strange += 1;
        } else if !PAPER.contains(&word.as_str()) {
            others += 1;
        }
    }
    let recall = matched / wanted;
    (recall - 0.35 * strange as f32 - 0.08 * others as f32).clamp(0.0, 1.0)
}

/// Whether two words are the same but for a slip of the pen.
fn same(a: &str, b: &str) -> bool {
    a == b || (a.len() > 4 && b.len() > 4 && strsim::jaro_winkler(a, b) > 0.93)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(field: &str, label: &str) -> f32 {
        fit(&concepts(field, ""), &words(label))
    }

    #[test]
    fn a_label_fits_by_meaning_in_several_languages() {
        for (field, label) in [
            ("invoice_number", "Invoice No."),
            ("invoiceNumber", "Rechnungsnummer"),
            ("due_date", "Due Date"),
            ("customer_name", "Customer"),
            ("total", "Gesamtbetrag"),
            ("birth_date", "Date of birth"),
        ] {
            assert!(score(field, label) > 0.4, "{field} {label} {}", score(field, label));
        }
    }

    #[test]
    fn a_label_without_the_fields_qualifier_or_with_another_does_not_fit() {
        for (field, label) in
            [("due_date", "Date"), ("birth_date", "Invoice date"), ("purchase_order", "Order type")]
        {
            assert_eq!(score(field, label), 0.0, "{field} {label}");
        }
        assert!(score("total", "Total tax") < score("total", "Total"));
        assert!(score("date", "Due date") < score("date", "Date"));
    }
}
