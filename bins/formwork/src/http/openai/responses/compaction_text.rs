//! The summary of a conversation in the item that stands for it. It is encoded and not encrypted, since it is the caller's
//! own conversation, so that any server reads it and none keeps it.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// What the model is told before a summary.
const LEAD: &str = "Summary of the conversation so far:\n";

/// The content of the item.
pub(super) fn write(summary: &str) -> String {
    BASE64_STANDARD.encode(format!("{LEAD}{summary}"))
}

/// The summary as the model is told it; none where the content is not one of [`write`].
pub(super) fn read(content: &str) -> Option<String> {
    let text = String::from_utf8(BASE64_STANDARD.decode(content).ok()?).ok()?;
    text.starts_with(LEAD).then_some(text)
}
