//! Groups from JSON Lines: an object for each group, as the body of a request has it.

use delta_core::DocumentRef;
use document::PageRanges;
use serde::Deserialize;
use serde_json::{Map, Value};
use shared_core::Violation;

use crate::{EvaluationError, MAX_GROUPS, TrueGroup};

/// Broken lines that are told. A report of a thousand slips helps nobody more than one of a hundred.
const MAX_TOLD: usize = 100;

/// Whether the name of a file says that it has JSON Lines.
pub(crate) fn is_json_lines(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("jsonl" | "ndjson"))
}

/// A group as a line has it.
#[derive(Deserialize)]
struct Line {
    documents: Vec<LineDocument>,
    record: Map<String, Value>,
}

#[derive(Deserialize)]
struct LineDocument {
    url: Reference,
    description: Option<String>,
    pages: Option<PageRanges>,
}

/// A file id as a number or a text, or a URL.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reference {
    Id(u64),
    Text(String),
}

impl From<LineDocument> for DocumentRef {
    fn from(document: LineDocument) -> Self {
        let LineDocument { url, description, pages } = document;
        let url = match url {
            Reference::Id(id) => id.to_string(),
            Reference::Text(text) => text,
        };
        Self { description: description.unwrap_or_default(), pages, ..Self::new(url) }
    }
}

/// The groups of the lines, each with the number of its line, from 1. Blank lines are left out.
///
/// # Errors
/// Each line that is no group; [`EvaluationError::Full`] when there are more than a set holds.
pub(crate) fn groups_of_lines(content: &[u8]) -> Result<Vec<(usize, TrueGroup)>, EvaluationError> {
    let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
    let (mut groups, mut broken) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(content.split(|byte| *byte == b'\n')) {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if groups.len() >= MAX_GROUPS as usize {
            return Err(EvaluationError::Full);
        }
        if !line.trim_ascii_start().starts_with(b"{") {
            // Derived deserialisers accept an array for an object.
            broken.push(in_line(number, "a line must be a JSON object"));
            continue;
        }
        match serde_json::from_slice::<Line>(line) {
            Ok(Line { documents, record }) => {
                let documents = documents.into_iter().map(DocumentRef::from).collect();
                groups.push((number, TrueGroup { documents, record }));
            }
            Err(error) => {
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or(&message);
                broken.push(in_line(number, &format!("{reason} (column {})", error.column())));
            }
        }
    }
    broken.truncate(MAX_TOLD);
    if broken.is_empty() { Ok(groups) } else { Err(EvaluationError::Invalid(broken)) }
}

/// A broken rule of a line.
pub(crate) fn in_line(number: usize, rule: &str) -> Violation {
    Violation::new("/file", format!("line {number}: {rule}"))
}

/// The violations of groups, such as `/groups/0/record`, at the lines that the groups have.
pub(crate) fn at_lines(violations: Vec<Violation>, lines: &[usize]) -> Vec<Violation> {
    let at_line = |violation: Violation| {
        let group = violation.path.split('/').nth(2).and_then(|index| index.parse::<usize>().ok());
        match group.and_then(|group| lines.get(group)) {
            Some(line) => in_line(*line, &violation.message),
            None => Violation::new("/file", violation.message),
        }
    };
    violations.into_iter().map(at_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(content: &str) -> Vec<String> {
        match groups_of_lines(content.as_bytes()) {
            Err(EvaluationError::Invalid(broken)) => broken.into_iter().map(|one| one.message).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_is_a_group_as_a_request_has_it() {
        let lines = "\u{feff}{\"documents\": [{\"url\": 12}, {\"url\": \"x\", \"pages\": \"2-3\"}], \"record\": {\"a\": null}}\r\n\n \n\
            {\"documents\": [{\"url\": \"13\", \"description\": null}], \"record\": {}, \"note\": 1}";
        let groups = groups_of_lines(lines.as_bytes()).unwrap();
        assert_eq!(groups.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 4]);
        let first = &groups[0].1;
        assert_eq!((first.documents[0].url.as_str(), json!(first.record)), ("12", json!({"a": null})));
        assert_eq!(first.documents[1].pages.as_ref().unwrap().to_string(), "2-3");
        assert!(groups_of_lines(b"").unwrap().is_empty());
        assert!(is_json_lines("a.b.JSONL") && is_json_lines("x.ndjson") && !is_json_lines("jsonl"));
    }

    #[test]
    fn each_broken_line_is_named_with_its_rule() {
        let lines = "{\"documents\": [], \"record\": {}}\n{\"documents\": []}\n[1]\n{\"documents\": [{\"url\": {}}], \"record\": {}}\n{";
        let found = told(lines);
        assert_eq!(found.len(), 4);
        assert!(found[0].starts_with("line 2: missing field `record`"), "{found:?}");
        assert_eq!(found[1], "line 3: a line must be a JSON object");
        assert!(found[3].starts_with("line 5: EOF"), "{found:?}");
        let many = "{}\n".repeat(150);
        assert_eq!(told(&many).len(), MAX_TOLD);
        let deep = format!("{{\"documents\": [], \"record\": {{\"a\": {}1}}}}", "[".repeat(10_000));
        assert!(told(&deep)[0].contains("recursion limit"));
        let full = "{\"documents\": [], \"record\": {}}\n".repeat(MAX_GROUPS as usize + 1);
        assert!(matches!(groups_of_lines(full.as_bytes()), Err(EvaluationError::Full)));
    }

    #[test]
    fn rules_of_groups_are_told_at_their_lines() {
        let of = |path: &str| at_lines(vec![Violation::new(path, "rule")], &[3, 7])[0].message.clone();
        assert_eq!(["/groups/1/record", "/groups/9", ""].map(of), ["line 7: rule", "rule", "rule"]);
    }
}
