//! Validation of the groups of a run.

use shared_core::Violation;

use crate::{BatchLimits, DocumentRef};

// They bound memory and the response. A URL as `web::MAX_URL`, a description as forms have.
/// Characters of a description at most.
pub const MAX_DESCRIPTION: usize = 10_000;
/// Characters of a URL at most.
pub const MAX_URL: usize = 8_192;
/// Violations in one response at most.
pub(crate) const MAX_VIOLATIONS: usize = 100;

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Groups of one run at most.
    pub groups: usize,
    /// Documents of one group at most.
    pub documents: usize,
    /// Attempts at a group with retryable failures.
    pub attempts: u32,
    /// Batches of the model's provider.
    pub batches: BatchLimits,
}

impl Default for RunLimits {
    fn default() -> Self {
        // `bench delta` runs 10,000 groups in a constant memory. The others: chosen by hand; no measurement
        // is recorded.
        Self { groups: 10_000, documents: 1_000, attempts: 4, batches: BatchLimits::default() }
    }
}

/// Every rule that the groups break; paths are relative to the array of groups.
pub(crate) fn violations(groups: &[Vec<DocumentRef>], limits: &RunLimits) -> Vec<Violation> {
    if groups.is_empty() || groups.len() > limits.groups {
        return vec![Violation::new("", format!("a run must have 1 to {} groups", limits.groups))];
    }
    let mut found = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        if group.is_empty() || group.len() > limits.documents {
            let rule = format!("a group must have 1 to {} documents", limits.documents);
            found.push(Violation::new(format!("/{index}"), rule));
        }
        for (position, document) in group.iter().enumerate() {
            check(document, &format!("/{index}/{position}"), &mut found);
        }
        if found.len() >= MAX_VIOLATIONS {
            break;
        }
    }
    found.truncate(MAX_VIOLATIONS);
    found
}

fn check(document: &DocumentRef, path: &str, found: &mut Vec<Violation>) {
    if document.url.trim().is_empty() || document.url.chars().nth(MAX_URL).is_some() {
        found.push(Violation::new(
            format!("{path}/url"),
            format!("'url' must have 1 to {MAX_URL} characters"),
        ));
    }
    if document.description.chars().nth(MAX_DESCRIPTION).is_some() {
        let rule = format!("'description' may have at most {MAX_DESCRIPTION} characters");
        found.push(Violation::new(format!("{path}/description"), rule));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> RunLimits {
        RunLimits { groups: 200, documents: 2, ..RunLimits::default() }
    }

    fn document(url: usize, description: usize) -> DocumentRef {
        DocumentRef { description: "d".repeat(description), ..DocumentRef::new("u".repeat(url)) }
    }

    fn paths(groups: &[Vec<DocumentRef>]) -> Vec<String> {
        violations(groups, &limits()).into_iter().map(|violation| violation.path).collect()
    }

    #[test]
    fn a_run_at_its_limits_is_accepted_and_one_beyond_is_refused_at_its_place() {
        let largest = document(MAX_URL, MAX_DESCRIPTION);
        assert_eq!(paths(&vec![vec![largest.clone(); 2]; 200]), [""; 0]);
        assert_eq!(paths(&vec![vec![largest.clone()]; 201]), [""]);
        assert_eq!(paths(&[]), [""]);
        assert_eq!(paths(&[vec![largest.clone(); 3], Vec::new()]), ["/0", "/1"]);
        let long = document(MAX_URL + 1, MAX_DESCRIPTION + 1);
        assert_eq!(paths(&[vec![largest, long]]), ["/0/1/url", "/0/1/description"]);
    }

    #[test]
    fn at_most_a_hundred_violations_are_told() {
        let missing = vec![document(0, 0)];
        assert_eq!(paths(&vec![missing.clone(); 99]).len(), 99);
        let told = paths(&vec![vec![document(0, MAX_DESCRIPTION + 1); 2]; 50]);
        assert_eq!((told.len(), told[99].as_str()), (100, "/24/1/description"));
        assert_eq!(paths(&vec![missing; 200]).last().map(String::as_str), Some("/99/0/url"));
    }
}
