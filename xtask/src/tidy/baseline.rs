//! Baselines: the findings at the introduction of a check, one entry per line, in files that may only shrink.

use std::collections::BTreeMap;

use super::files::Files;
use super::finding::Finding;

/// Whether `--write` may also store new entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// Only fixed entries are removed from the baseline.
    Refused,
    /// The baseline is replaced by the present findings.
    Accepted,
}

/// A present entry and its location.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its line in the baseline.
    pub(crate) line: String,
    /// The finding that is reported if the baseline lacks it.
    pub(crate) finding: Finding,
}

/// Findings that are new compared with the baseline, and lines of it that match nothing any more. Equal lines
/// are counted.
pub(crate) fn compare(files: &Files, baseline: &str, today: Vec<Entry>) -> Vec<Finding> {
    let mut open: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, line) in files.text(baseline).unwrap_or_default().lines().enumerate() {
        open.entry(line).or_default().push(index + 1);
    }
    let mut findings = Vec::new();
    for entry in today {
        if open.get_mut(entry.line.as_str()).and_then(Vec::pop).is_none() {
            findings.push(entry.finding);
        }
    }
    for (line, numbers) in open {
        let gone =
            |number| Finding::new(baseline, number, format!("gone, remove the line (--write): {line}"));
        findings.extend(numbers.into_iter().map(gone));
    }
    findings
}

/// The new text of a baseline: the present lines, sorted; new ones only if growth is accepted.
pub(crate) fn renewed(old: &str, today: &[Entry], growth: Growth) -> String {
    let mut old: Vec<&str> = old.lines().collect();
    let mut lines: Vec<&str> = Vec::new();
    for entry in today {
        let known = old.iter().position(|line| *line == entry.line).map(|index| old.swap_remove(index));
        if known.is_some() || growth == Growth::Accepted {
            lines.push(&entry.line);
        }
    }
    lines.sort_unstable();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Entry, Growth, compare, renewed};
    use crate::tidy::files::Files;
    use crate::tidy::finding::Finding;

    fn entry(line: &str) -> Entry {
        Entry { line: line.to_owned(), finding: Finding::new(line, 1, "new") }
    }

    #[test]
    fn a_baseline_names_what_is_new_and_what_is_gone() {
        let files = Files::in_memory(&[("base.txt", "a\na\nb\n")]);
        let findings = compare(&files, "base.txt", vec![entry("a"), entry("c")]);
        let texts: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "c:1: new",
                "base.txt:1: gone, remove the line (--write): a",
                "base.txt:3: gone, remove the line (--write): b",
            ]
        );
        assert!(compare(&files, "base.txt", vec![entry("a"), entry("b"), entry("a")]).is_empty());
    }

    #[test]
    fn a_baseline_grows_only_where_that_is_accepted() {
        let today = [entry("c"), entry("a")];
        assert_eq!(renewed("a\nb\n", &today, Growth::Refused), "a\n");
        assert_eq!(renewed("a\nb\n", &today, Growth::Accepted), "a\nc\n");
    }
}
