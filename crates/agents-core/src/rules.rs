//! The rules of an agent's own values.

use shared_core::Violation;

use crate::Agent;

/// Knowledge bases an agent may have.
const MAX_KNOWLEDGE: usize = 100;

/// Every rule that the agent's values break; paths are those of the request body.
pub(crate) fn violations(agent: &Agent) -> Vec<Violation> {
    let mut found = Vec::new();
    if !is_slug(&agent.namespace) {
        let rule = "'namespace' must have 1 to 63 lower-case letters, digits, '-' or '_', \
                    and begin with a letter or digit";
        found.push(Violation::new("/namespace", rule));
    }
    let texts = [
        ("name", &agent.name, 255),
        ("description", &agent.description, 10_000),
        ("instructions", &agent.instructions, 100_000),
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
    found
}

fn is_slug(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= 63
        && text.bytes().next().is_some_and(plain)
        && text.bytes().all(|byte| plain(byte) || matches!(byte, b'-' | b'_'))
}
