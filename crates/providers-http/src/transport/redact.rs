//! Sanitises external text for display: one sentence without secrets.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use secrecy::{ExposeSecret as _, SecretString};

/// Maximum number of characters of a message. Bounds the message. Chosen by hand; no measurement is recorded.
const LONGEST: usize = 500;

/// Maximum number of bytes of a text that are scanned. Bounds the time.
const LOOKED_AT: usize = 16 << 10;

/// A word that shares this many consecutive bytes with a secret is hidden. Shorter runs are in ordinary words
/// too. Chosen by hand; no measurement is recorded.
const SHARED: usize = 8;

/// Replacement of a secret.
const HIDDEN: &str = "[hidden]";

/// Patterns of credentials of any vendor and any owner.
#[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles them")]
static CREDENTIAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\bbearer[\s:=]+[^\s,;]{6,}",
        r"|\bbasic[\s:=]+[a-z0-9+/=]{12,}",
        r"|\b(?:sk|rk|xai|gsk|hf)[-_][a-z0-9*._\-]{6,}",
        r"|\bAIza[a-z0-9_\-*.]{8,}",
        r#"|\b(?:x-goog-api-key|x-api-key|api[-_ ]?key|authorization|password|secret)["']?\s*[:=]\s*["']?[^\s,;"']+"#,
    ))
    .expect("a constant pattern")
});

/// Secrets to remove from texts.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    texts: Arc<[SecretString]>,
}

impl Secrets {
    pub(crate) fn add(&mut self, secret: SecretString) {
        self.texts = self.texts.iter().cloned().chain([secret]).collect();
    }

    /// `text` on one line of at most 500 characters, without control characters and without anything that is
    /// or looks like a secret.
    pub(crate) fn sentence(&self, text: &str) -> String {
        let mut end = text.len().min(LOOKED_AT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // Invisible characters are removed first: they could split a secret into two harmless words.
        let visible: String = text[..end].chars().filter(|c| !is_hidden(*c)).collect();
        let mut line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        for secret in self.texts.iter() {
            line = hide(&line, secret.expose_secret().trim());
        }
        let line = CREDENTIAL.replace_all(&line, HIDDEN);
        match line.char_indices().nth(LONGEST) {
            None => line.into_owned(),
            // The last character is replaced by the ellipsis.
            Some(_) => line.chars().take(LONGEST - 1).chain(['…']).collect(),
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} secrets", self.texts.len())
    }
}

/// Whether a character is a control character other than white space, or is invisible but changes how the
/// adjacent text reads.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// `line` without the words that share a long part of `secret`. A short secret is hidden only as a whole
/// word.
fn hide(line: &str, secret: &str) -> String {
    if secret.is_empty() {
        return line.to_owned();
    }
    // A secret with spaces is not within one word.
    let line = if secret.len() >= SHARED { line.replace(secret, HIDDEN) } else { line.to_owned() };
    let parts: HashSet<&[u8]> = secret.as_bytes().windows(SHARED).collect();
    let gives_away = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric()) == secret
            || word == secret
            || word.as_bytes().windows(SHARED).any(|part| parts.contains(part))
    };
    line.split(' ').map(|word| if gives_away(word) { HIDDEN } else { word }).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(key: &str) -> Secrets {
        let mut secrets = Secrets::default();
        secrets.add(SecretString::from(key));
        secrets
    }

    #[test]
    fn a_key_is_hidden_whole_in_part_and_inside_a_word() {
        let secrets = secrets("q7Wm2LxT9vRb4KdE");
        for text in [
            "the key q7Wm2LxT9vRb4KdE is wrong",
            "the key 'q7Wm2LxT9vRb4KdE'.",
            "the key q7Wm2LxT**** is wrong",
            "see https://host/?key=q7Wm2LxT9vRb4KdE&x=1",
            "the key q7Wm2\u{200b}LxT9v\u{0}Rb4KdE",
        ] {
            let shown = secrets.sentence(text);
            assert!(!shown.contains("q7Wm2LxT") && !shown.contains("LxT9vRb4"), "{shown}");
            assert!(shown.contains(HIDDEN), "{shown}");
        }
    }

    #[test]
    fn a_short_key_is_hidden_where_it_stands_alone_and_words_stay() {
        assert_eq!(secrets("no").sentence("no, notes are not 'no'"), "[hidden] notes are not [hidden]");
    }

    #[test]
    fn what_looks_like_another_credential_is_hidden() {
        let none = Secrets::default();
        for text in [
            "key sk-abcdef123456 is revoked",
            "Incorrect: sk-ab******************yz",
            "sent Bearer abc.def",
            "sent AIzaSyA1234567890abc",
            r#"{"api_key": "abc123"}"#,
            "x-api-key: abc123",
        ] {
            let shown = none.sentence(text);
            assert!(shown.contains(HIDDEN), "{shown}");
            for secret in ["abcdef", "ab***", "abc.def", "SyA1", "abc123"] {
                assert!(!shown.contains(secret), "{shown}");
            }
        }
        for text in ["max_tokens: 4096 is too high", "upgrade from the basic plan", "key_not_found"] {
            assert_eq!(none.sentence(text), text);
        }
    }

    #[test]
    fn a_message_is_one_line_of_at_most_500_characters() {
        let none = Secrets::default();
        assert_eq!(none.sentence("a\r\n\tb\u{7}\u{202e}c"), "a bc");
        assert_eq!(none.sentence(&"é".repeat(500)).chars().count(), 500);
        let cut = none.sentence(&"é".repeat(100_000));
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (500, true));
    }

    #[test]
    fn debug_output_does_not_show_secrets() {
        assert!(!format!("{:?}", secrets("q7Wm2LxT9vRb4KdE")).contains("q7Wm"));
    }
}
