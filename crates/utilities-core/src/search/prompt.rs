//! Formats hits as text for a prompt.

use gen_core::{estimate_tokens, prefix_of_tokens};

use super::query::Kind;
use super::source::Source;

/// Minimum tokens of a text; a shorter rest is left out. About ten words say nothing. Chosen by hand; no
/// measurement is recorded.
const LITTLE: usize = 16;

/// A numbered summary of the hits for a prompt: title, URL, date and text of each. The text is the page's own
/// when it is known, else the description. It has at most `budget` tokens by [`estimate_tokens`]. Each hit
/// gets an equal share of the rest, and hits whose header does not fit are left out. Lines of a page that
/// look like the number of a hit are prefixed with `>`, so that no page can imitate another hit.
#[must_use]
pub fn prompt_context(kind: Kind, sources: &[Source], budget: usize) -> String {
    let mut context = String::new();
    for (place, source) in sources.iter().enumerate() {
        let left = budget.saturating_sub(estimate_tokens(&context));
        let share = left / (sources.len() - place);
        let head = head(kind, place + 1, source, !context.is_empty());
        let cost = estimate_tokens(&head) + 1;
        if cost > left {
            break;
        }
        context.push_str(&head);
        let text = if source.full_text.is_empty() { &source.description } else { &source.full_text };
        let room = share.saturating_sub(cost);
        if !text.is_empty() && (room >= LITTLE || estimate_tokens(text) <= room) {
            context.push('\n');
            context.push_str(&cut(&unnumbered(text), room));
        }
    }
    context
}

fn head(kind: Kind, number: usize, source: &Source, further: bool) -> String {
    let mut head = String::new();
    if further {
        head.push_str("\n\n");
    }
    head.push_str(&format!("[{number}] {}\nURL: {}", source.title, source.url));
    if let Some(published) = source.published {
        head.push_str(&format!("\nDate: {}", published.rfc3339()));
    }
    if kind == Kind::News && !source.publisher.is_empty() {
        head.push_str(&format!("\nPublisher: {}", source.publisher));
    }
    head
}

/// The beginning that fits into the tokens, cut at the end of a word.
fn cut(text: &str, tokens: usize) -> String {
    let fitting = prefix_of_tokens(text, tokens);
    if fitting.len() == text.len() {
        return text.to_owned();
    }
    let fitting = prefix_of_tokens(text, tokens.saturating_sub(1));
    let end =
        fitting.rfind(char::is_whitespace).filter(|end| end * 2 > fitting.len()).unwrap_or(fitting.len());
    format!("{}…", fitting.get(..end).unwrap_or(fitting).trim_end())
}

fn unnumbered(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for (place, line) in text.lines().enumerate() {
        if place > 0 {
            lines.push('\n');
        }
        if is_numbered(line.trim_start()) {
            lines.push_str("> ");
        }
        lines.push_str(line);
    }
    lines
}

fn is_numbered(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('[') else { return false };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len() && after.starts_with(']')
}
