//! Normalises text of others to plain text. Highlighting and other markup is removed, and so are the
//! characters that would make a line read differently from what it says.

use std::sync::LazyLock;

use html::{Lexer, Token, decode_text};
use regex::Regex;

use super::options::one_line;

/// Markup of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Plain text; only unambiguous HTML tags are removed.
    #[default]
    Plain,
    /// HTML: tags are removed and entities such as `&lt;` decoded.
    Html,
}

/// Tags that only occur as markup. Others may be text: `Vec<T>`.
static TAGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?is)<(?:script|style)\b[^>]*>.*?</(?:script|style)\s*>|</?(?:(?-i:a|b|i|p|q|s|u)|abbr|big|blockquote|br|cite|code|dd|div|dl|dt|em|embed|font|form|h[1-6]|hr|iframe|img|input|ins|li|link|mark|meta|object|ol|pre|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|tr|ul|video)(?:\s[^<>]*)?/?>",
    )
    .ok()
});

/// Elements whose content is not text.
const SKIPPED: [&str; 4] = ["script", "style", "template", "noscript"];

/// Elements that separate words.
const SEPARATORS: [&str; 9] = ["br", "p", "div", "li", "tr", "td", "h1", "h2", "h3"];

/// The text on one line of at most `longest` characters, without markup, control characters and bidirectional
/// controls.
#[must_use]
pub fn plain_text(text: &str, markup: Markup, longest: usize) -> String {
    // Markup may be most of a text, but nothing beyond this length can be part of a title.
    // Markup may be seven eighths of a text, with a script before it: bounds the time.
    let text = prefix(text, longest.saturating_mul(8).saturating_add(4_096));
    let bare = match markup {
        Markup::Html => without_html(text),
        Markup::Plain => match TAGS.as_ref() {
            Some(tags) if text.contains('<') => tags.replace_all(text, "").into_owned(),
            _ => text.to_owned(),
        },
    };
    let kept: String = bare.chars().filter(|c| !is_bidi_control(*c)).collect();
    prefix(&one_line(&kept), longest).trim_end().to_owned()
}

/// A long text: line breaks stay, control characters and bidirectional controls are removed.
pub(super) fn plain_page(text: &str, longest: usize) -> String {
    let kept = prefix(text, longest).chars();
    kept.filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || is_bidi_control(*c)))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The first characters.
pub(super) fn prefix(text: &str, characters: usize) -> &str {
    match text.char_indices().nth(characters) {
        Some((end, _)) => text.get(..end).unwrap_or_default(),
        None => text,
    }
}

/// Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2), and the byte order mark.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn without_html(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut skipped: Option<&str> = None;
    for token in Lexer::new(text) {
        match token {
            Token::End(tag) if skipped == Some(tag.name) => skipped = None,
            _ if skipped.is_some() => {}
            Token::Text(text) => out.push_str(&decode_text(text)),
            Token::Start(tag) if SKIPPED.contains(&tag.name) => skipped = Some(tag.name),
            // Block elements separate words; inline highlighting does not.
            Token::Start(tag) | Token::End(tag) if SEPARATORS.contains(&tag.name) => out.push(' '),
            Token::Start(_) | Token::End(_) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highlighting_and_other_markup_is_taken_out_of_html() {
        for (html, text) in [
            ("The <strong>cod</strong> is back", "The cod is back"),
            ("Cod &amp; chips &#x27;n&#x27; peas", "Cod & chips 'n' peas"),
            ("a<script>alert('x')</script>b", "ab"),
            ("<style>p{}</style>One<br>two<p>three", "One two three"),
            ("<a href=\"javascript:alert(1)\">Here</a>", "Here"),
            ("1 < 2 and &lt;b&gt; is a tag", "1 < 2 and <b> is a tag"),
            ("an end <img src=x onerror=alert(1)", "an end"),
            ("<!-- no --> yes", "yes"),
        ] {
            assert_eq!(plain_text(html, Markup::Html, 100), text, "{html}");
        }
    }

    #[test]
    fn plain_text_loses_nothing_but_what_is_surely_a_tag() {
        for (given, text) in [
            ("What Vec<T> is, and 1 < 2 > 0", "What Vec<T> is, and 1 < 2 > 0"),
            ("AT&amp;T", "AT&amp;T"),
            ("The <b>cod</b> is <span class=\"x\">back</span>", "The cod is back"),
            ("a<SCRIPT src=x>alert(1)</SCRIPT >b", "ab"),
            ("<img src=x onerror=alert(1)>Net", "Net"),
        ] {
            assert_eq!(plain_text(given, Markup::Plain, 100), text, "{given}");
        }
    }

    #[test]
    fn a_line_reads_as_it_is_written() {
        let turned = "gnp.\u{202e}exe\u{2066}\u{0}\u{1b}[31m\r\nnext\u{feff}";
        assert_eq!(plain_text(turned, Markup::Plain, 100), "gnp.exe [31m next");
        assert_eq!(plain_page("a\u{202e}\n\tb\u{7}\n", 100), "a\n\tb");
        assert_eq!(plain_text("x".repeat(1_000).as_str(), Markup::Html, 10), "xxxxxxxxxx");
        let nested = "<b>".repeat(100_000);
        assert_eq!(plain_text(&nested, Markup::Html, 10), "");
    }
}
