//! The names of months in the languages that documents mostly come in.

use std::collections::HashMap;
use std::sync::LazyLock;

use language::fold::fold_letters;
use unicode_normalization::char::is_combining_mark;

/// Full names, folded and without accents; abbreviations are their beginnings.
const NAMES: [&[&str]; 12] = [
    &[
        "january", "januar", "jaenner", "janner", "janvier", "enero", "gennaio", "janeiro", "januari",
        "styczen", "stycznia", "leden", "ocak",
    ],
    &[
        "february",
        "februar",
        "feber",
        "fevrier",
        "febrero",
        "febbraio",
        "fevereiro",
        "februari",
        "luty",
        "lutego",
        "unor",
        "subat",
    ],
    &[
        "march", "marz", "maerz", "mars", "marzo", "marco", "maart", "mrt", "marzec", "marca", "brezen",
        "mart",
    ],
    &["april", "avril", "abril", "aprile", "kwiecien", "kwietnia", "duben", "nisan"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maj", "maja", "kveten", "mayis"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "czerwiec", "czerwca", "cerven", "haziran"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "lipiec", "lipca", "cervenec", "temmuz"],
    &["august", "aout", "agosto", "augustus", "augusti", "sierpien", "sierpnia", "srpen", "agustos"],
    &[
        "september",
        "septembre",
        "septiembre",
        "setiembre",
        "settembre",
        "setembro",
        "wrzesien",
        "wrzesnia",
        "zari",
        "eylul",
    ],
    &[
        "october",
        "oktober",
        "octobre",
        "octubre",
        "ottobre",
        "outubro",
        "pazdziernik",
        "pazdziernika",
        "rijen",
        "ekim",
    ],
    &["november", "novembre", "noviembre", "novembro", "listopad", "listopada", "kasim"],
    &[
        "december",
        "dezember",
        "decembre",
        "diciembre",
        "dicembre",
        "dezembro",
        "desember",
        "grudzien",
        "grudnia",
        "prosinec",
        "aralik",
    ],
];

/// Names in Russian, Ukrainian, Romanian, Hungarian, Finnish and Greek, likewise; abbreviated are the
/// Cyrillic ones only.
const MORE: [&[&str]; 12] = [
    &[
        "января",
        "січня",
        "январь",
        "ianuarie",
        "januar",
        "tammikuu",
        "tammikuuta",
        "ιανουαριου",
        "ιανουαριος",
    ],
    &["февраля", "лютого", "февраль", "februarie", "helmikuu", "helmikuuta", "φεβρουαριου", "φεβρουαριος"],
    &["марта", "березня", "март", "martie", "marcius", "maaliskuu", "maaliskuuta", "μαρτιου", "μαρτιος"],
    &["апреля", "квітня", "апрель", "aprilie", "aprilis", "huhtikuu", "huhtikuuta", "απριλιου", "απριλιος"],
    &["мая", "травня", "маи", "majus", "toukokuu", "toukokuuta", "μαιου", "μαιος"],
    &["июня", "червня", "июнь", "iunie", "junius", "kesakuu", "kesakuuta", "ιουνιου", "ιουνιος"],
    &["июля", "липня", "июль", "iulie", "julius", "heinakuu", "heinakuuta", "ιουλιου", "ιουλιος"],
    &["августа", "серпня", "август", "augusztus", "elokuu", "elokuuta", "αυγουστου", "αυγουστος"],
    &[
        "сентября",
        "вересня",
        "сентябрь",
        "septembrie",
        "szeptember",
        "syyskuu",
        "syyskuuta",
        "σεπτεμβριου",
        "σεπτεμβριος",
    ],
    &["октября", "жовтня", "октябрь", "octombrie", "lokakuu", "lokakuuta", "οκτωβριου", "οκτωβριος"],
    &["ноября", "листопада", "ноябрь", "noiembrie", "marraskuu", "marraskuuta", "νοεμβριου", "νοεμβριος"],
    &["декабря", "грудня", "декабрь", "decembrie", "joulukuu", "joulukuuta", "δεκεμβριου", "δεκεμβριος"],
];

/// Every name and abbreviation with its month, from 1.
static MONTHS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    let mut months = HashMap::new();
    let numbered = |lists: &'static [&'static [&'static str]; 12]| {
        (1..).zip(lists).flat_map(|(number, names)| names.iter().map(move |name| (number, *name)))
    };
    for (number, name) in numbered(&NAMES).chain(numbered(&MORE)) {
        months.entry(name.to_owned()).or_insert(number);
    }
    // "mar" begins many names.
    months.insert("mar".to_owned(), 3);
    // French "juil." and "juin" differ in their fourth letter only; of what begins several months the
    // first is taken.
    let russian = numbered(&MORE).filter(|(_, name)| name.starts_with(|c| ('а'..='я').contains(&c)));
    for (number, name) in numbered(&NAMES).chain(russian) {
        for length in 3..=5 {
            let short: String = name.chars().take(length).collect();
            months.entry(short).or_insert(number);
        }
    }
    months
});

/// The month, from 1, that `word` names: in full, or by three letters or more.
pub(super) fn month(word: &str) -> Option<u32> {
    let plain: String = fold_letters(word).chars().filter(|c| !is_combining_mark(*c)).collect();
    MONTHS.get(&plain).copied()
}

#[cfg(test)]
mod tests {
    use super::month;

    #[test]
    fn months_are_known_in_full_and_abbreviated() {
        for (word, number) in [
            ("January", 1),
            ("Jänner", 1),
            ("févr", 2),
            ("MÄRZ", 3),
            ("Mar", 3),
            ("avr", 4),
            ("Mai", 5),
            ("Jun", 6),
            ("juil", 7),
            ("Jul", 7),
            ("août", 8),
            ("Sept", 9),
            ("sep", 9),
            ("Okt", 10),
            ("Ott", 10),
            ("nov", 11),
            ("Dez", 12),
            ("déc", 12),
        ] {
            assert_eq!(month(word), Some(number), "{word}");
        }
        for word in ["", "ma", "total", "marine", "日"] {
            assert_eq!(month(word), None, "{word}");
        }
    }
}
