//! Suggestions for names that are not known.

/// Names in one message. Chosen by hand; no measurement is recorded.
const MAX_SUGGESTIONS: usize = 3;
/// Characters of a name that are compared. No vendor's name is longer; the time is quadratic.
const COMPARED: usize = 100;

/// The known names nearest to `wanted`, nearest first, by optimal string alignment distance.
pub(crate) fn nearest(wanted: &str, known: impl IntoIterator<Item = String>) -> Vec<String> {
    let folded = |name: &str| name.chars().take(COMPARED).collect::<String>().to_lowercase();
    let wanted = folded(wanted);
    let mut all: Vec<(usize, String)> =
        known.into_iter().map(|name| (strsim::osa_distance(&wanted, &folded(&name)), name)).collect();
    all.sort();
    all.dedup();
    all.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name).collect()
}

/// The known name that `wanted` most likely is a slip of: the nearest one, if at most a third of its characters differ.
/// A third is chosen by hand: it takes a transposition or a missing letter of a short name, and no other word. Case and
/// the marks between words do not count.
#[must_use]
pub fn likely<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = |name: &str| -> String {
        name.chars()
            .take(COMPARED)
            .filter(|c| !matches!(c, '_' | '-' | ' '))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = folded(wanted);
    let all = known.into_iter().map(|name| (strsim::osa_distance(&wanted, &folded(name)), name));
    all.filter(|(distance, name)| distance * 3 <= name.chars().count()).min().map(|(_, name)| name)
}

/// The name that was most likely meant, as the end of a message; empty where there is none.
#[must_use]
pub fn format_likely(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

/// The names as the end of a message; empty where there are none.
pub(crate) fn format_suggestions(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; the nearest names: {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_with_the_fewest_slips_come_first_whatever_their_case() {
        let known = ["gpt-6-luna", "gpt-6-sol", "gpt-5", "text-embedding-3-small"].map(str::to_owned);
        assert_eq!(nearest("GPT-6-lnua", known.clone()), ["gpt-6-luna", "gpt-6-sol", "gpt-5"]);
        assert!(nearest("x", []).is_empty());
        assert_eq!(nearest(&"y".repeat(1_000_000), known).len(), 3);
    }

    #[test]
    fn a_slip_is_told_from_another_word() {
        let known = ["required", "type", "minLength", "enum", "items"];
        for (wanted, meant) in [
            ("requird", Some("required")),
            ("requierd", Some("required")),
            ("min_length", Some("minLength")),
            ("Type", Some("type")),
            ("tpye", Some("type")),
            ("item", Some("items")),
            ("title", None),
            ("label", None),
            ("name", None),
        ] {
            assert_eq!(likely(wanted, known), meant, "{wanted}");
        }
    }
}
