//! Splits HTML into tags and texts without copying. Time is linear: a delimiter that was not found once is
//! not searched again.

use super::elements::{is_raw, known};

/// Maximum attributes of a tag. Protects memory.
const ATTRIBUTES: usize = 48;

/// The attributes that rules use.
const NAMES: &[&str] = &[
    "alt",
    "aria-controls",
    "aria-expanded",
    "aria-hidden",
    "aria-label",
    "charset",
    "class",
    "colspan",
    "content",
    "data-bs-target",
    "data-bs-toggle",
    "data-lazy-src",
    "data-original",
    "data-src",
    "data-target",
    "data-testid",
    "data-toggle",
    "datetime",
    "height",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "itemprop",
    "itemscope",
    "itemtype",
    "lang",
    "media",
    "name",
    "property",
    "rel",
    "role",
    "rowspan",
    "src",
    "srcset",
    "start",
    "style",
    "title",
    "type",
    "width",
];

/// Name and raw value.
pub(crate) type Attribute<'a> = (&'static str, &'a str);

/// A piece of HTML.
#[derive(Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// Raw text, with its character references.
    Text(&'a str),
    /// A start tag, and for a raw text element the text up to its end tag.
    Start {
        name: &'static str,
        attributes: Vec<Attribute<'a>>,
        closed: bool,
        raw: Option<&'a str>,
    },
    End(&'static str),
}

/// Produces the tokens in order.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    html: &'a str,
    at: usize,
    /// Delimiters that do not occur any more: a quote, an end tag.
    exhausted: Vec<&'static str>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(html: &'a str) -> Self {
        Self { html, at: 0, exhausted: Vec::new() }
    }

    fn rest(&self) -> &'a str {
        self.html.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    /// Consumes bytes while the test holds. The test must end at a character boundary.
    fn take(&mut self, test: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| !test(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Skips past the next `end`, or to the end of the input.
    fn skip_past(&mut self, end: &str) {
        let found = memchr::memmem::find(self.rest().as_bytes(), end.as_bytes());
        self.at = found.map_or(self.html.len(), |found| self.at + found + end.len());
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let mut bytes = rest.bytes().skip(1);
        match bytes.next() {
            Some(b'!') if rest.starts_with("<!-->") => self.at += 5,
            Some(b'!') if rest.starts_with("<!--") => {
                self.at += 4;
                self.skip_past("-->");
            }
            Some(b'!' | b'?') => self.skip_past(">"),
            Some(b'/') if bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.at += 2;
                let name = known(self.take(is_of_name));
                self.skip_past(">");
                return Some(Token::End(name));
            }
            Some(b'/') => self.skip_past(">"),
            Some(byte) if byte.is_ascii_alphabetic() => {
                self.at += 1;
                return Some(self.start());
            }
            // A `<` that does not begin a tag.
            _ => {
                let end = memchr::memchr(b'<', rest.as_bytes().get(1..).unwrap_or_default());
                let end = end.map_or(rest.len(), |end| end + 1);
                self.at += end;
                return rest.get(..end).map(Token::Text);
            }
        }
        None
    }

    fn start(&mut self) -> Token<'a> {
        let name = known(self.take(is_of_name));
        let mut attributes: Vec<Attribute<'a>> = Vec::new();
        let mut closed = false;
        loop {
            self.take(|byte| byte.is_ascii_whitespace());
            match self.byte() {
                None => break,
                Some(b'>') => {
                    self.at += 1;
                    break;
                }
                Some(b'/') => {
                    self.at += 1;
                    closed = self.byte() == Some(b'>');
                }
                Some(_) => {
                    let (name, value) = self.attribute();
                    let fits = attributes.len() < ATTRIBUTES;
                    if let Some(name) =
                        name.filter(|name| fits && attributes.iter().all(|(known, _)| known != name))
                    {
                        attributes.push((name, value));
                    }
                }
            }
        }
        let raw = (is_raw(name) && !closed).then(|| self.raw(name));
        Token::Start { name, attributes, closed, raw }
    }

    fn attribute(&mut self) -> (Option<&'static str>, &'a str) {
        let begin = self.at;
        // An equals sign at the beginning is part of the name.
        self.at += usize::from(self.byte() == Some(b'='));
        self.take(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/'));
        let name = self.html.get(begin..self.at).unwrap_or_default();
        self.take(|byte| byte.is_ascii_whitespace());
        if self.byte() != Some(b'=') {
            return (attribute_name(name), "");
        }
        self.at += 1;
        self.take(|byte| byte.is_ascii_whitespace());
        let value = match self.byte() {
            Some(b'"') => self.quoted("\""),
            Some(b'\'') => self.quoted("'"),
            _ => None,
        };
        let value = value.unwrap_or_else(|| self.take(|byte| !byte.is_ascii_whitespace() && byte != b'>'));
        (attribute_name(name), value)
    }

    /// A quoted value; `None` when the closing quote is missing.
    fn quoted(&mut self, quote: &'static str) -> Option<&'a str> {
        if self.exhausted.contains(&quote) {
            return None;
        }
        let after = self.html.get(self.at + 1..)?;
        let Some(end) = memchr::memmem::find(after.as_bytes(), quote.as_bytes()) else {
            self.exhausted.push(quote);
            return None;
        };
        self.at += end + 2;
        after.get(..end)
    }

    /// The text up to the end tag of a raw text element.
    fn raw(&mut self, name: &'static str) -> &'a str {
        if self.exhausted.contains(&name) {
            return "";
        }
        let (rest, mut from) = (self.rest(), 0);
        while let Some(found) = memchr::memmem::find(rest.as_bytes().get(from..).unwrap_or_default(), b"</") {
            let begin = from + found;
            let behind = rest.as_bytes().get(begin + 2..).unwrap_or_default();
            let same = behind.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
            if same && behind.get(name.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric()) {
                self.at += begin;
                return rest.get(..begin).unwrap_or_default();
            }
            from = begin + 2;
        }
        self.exhausted.push(name);
        // An unclosed element would swallow the page.
        if matches!(name, "script" | "style") {
            self.at = self.html.len();
        }
        ""
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        while self.at < self.html.len() {
            let rest = self.rest();
            let text = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            if text > 0 {
                self.at += text;
                return rest.get(..text).map(Token::Text);
            }
            if let Some(token) = self.tag() {
                return Some(token);
            }
        }
        None
    }
}

fn is_of_name(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>')
}

fn attribute_name(name: &str) -> Option<&'static str> {
    let mut lower = [0_u8; 16];
    let room = lower.get_mut(..name.len())?;
    room.copy_from_slice(name.as_bytes());
    room.make_ascii_lowercase();
    let place = NAMES.binary_search_by(|known| known.as_bytes().cmp(room)).ok()?;
    NAMES.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start<'a>(name: &'static str, attributes: &[Attribute<'a>]) -> Token<'a> {
        Token::Start { name, attributes: attributes.to_vec(), closed: false, raw: None }
    }

    #[test]
    fn tags_attributes_and_texts_are_read() {
        let html = "<!doctype html><P Class='a b' id=x hidden data-foo=1>1 < 2<br/>&amp;<!-- <b> --></p >";
        let tokens: Vec<Token<'_>> = Lexer::new(html).collect();
        let expected = [
            start("p", &[("class", "a b"), ("id", "x"), ("hidden", "")]),
            Token::Text("1 "),
            Token::Text("< 2"),
            Token::Start { name: "br", attributes: Vec::new(), closed: true, raw: None },
            Token::Text("&amp;"),
            Token::End("p"),
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn the_text_of_a_script_is_no_html() {
        let tokens: Vec<Token<'_>> = Lexer::new("<script>if (a</b/) '<p>'</SCRIPT>x").collect();
        assert!(matches!(tokens.first(), Some(Token::Start { raw: Some("if (a</b/) '<p>'"), .. })));
        assert_eq!(tokens.get(1..), Some(&[Token::End("script"), Token::Text("x")][..]));
    }

    #[test]
    fn a_quote_without_its_second_ends_at_a_space() {
        let tokens: Vec<Token<'_>> = Lexer::new("<a href=\"x >y").collect();
        assert_eq!(tokens, [start("a", &[("href", "\"x")]), Token::Text("y")]);
    }

    #[test]
    fn attribute_names_are_sorted() {
        assert!(NAMES.is_sorted());
    }
}
