//! How languages mark a copy, and number pages. All words are folded, and without accents.

use unicode_normalization::char::is_combining_mark;

/// Words for a copy, and for what it is a copy of.
const COPIES: [&str; 34] = [
    "copy",
    "duplicate",
    "reprint",
    "original",
    "triplicate",
    "counterpart",
    "kopie",
    "duplikat",
    "zweitschrift",
    "abschrift",
    "durchschlag",
    "copie",
    "duplicata",
    "copia",
    "duplicado",
    "duplicato",
    "reimpresion",
    "via",
    "segunda",
    "kopi",
    "kopia",
    "duplikaatti",
    "jaljennos",
    "afschrift",
    "duplicaat",
    "odpis",
    "duplikatu",
    "opis",
    "masolat",
    "kopya",
    "suret",
    "копия",
    "дубликат",
    "副本",
];
/// Words that stand beside the number of a page.
const PAGES: [&str; 22] = [
    "page",
    "pages",
    "pg",
    "seite",
    "blatt",
    "pagina",
    "paginas",
    "pag",
    "folio",
    "hoja",
    "feuille",
    "side",
    "sida",
    "sivu",
    "bladzijde",
    "blz",
    "strona",
    "str",
    "strana",
    "sayfa",
    "стр",
    "страница",
];

fn is_one_of(words: &[&str], token: &str) -> bool {
    let plain: String = token.chars().filter(|c| !is_combining_mark(*c)).collect();
    words.contains(&plain.as_str())
}

/// Whether a folded word marks a copy or its original.
pub(super) fn is_copy_word(token: &str) -> bool {
    is_one_of(&COPIES, token)
}

/// Whether a folded word stands beside the number of a page.
pub(super) fn is_page_word(token: &str) -> bool {
    is_one_of(&PAGES, token)
}
