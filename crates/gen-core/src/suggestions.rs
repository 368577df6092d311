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
}
