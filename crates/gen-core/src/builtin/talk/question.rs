//! What kind of answer a question wants, by its question words, and whether a text has one.

use std::sync::LazyLock;

use regex::Regex;

use crate::builtin::values::pattern;
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

pattern!(
    MONEY,
    r"(?i)[€$£¥₹]|zł|\b(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?|cents?|zl|kronor|kroner|rubl|reais|pesos?|yen)\b|円|元|\d[.,]\d\d\b"
);
pattern!(
    PERCENT,
    r"(?i)%|‰|\b(?:per ?cent|prozent|procent|pour cent|por ciento|per cento|por cento)|half\b|third\b|quarter\b"
);
pattern!(EMAIL, r"[\w.+-]+@[\w-]+\.\w");
pattern!(PHONE, r"\d[\d ()/.-]{5,}\d");
#[allow(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
    r"(?i)\b(?:1\d|20|21)\d\d\b|\d{1,2}[./:-]\d{1,2}|\d ?(?:h|uhr|am|pm|a\.m|p\.m|uur)\b|\d ?(?:時|时|年|月|日)|曜日|星期",
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|dez|okt|märz|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|févr|avr|juin|juil|août|déc|maa|mei|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)\p{L}*",
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|diens|donners|frei|sams|sonn)tags?\b|mittwoch",
    r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\b",
    r"|\b(?:segunda|terça|quarta|quinta|sexta)-feira|\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b",
    r"|\b(?:poniedziałek|wtorek|środ|czwart|piąt|sobot|niedziel)\p{L}*",
    r"|\b(?:daily|weekly|monthly|annually|yearly|immediately|today|tomorrow|yesterday|noon|midnight|spring|summer|autumn|winter|century|sofort|täglich|heute|morgen|gestern|mittag|sommer|frühling|herbst|jahrhundert)\b",
    r"|\b(?:days?|weeks?|months?|years?|hours?|minutes?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|jours?|semaines?|mois|ans?|années?|heures?|siècle|días?|semanas?|mes(?:es)?|años?|horas?|siglo|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|secolo|dias?|anos?|século|dagen|weken|maanden|jaar|uur|dni|tygodni|miesi\p{L}+|lat)\b"
)).unwrap()
});
pattern!(
    NUMBER_WORDS,
    r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand|million|once|twice|half|dozen|every|several|ein(?:e|en|em|er|mal)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|millionen|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|cent|mille|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|cento|dois|duas|três|quatro|sete|oito|dez|cem|twee|drie|vijf|zes|zeven|negen|tien|honderd|dwa|dwie|trzy|trzech|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|sto|tysiąc)\b|[一二三四五六七八九十百千万]"
);
pattern!(
    NAME,
    r"\p{Lu}[\p{L}’'.-]+ (?:(?:de|da|di|van|von|der|den|del|la|le|el|al|bin|of|the|and) )?\p{Lu}[\p{L}’'.-]*|\b(?:Mr|Mrs|Ms|Dr|Frau|Herrn?|Mme|M|Sra?|Dhr|Mevr|Pan|Pani)\.? \p{Lu}|さん|氏|先生|女士|君"
);
pattern!(INNER_NAME, r"\p{Ll}[,;:]? (?:the |der |die |das |le |la |el |il |o |a )?\p{Lu}\p{L}+");
pattern!(
    PLACE,
    r"\b(?i:in|at|on|near|to|from|bei|am|im|an|auf|nach|aus|à|au|aux|en|dans|sur|près|chez|a|al|ad|nel|nella|in|su|presso|em|no|na|nos|nas|te|op|naar|w|we|przy|do|hos|på|i|ved|under|behind|opposite|between|next|gegenüber|neben|hinter|unter)\b|\d{5}|[市区県町村都]|в |на "
);
pattern!(
    REASON,
    r"(?i)\b(?:because|since|due to|owing to|as a result|therefore|so that|in order|reason|caused?|weil|da|denn|wegen|aufgrund|grund|damit|parce|car|puisque|cause|raison|afin|porque|debido|ya que|razón|causa|para|perché|poiché|a causa|motivo|pois|devido|omdat|want|vanwege|reden|ponieważ|gdyż|bo|dlatego|powodu)\b|:|因为|由于|ため|から"
);

/// Whether a word is a number in digits or letters.
pub(super) fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric)
        || NUMBER_WORDS.find(word).is_some_and(|found| found.len() == word.len())
}

/// Whether a text has what is wanted: 1 when it does, 0 when it does not, between when it may.
pub(super) fn fits(wanted: Wanted, text: &str) -> f32 {
    let yes = |found: bool| if found { 1.0 } else { 0.0 };
    let digit = text.chars().any(|c| c.is_numeric());
    match wanted {
        Wanted::Any | Wanted::Manner => 1.0,
        Wanted::Amount | Wanted::Count => yes(digit || NUMBER_WORDS.is_match(text)),
        Wanted::Money if MONEY.is_match(text) => 1.0,
        Wanted::Money => {
            if digit || NUMBER_WORDS.is_match(text) {
                0.6
            } else {
                0.0
            }
        }
        Wanted::Percent => yes(PERCENT.is_match(text)),
        Wanted::Time => yes(TIME.is_match(text)),
        Wanted::Person => {
            if NAME.is_match(text) {
                1.0
            } else if INNER_NAME.is_match(text) {
                0.8
            } else {
                0.4
            }
        }
        Wanted::Place => {
            if !PLACE.is_match(text) {
                0.3
            } else if INNER_NAME.is_match(text) {
                1.0
            } else {
                0.8
            }
        }
        Wanted::Phone => yes(PHONE.is_match(text)),
        Wanted::Email => yes(EMAIL.is_match(text)),
        Wanted::Reason => {
            if REASON.is_match(text) {
                1.0
            } else {
                0.6
            }
        }
    }
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

    #[test]
    fn a_text_has_or_lacks_what_is_wanted() {
        assert!(fits(Wanted::Time, "It ends in June.") > 0.9);
        assert!(fits(Wanted::Time, "It ends well.") < 0.1);
        assert!(fits(Wanted::Money, "It is €5.") > 0.9);
        assert!(fits(Wanted::Amount, "It has three doors.") > 0.9);
        assert!(fits(Wanted::Phone, "Call 0117 555 0164.") > 0.9);
        assert!(fits(Wanted::Email, "Write to us.") < 0.1);
        assert!(
            fits(Wanted::Person, "It was led by Amara Nwosu.") > fits(Wanted::Person, "it was led well.")
        );
    }
}
