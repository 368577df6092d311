//! Selects the languages to recognise.

use crate::error::FindError;

/// Maximum languages used together unless the setting names them: each costs time, and some accuracy.
const MOST: usize = 3;
/// The default language, where it is installed.
const USUAL: &str = "eng";
/// Data files that are no languages: orientation and script, and formulas.
const OTHERS: [&str; 2] = [ORIENTATION, "equ"];
const ORIENTATION: &str = "osd";

/// The languages in `listed`, the output of `--list-langs`: one on each line after a heading.
pub(crate) fn parse_languages(listed: &str) -> Vec<String> {
    let names = listed.lines().skip(1).map(str::trim);
    names.filter(|name| is_name(name) && !OTHERS.contains(name)).map(str::to_owned).collect()
}

/// Whether `listed`, the output of `--list-langs`, has the orientation data.
pub(crate) fn has_orientation_data(listed: &str) -> bool {
    listed.lines().skip(1).any(|line| line.trim() == ORIENTATION)
}

/// The languages to recognise: the `wanted` ones (`eng+deu`); else all installed ones if they are few; else
/// English or the first.
pub(crate) fn select_languages(wanted: &str, installed: &[String]) -> Result<Vec<String>, FindError> {
    let wanted: Vec<&str> =
        wanted.split(['+', ',', ' ']).map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = wanted.iter().find(|name| !installed.iter().any(|known| known == *name)) {
        return Err(FindError::NoLanguage {
            language: (*unknown).to_owned(),
            installed: installed.join(", "),
        });
    }
    if !wanted.is_empty() {
        return Ok(wanted.into_iter().map(str::to_owned).collect());
    }
    // The first language decides between equally likely readings.
    let (mut first, others): (Vec<String>, Vec<String>) =
        installed.iter().filter(|name| !name.contains('/')).cloned().partition(|name| name == USUAL);
    if first.len() + others.len() <= MOST || first.is_empty() {
        first.extend(others.into_iter().take(MOST));
    }
    if first.is_empty() { Err(FindError::NoLanguages) } else { Ok(first) }
}

/// Names become arguments of a program, so nothing that could be an option or a path is accepted.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn few_installed_languages_are_all_read_english_first_and_of_many_only_english() {
        let listed =
            "List of available languages in \"/usr/share/tessdata/\" (5):\ndeu\neng\nosd\n--version\nfra\n";
        assert_eq!(parse_languages(listed), ["deu", "eng", "fra"]);
        assert_eq!(select_languages("", &parse_languages(listed)).unwrap(), ["eng", "deu", "fra"]);
        assert_eq!(select_languages("", &names(&["ara", "deu", "eng", "fra"])).unwrap(), ["eng"]);
        assert_eq!(select_languages("", &names(&["deu"])).unwrap(), ["deu"]);
        assert!(matches!(select_languages("", &[]), Err(FindError::NoLanguages)));
    }

    #[test]
    fn a_language_that_is_not_installed_is_named() {
        let known = names(&["deu", "eng"]);
        assert_eq!(select_languages("deu+eng", &known).unwrap(), ["deu", "eng"]);
        let error = select_languages("eng, fra", &known).unwrap_err();
        assert_eq!(error.to_string(), "tesseract has no data for the language 'fra'; it has deu, eng");
    }
}
