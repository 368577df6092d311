//! Words for copies and page numbers in many languages. All are folded and without accents.

use unicode_normalization::char::is_combining_mark;

/// Words for a copy, and for an original.
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
/// Words beside a page number.
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

/// Whether a folded word denotes a copy or an original.
pub(super) fn is_copy_word(token: &str) -> bool {
    is_one_of(&COPIES, token)
}

/// Whether a folded word belongs to a page number.
pub(super) fn is_page_word(token: &str) -> bool {
    is_one_of(&PAGES, token)
}
