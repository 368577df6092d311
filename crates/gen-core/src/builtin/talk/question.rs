//! What kind of answer a question wants, by its question words, and whether a text has one.

use crate::text::fold;

/// What an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A number, written or in digits.
    Amount,
    /// A number of the things that the question names first.
    Count,
    /// A way to do something.
    Manner,
    /// A sum of money.
    Money,
    /// A share.
    Percent,
    /// A date, time, weekday or period.
    Time,
    /// Somebody.
    Person,
    /// Somewhere.
    Place,
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A cause.
    Reason,
    /// Anything.
    Any,
}

/// Beginnings and parts of questions, folded, between blanks; the first that occurs decides.
const SIGNS: &[(Wanted, &[&str])] = &[
    (Wanted::Email, &["e mail", "email", "courriel", "correo electronico", "electronica"]),
    (
        Wanted::Phone,
        &[
            "phone number",
            "telephone",
            "telefonnummer",
            "rufnummer",
            "telefono",
            "telefone",
            "telefoonnummer",
            "numer telefonu",
            "numero de telephone",
        ],
    ),
    (
        Wanted::Percent,
        &[
            "percent",
            "percentage",
            "prozent",
            "wie viel prozent",
            "pourcentage",
            "porcentaje",
            "percentuale",
            "percentagem",
            "porcentagem",
            "procent",
        ],
    ),
    (
        Wanted::Money,
        &[
            "how much does",
            "how much do",
            "how much is",
            "how much did",
            "how much will",
            "what does it cost",
            "cost",
            "price",
            "was kostet",
            "wie teuer",
            "kostet",
            "combien coute",
            "coute",
            "cuanto cuesta",
            "cuesta",
            "quanto costa",
            "quanto custa",
            "custa",
            "wat kost",
            "hoeveel kost",
            "ile kosztuje",
            "多少钱",
            "いくら",
        ],
    ),
    (
        Wanted::Count,
        &[
            "how many",
            "wie viele",
            "wieviele",
            "combien de",
            "cuantos",
            "cuantas",
            "quanti",
            "quante",
            "quantos",
            "quantas",
            "hoeveel",
            "hur manga",
            "hvor mange",
            "сколько",
            "几个",
        ],
    ),
    (
        Wanted::Amount,
        &[
            "how much",
            "how long",
            "how often",
            "how far",
            "how old",
            "how big",
            "how large",
            "how tall",
            "how deep",
            "how high",
            "how fast",
            "how heavy",
            "wie viel",
            "wieviel",
            "wie lange",
            "wie hoch",
            "wie gross",
            "wie weit",
            "wie alt",
            "wie schnell",
            "wie schwer",
            "wie tief",
            "wie breit",
            "combien",
            "cuanto",
            "cuanta",
            "quanto",
            "quanta",
            "hoe lang",
            "hoe groot",
            "hoe hoog",
            "ile",
            "hur mycket",
            "多少",
            "何冊",
            "何人",
            "何個",
            "何日",
            "何回",
        ],
    ),
    (
        Wanted::Time,
        &[
            "when",
            "what date",
            "what time",
            "what year",
            "which year",
            "what day",
            "which day",
            "which month",
            "what month",
            "in what year",
            "by what date",
            "since when",
            "wann",
            "wie spat",
            "um wie viel uhr",
            "welches jahr",
            "welchem jahr",
            "welchem datum",
            "seit wann",
            "bis wann",
            "ab wann",
            "quand",
            "quelle date",
            "quelle heure",
            "quelle annee",
            "quel jour",
            "cuando",
            "que fecha",
            "que hora",
            "que ano",
            "que dia",
            "quando",
            "che ora",
            "che anno",
            "quale data",
            "che data",
            "quale giorno",
            "che giorno",
            "a que horas",
            "que horas",
            "wanneer",
            "hoe laat",
            "welke datum",
            "kiedy",
            "ktorej godzinie",
            "ktorym roku",
            "nar",
            "hvornar",
            "когда",
            "什么时候",
            "何时",
            "いつ",
            "何時",
        ],
    ),
    (
        Wanted::Person,
        &[
            "which company",
            "what company",
            "which organisation",
            "what organization",
            "which team",
            "welche firma",
            "welches unternehmen",
            "quelle entreprise",
            "quelle societe",
            "que empresa",
            "quale azienda",
            "quale societa",
            "welk bedrijf",
            "jaka firma",
            "who",
            "whom",
            "whose",
            "wer",
            "wem",
            "wen",
            "wessen",
            "qui est",
            "qui",
            "quien",
            "quienes",
            "chi",
            "quem",
            "wie is",
            "wie heeft",
            "kto",
            "kogo",
            "vem",
            "hvem",
            "кто",
            "谁",
            "誰",
            "だれ",
        ],
    ),
    (
        Wanted::Place,
        &[
            "where",
            "what city",
            "which city",
            "what country",
            "which country",
            "wo",
            "wohin",
            "woher",
            "welcher stadt",
            "welchem ort",
            "ou",
            "quelle ville",
            "donde",
            "dove",
            "onde",
            "waar",
            "gdzie",
            "var ligger",
            "hvor ligger",
            "где",
            "哪里",
            "どこ",
        ],
    ),
    (
        Wanted::Manner,
        &[
            "how do i",
            "how do you",
            "how to",
            "how can i",
            "how should i",
            "how does one",
            "wie kann ich",
            "wie kann man",
            "wie mache ich",
            "wie wird",
            "wie geht",
            "comment faire",
            "comment puis je",
            "comment peut on",
            "comment",
            "como puedo",
            "como se",
            "come si",
            "come posso",
            "como posso",
            "como faco",
            "hoe kan ik",
            "hoe moet ik",
            "hoe doe ik",
            "jak",
        ],
    ),
    (
        Wanted::Reason,
        &[
            "why",
            "warum",
            "weshalb",
            "wieso",
            "pourquoi",
            "por que",
            "perche",
            "waarom",
            "dlaczego",
            "почему",
            "为什么",
            "なぜ",
        ],
    ),
];

/// Words that make a text a question even without its mark, folded.
const ASKING: &[&str] = &[
    "what",
    "which",
    "how",
    "is",
    "are",
    "does",
    "do",
    "did",
    "can",
    "could",
    "was",
    "were",
    "will",
    "has",
    "have",
    "should",
    "may",
    "must",
    "welche",
    "welcher",
    "welches",
    "welchem",
    "welchen",
    "wie",
    "ist",
    "sind",
    "hat",
    "kann",
    "darf",
    "muss",
    "gibt",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "comment",
    "est",
    "y",
    "que",
    "cual",
    "cuales",
    "como",
    "hay",
    "che",
    "cosa",
    "quale",
    "quali",
    "come",
    "qual",
    "quais",
    "ha",
    "wat",
    "welke",
    "hoe",
    "mag",
    "moet",
    "jak",
    "jaki",
    "jaka",
    "jakie",
    "co",
    "czy",
    "vad",
    "hvad",
    "какой",
    "какая",
    "что",
    "как",
];

/// A text in lower case, folded, its words between single blanks, with one at each end.
pub(super) fn flat(text: &str) -> String {
    let mut flat = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        flat.push_str(&fold(word));
        flat.push(' ');
    }
    flat
}

fn has(flat: &str, sign: &str) -> bool {
    if sign.is_ascii() || sign.chars().all(|c| ('\u{400}'..'\u{500}').contains(&c)) {
        return flat.contains(&format!(" {sign} "));
    }
    flat.contains(sign)
}

/// What a question wants. `question` is as it was asked.
pub(super) fn wanted(question: &str) -> Wanted {
    let flat = flat(question);
    // A question word at the beginning speaks before all others.
    let head: String = flat.chars().take(28).collect();
    for (wanted, signs) in SIGNS.iter().filter(|(wanted, _)| {
        matches!(wanted, Wanted::Person | Wanted::Place | Wanted::Time | Wanted::Reason)
    }) {
        if signs.iter().any(|sign| sign.is_ascii() && head.starts_with(&format!(" {sign} "))) {
            return *wanted;
        }
    }
    let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)));
    found.map_or(Wanted::Any, |(wanted, _)| *wanted)
}

/// Whether a text asks something.
pub(super) fn is_question(text: &str) -> bool {
    if text.contains(['?', '？', '¿']) || text.contains("ですか") || text.contains("ますか") {
        return true;
    }
    let flat = flat(text);
    let first = flat.split(' ').find(|word| !word.is_empty()).unwrap_or_default();
    ASKING.contains(&first) || SIGNS.iter().any(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_word_tells_what_is_wanted() {
        for (question, expected) in [
            ("When does it end?", Wanted::Time),
            ("Who signed the contract?", Wanted::Person),
            ("How much is the rent?", Wanted::Money),
            ("How many rooms are there?", Wanted::Count),
            ("How do I open it?", Wanted::Manner),
            ("What percentage is tax?", Wanted::Percent),
            ("Wo ist die Wohnung?", Wanted::Place),
            ("Wie hoch ist die Miete?", Wanted::Amount),
            ("À quelle heure ouvre la gare ?", Wanted::Time),
            ("Wat kost een hond?", Wanted::Money),
            ("What is the e-mail address?", Wanted::Email),
            ("Perché è chiuso?", Wanted::Reason),
            ("What is included?", Wanted::Any),
        ] {
            assert_eq!(wanted(question), expected, "{question}");
        }
    }
}
