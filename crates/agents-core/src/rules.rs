//! Validation rules of an agent's own values.

use std::collections::HashSet;

use shared_core::Violation;

use crate::Agent;

// They bound memory and prompts. Chosen by hand; no measurement is recorded.
/// Most characters of a namespace.
pub const MAX_NAMESPACE: usize = 63;
/// Pattern of a namespace, as a regular expression of JSON Schema. The length limit is [`MAX_NAMESPACE`].
pub const NAMESPACE_PATTERN: &str = "^[a-z0-9][a-z0-9_-]*$";
/// Most characters of a display name.
pub const MAX_NAME: usize = 255;
/// Most characters of a description.
pub const MAX_DESCRIPTION: usize = 10_000;
/// Most characters of the instructions.
pub const MAX_INSTRUCTIONS: usize = 100_000;
/// Most knowledge bases of an agent.
pub const MAX_KNOWLEDGE: usize = 100;
/// Most further forms of an agent. Every form is compared with every document.
pub const MAX_FORMS: usize = 49;

/// Every rule that the agent's values break. Paths are JSON pointers into the request body.
pub(crate) fn violations(agent: &Agent) -> Vec<Violation> {
    let mut found = Vec::new();
    if !is_slug(&agent.namespace) {
        let rule = format!(
            "'namespace' must have 1 to {MAX_NAMESPACE} lower-case letters, digits, '-' or '_', \
             and begin with a letter or digit"
        );
        found.push(Violation::new("/namespace", rule));
    }
    let texts = [
        ("name", &agent.name, MAX_NAME),
        ("description", &agent.description, MAX_DESCRIPTION),
        ("instructions", &agent.instructions, MAX_INSTRUCTIONS),
    ];
    for (field, text, most) in texts {
        if text.chars().nth(most).is_some() {
            found.push(Violation::new(
                format!("/{field}"),
                format!("'{field}' may have at most {most} characters"),
            ));
        }
    }
    if agent.knowledge.len() > MAX_KNOWLEDGE {
        found.push(Violation::new("/knowledge", format!("'knowledge' may have at most {MAX_KNOWLEDGE} ids")));
    }
    if agent.forms.len() > MAX_FORMS {
        found.push(Violation::new("/forms", format!("'forms' may have at most {MAX_FORMS} entries")));
    }
    let mut seen: HashSet<&str> = agent.form_id.as_deref().into_iter().collect();
    for (index, form) in agent.forms.iter().enumerate().take(MAX_FORMS) {
        if !seen.insert(&form.form_id) {
            let rule = format!("the agent names the form '{}' twice", form.form_id);
            found.push(Violation::new(format!("/forms/{index}/form_id"), rule));
        }
    }
    found
}

/// Whether `text` matches [`NAMESPACE_PATTERN`] and is no longer than [`MAX_NAMESPACE`].
fn is_slug(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= MAX_NAMESPACE
        && text.bytes().next().is_some_and(plain)
        && text.bytes().all(|byte| plain(byte) || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_is_what_its_pattern_describes() {
        let pattern = regex::Regex::new(NAMESPACE_PATTERN).unwrap();
        for text in ["", "a", "0", "a-b_c9", "-a", "_a", "A", "a b", "é", "a\n", "a.b", "a/b"] {
            assert_eq!(is_slug(text), pattern.is_match(text), "{text:?}");
        }
        assert!(is_slug(&"a".repeat(MAX_NAMESPACE)) && !is_slug(&"a".repeat(MAX_NAMESPACE + 1)));
    }
}
