//! Detects the language of a text.

use whatlang::{Lang, Script};

/// Characters that are examined; more do not improve the result.
const SAMPLE: usize = 4000;
/// Minimum letters for a reliable detection by trigrams.
const ENOUGH: usize = 60;

/// The language of a text (ISO 639-1); `None` when it is too short or too mixed.
#[must_use]
pub fn detect_language(text: &str) -> Option<&'static str> {
    let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |(end, _)| end);
    let text = &text[..end];
    let info = whatlang::detect(text)?;
    let certain_by_script = !matches!(
        info.script(),
        Script::Latin | Script::Cyrillic | Script::Arabic | Script::Devanagari | Script::Hebrew
    );
    let letters = text.chars().filter(|c| c.is_alphabetic()).take(ENOUGH).count();
    if certain_by_script || (info.is_reliable() && letters >= ENOUGH) {
        Some(code(info.lang()))
    } else {
        None
    }
}

/// ISO 639-1 for the detector's ISO 639-3.
fn code(language: Lang) -> &'static str {
    match language {
        Lang::Afr => "af",
        Lang::Aka => "ak",
        Lang::Amh => "am",
        Lang::Ara => "ar",
        Lang::Aze => "az",
        Lang::Bel => "be",
        Lang::Ben => "bn",
        Lang::Bul => "bg",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Cym => "cy",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Eng => "en",
        Lang::Epo => "eo",
        Lang::Est => "et",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Guj => "gu",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Hye => "hy",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jav => "jv",
        Lang::Jpn => "ja",
        Lang::Kan => "kn",
        Lang::Kat => "ka",
        Lang::Khm => "km",
        Lang::Kor => "ko",
        Lang::Lat => "la",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Mal => "ml",
        Lang::Mar => "mr",
        Lang::Mkd => "mk",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Nld => "nl",
        Lang::Nob => "no",
        Lang::Ori => "or",
        Lang::Pan => "pa",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Sin => "si",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Sna => "sn",
        Lang::Spa => "es",
        Lang::Srp => "sr",
        Lang::Swe => "sv",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Tgl => "tl",
        Lang::Tha => "th",
        Lang::Tuk => "tk",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Uzb => "uz",
        Lang::Vie => "vi",
        Lang::Yid => "yi",
        Lang::Zul => "zu",
    }
}
