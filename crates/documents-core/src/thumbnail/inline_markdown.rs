//! Removes the inline Markdown syntax of a text.

/// Text without inline Markdown syntax.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("**", "").replace("\\|", "|").replace('`', "");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // `[label](address)` and `![label](address)` become their label.
    while let Some((before, after)) = rest.split_once("](") {
        let (head, label) = before.rsplit_once('[').unwrap_or((before, ""));
        let Some((_, behind)) = after.split_once(')') else { break };
        plain.push_str(head.strip_suffix('!').unwrap_or(head));
        plain.push_str(label);
        rest = behind;
    }
    plain.push_str(rest);
    plain
}
