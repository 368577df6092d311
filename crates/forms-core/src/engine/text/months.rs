//! The names of months in the languages that documents mostly come in.

use unicode_normalization::char::is_combining_mark;

use super::fold::folded;

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

/// Names in Russian, Ukrainian, Romanian, Hungarian, Finnish and Greek, likewise; in full only, but for
/// Russian abbreviations, which are beginnings.
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

/// The month, from 1, that `word` names: in full, or by three letters or more.
pub(super) fn month(word: &str) -> Option<u32> {
    let plain: String = folded(word).chars().filter(|c| !is_combining_mark(*c)).collect();
    if !plain.is_ascii() || MORE.iter().any(|names| names.contains(&plain.as_str())) {
        let of =
            |fits: &dyn Fn(&str) -> bool| MORE.iter().position(|names| names.iter().any(|name| fits(name)));
        let short = plain.len() >= 6 && plain.len() <= 10;
        let at = of(&|name| name == plain).or_else(|| {
            // Three Cyrillic letters or more.
            of(&|name| name.starts_with(plain.as_str()))
                .filter(|_| short && plain.starts_with(|c| ('а'..='я').contains(&c)))
        });
        return at.and_then(|at| u32::try_from(at + 1).ok());
    }
    let by = |fits: &dyn Fn(&str) -> bool| {
        NAMES
            .iter()
            .position(|names| names.iter().any(|name| fits(name)))
            .and_then(|at| u32::try_from(at + 1).ok())
    };
    // French "juil." and "juin" differ in their fourth letter only, so beginnings must be unique enough.
    let beginning =
        |name: &str| (3..=5).contains(&plain.len()) && name.starts_with(plain.as_str()) && plain != "mar";
    by(&|name| name == plain).or_else(|| (plain == "mar").then_some(3)).or_else(|| by(&beginning))
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
