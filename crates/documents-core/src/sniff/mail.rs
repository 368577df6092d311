//! Detects e-mail by its header fields.

/// Header fields that hardly anything but a message has.
const TECHNICAL: &[&str] = &[
    "received",
    "return-path",
    "delivered-to",
    "mime-version",
    "message-id",
    "x-mailer",
    "dkim-signature",
    "content-transfer-encoding",
    "x-originating-ip",
    "x-received",
    "in-reply-to",
    "thread-topic",
];
/// Header fields that other texts may have too.
const COMMON: &[&str] = &["from", "to", "cc", "bcc", "date", "subject", "content-type", "reply-to", "sender"];

/// Whether the text begins with a message header; `named` when the file name suggests a message. Without a
/// name that says so, at least three known fields are needed.
/// Chosen by hand; no measurement recorded.
pub(super) fn looks_like_mail(text: &str, named: bool) -> bool {
    let (mut technical, mut common) = (0, 0);
    for (index, line) in text.lines().enumerate() {
        // The line that mailboxes put before a message.
        if index == 0 && line.starts_with("From ") {
            continue;
        }
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) && index > 0 {
            continue;
        }
        let Some((name, _)) = line.split_once(':').filter(|(name, _)| is_name(name)) else {
            // A line that is truncated, or that ends the header.
            break;
        };
        let name = name.to_ascii_lowercase();
        technical += usize::from(TECHNICAL.contains(&name.as_str()));
        common += usize::from(COMMON.contains(&name.as_str()));
    }
    if named { technical + common > 0 } else { technical > 0 && common > 0 && technical + common > 2 }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() < 60 && name.bytes().all(|byte| byte.is_ascii_graphic())
}
