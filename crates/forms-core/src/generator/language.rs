//! Language detection, and the conjunctions of each language.

use super::words::{Phrases, words};

/// A supported language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    #[default]
    English,
    German,
    French,
    Spanish,
}

/// Words that identify a language: articles, conjunctions, and common field names.
static ENGLISH: Phrases = Phrases::new(
    "a, an, the, and, or, of, with, for, is, are, number, their, which, whether, form, required, name, \
    to, that, by, phone, list, price, address",
);
static GERMAN: Phrases = Phrases::new(
    "und, oder, mit, der, die, das, den, dem, ein, eine, einen, fur, von, vom, zum, zur, formular, ob, \
    ist, sind, felder, nachname, vorname, strasse, geburtsdatum, pflichtfeld, im, anzahl, betrag, \
    datum, telefon, ort, plz, ja, nein, pflicht, bitte, wir, ich, folgenden, kunde, kunden, grund, \
    bemerkung, bemerkungen, telefonnummer, anschrift, sowie",
);
static FRENCH: Phrases = Phrases::new(
    "et, ou, avec, le, la, les, un, une, pour, formulaire, de, du, des, nom, prenom, adresse, \
    telephone, naissance, obligatoire, facultatif, champs, fiche, si, oui, non, est, sont, ainsi, au, \
    aux, ville, courriel, montant, numero, suivants, quantite, prix",
);
static SPANISH: Phrases = Phrases::new(
    "y, o, con, el, la, los, las, un, una, para, formulario, de, del, nombre, apellido, apellidos, \
    direccion, telefono, nacimiento, obligatorio, opcional, campos, ficha, si, es, son, correo, \
    fecha, ciudad, cantidad, precio, importe, numero, siguientes, que",
);

impl Language {
    /// The language with the most known words in the first 4,000 bytes of `text`; English on a tie with it.
    pub(super) fn of(text: &str) -> Self {
        // Enough for a language; bounds the time.
        let sample = text.get(..text.floor_char_boundary(4_000.min(text.len()))).unwrap_or_default();
        let sample = words(&sample.replace([',', ';', ':', '(', ')', '/'], " ")).into_iter();
        let sample: Vec<String> = sample.map(|word| word.plain).collect();
        let count = |list: &[&str]| sample.iter().filter(|word| list.contains(&word.as_str())).count();
        let umlauts = text.chars().filter(|c| matches!(c, 'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü')).count();
        let scores = [
            (Self::English, count(&ENGLISH)),
            (Self::German, count(&GERMAN) + umlauts),
            (Self::French, count(&FRENCH)),
            (Self::Spanish, count(&SPANISH)),
        ];
        let best = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
        scores.iter().find(|(_, score)| *score == best).map_or(Self::English, |(language, _)| *language)
    }

    /// Conjunctions before the last entry of a list.
    pub(super) fn and_words(self) -> &'static [&'static str] {
        match self {
            Self::English => &["and", "&", "plus"],
            Self::German => &["und", "sowie", "and", "&"],
            Self::French => &["et", "and", "&"],
            Self::Spanish => &["y", "e", "and", "&"],
        }
    }

    /// Conjunctions between alternatives.
    pub(super) fn or_words(self) -> &'static [&'static str] {
        match self {
            Self::English => &["or"],
            Self::German => &["oder", "or"],
            Self::French => &["ou"],
            Self::Spanish => &["o", "u", "or"],
        }
    }

    pub(super) fn is_german(self) -> bool {
        self == Self::German
    }

    /// Whether the head noun comes before its attributes.
    pub(super) fn is_head_first(self) -> bool {
        matches!(self, Self::French | Self::Spanish)
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_small_words_tell_the_language() {
        for (text, language) in [
            ("a form with name and email", Language::English),
            ("Ein Formular mit Name und E-Mail", Language::German),
            ("un formulaire avec nom et adresse", Language::French),
            ("un formulario con nombre y correo", Language::Spanish),
            ("Straße, Größe, Stück", Language::German),
            ("", Language::English),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
