//! Whether a text has an answer of a given type.

use gen_core::text::AnswerType;

use crate::pattern::pattern;

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
pattern!(
    TIME,
    concat!(
        r"(?i)\b(?:1\d|20|21)\d\d\b|\d{1,2}[./:-]\d{1,2}|\d ?(?:h|uhr|am|pm|a\.m|p\.m|uur)\b|\d ?(?:時|时|年|月|日)|曜日|星期",
        r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|dez|okt|märz|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|févr|avr|juin|juil|août|déc|maa|mei|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)\p{L}*",
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|diens|donners|frei|sams|sonn)tags?\b|mittwoch",
        r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\b",
        r"|\b(?:segunda|terça|quarta|quinta|sexta)-feira|\b(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b",
        r"|\b(?:poniedziałek|wtorek|środ|czwart|piąt|sobot|niedziel)\p{L}*",
        r"|\b(?:daily|weekly|monthly|annually|yearly|immediately|today|tomorrow|yesterday|noon|midnight|spring|summer|autumn|winter|century|sofort|täglich|heute|morgen|gestern|mittag|sommer|frühling|herbst|jahrhundert)\b",
        r"|\b(?:days?|weeks?|months?|years?|hours?|minutes?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|jours?|semaines?|mois|ans?|années?|heures?|siècle|días?|semanas?|mes(?:es)?|años?|horas?|siglo|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|secolo|dias?|anos?|século|dagen|weken|maanden|jaar|uur|dni|tygodni|miesi\p{L}+|lat)\b"
    )
);
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

/// Whether a text has an answer of a type: 1 if it does, 0 if not, between them if it may.
pub(super) fn match_answer_type(wanted: AnswerType, text: &str) -> f32 {
    let yes = |found: bool| if found { 1.0 } else { 0.0 };
    let digit = text.chars().any(|c| c.is_numeric());
    match wanted {
        AnswerType::Any | AnswerType::Manner => 1.0,
        AnswerType::Amount | AnswerType::Count => yes(digit || NUMBER_WORDS.is_match(text)),
        AnswerType::Money if MONEY.is_match(text) => 1.0,
        AnswerType::Money => {
            if digit || NUMBER_WORDS.is_match(text) {
                0.6
            } else {
                0.0
            }
        }
        AnswerType::Percent => yes(PERCENT.is_match(text)),
        AnswerType::Time => yes(TIME.is_match(text)),
        AnswerType::Person => {
            if NAME.is_match(text) {
                1.0
            } else if INNER_NAME.is_match(text) {
                0.8
            } else {
                0.4
            }
        }
        AnswerType::Place => {
            if !PLACE.is_match(text) {
                0.3
            } else if INNER_NAME.is_match(text) {
                1.0
            } else {
                0.8
            }
        }
        AnswerType::Phone => yes(PHONE.is_match(text)),
        AnswerType::Email => yes(EMAIL.is_match(text)),
        AnswerType::Reason => {
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
    fn a_text_has_or_lacks_what_is_wanted() {
        assert!(match_answer_type(AnswerType::Time, "It ends in June.") > 0.9);
        assert!(match_answer_type(AnswerType::Time, "It ends well.") < 0.1);
        assert!(match_answer_type(AnswerType::Money, "It is €5.") > 0.9);
        assert!(match_answer_type(AnswerType::Amount, "It has three doors.") > 0.9);
        assert!(match_answer_type(AnswerType::Phone, "Call 0117 555 0164.") > 0.9);
        assert!(match_answer_type(AnswerType::Email, "Write to us.") < 0.1);
        assert!(
            match_answer_type(AnswerType::Person, "It was led by Amara Nwosu.")
                > match_answer_type(AnswerType::Person, "it was led well.")
        );
    }
}
