//! Splits HTML into tags and texts without copying, by the rules of the standard's tokenizer (HTML, 13.2.5).
//! Time is linear: a delimiter that was not found once is not searched again.

use std::borrow::Cow;

use super::attributes::{Attribute, known_attribute, value};
use super::elements::known_element;
use super::entities::decode_value;

/// A piece of HTML. Comments, declarations and processing instructions are left out.
#[derive(Debug, PartialEq)]
pub enum Token<'a> {
    /// Raw text, with its character references.
    Text(&'a str),
    /// A start tag.
    Start(Tag<'a>),
    /// An end tag. Its attributes have no meaning.
    End(Tag<'a>),
}

/// A start or end tag.
#[derive(Debug, PartialEq)]
pub struct Tag<'a> {
    /// The name in lower case; `other` for names that are not in the list of elements.
    pub name: &'static str,
    /// The name as it is in the source.
    pub raw_name: &'a str,
    /// Known attributes in order of the source; the first of each name.
    pub attributes: Vec<Attribute<'a>>,
    /// Whether it ends in `/>`.
    pub closed: bool,
}

impl<'a> Tag<'a> {
    /// The raw value of an attribute; empty when it has none.
    #[must_use]
    pub fn raw_attribute(&self, name: &str) -> Option<&'a str> {
        value(&self.attributes, name)
    }

    /// An attribute with its character references replaced.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.raw_attribute(name).map(decode_value)
    }
}

/// Produces the tokens in order. It knows no nesting: whoever reads them says with [`Lexer::raw_text`] where
/// an element has raw text.
#[derive(Debug)]
pub struct Lexer<'a> {
    html: &'a str,
    at: usize,
    /// Delimiters that do not occur any more: a quote, an end tag.
    exhausted: Vec<&'static str>,
}

impl<'a> Lexer<'a> {
    /// Reads HTML from its beginning. A byte order mark is skipped.
    #[must_use]
    pub fn new(html: &'a str) -> Self {
        Self { html: html.strip_prefix('\u{feff}').unwrap_or(html), at: 0, exhausted: Vec::new() }
    }

    /// The raw text from here to the end tag of an element, right after its start tag. Without an end tag, it
    /// is empty, since the element would swallow the page; a script or style does.
    pub fn raw_text(&mut self, name: &'static str) -> &'a str {
        if self.exhausted.contains(&name) {
            return "";
        }
        let (rest, mut from) = (self.rest(), 0);
        while let Some(found) = memchr::memmem::find(rest.as_bytes().get(from..).unwrap_or_default(), b"</") {
            let begin = from + found;
            let behind = rest.as_bytes().get(begin + 2..).unwrap_or_default();
            let same = behind.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
            if same && behind.get(name.len()).is_none_or(|byte| !is_of_name(*byte)) {
                self.at += begin;
                return rest.get(..begin).unwrap_or_default();
            }
            from = begin + 2;
        }
        self.exhausted.push(name);
        if matches!(name, "script" | "style") {
            self.at = self.html.len();
        }
        ""
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

    /// The next tag or text at a `<`; `None` for what is neither.
    fn markup(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        match rest.as_bytes().get(1..).unwrap_or_default() {
            [b'!', b'-', b'-', ..] => self.skip_comment(),
            [b'/', byte, ..] if byte.is_ascii_alphabetic() => {
                self.at += 2;
                return self.tag().map(Token::End);
            }
            [b'!' | b'?', ..] | [b'/', _, ..] => {
                let end = memchr::memchr(b'>', rest.as_bytes());
                self.at = end.map_or(self.html.len(), |end| self.at + end + 1);
            }
            [byte, ..] if byte.is_ascii_alphabetic() => {
                self.at += 1;
                return self.tag().map(Token::Start);
            }
            // A `<` that does not begin a tag.
            after => {
                let end = memchr::memchr(b'<', after).map_or(rest.len(), |end| end + 1);
                self.at += end;
                return rest.get(..end).map(Token::Text);
            }
        }
        None
    }

    /// Skips a comment, which `>`, `->`, `-->` or `--!>` ends.
    fn skip_comment(&mut self) {
        self.at += 4;
        let rest = self.rest();
        if let Some(empty) = ["->", ">"].into_iter().find(|end| rest.starts_with(end)) {
            self.at += empty.len();
            return;
        }
        let mut from = 0;
        while let Some(found) = memchr::memmem::find(rest.as_bytes().get(from..).unwrap_or_default(), b"--") {
            let dashes = rest.as_bytes().get(from + found..).unwrap_or_default();
            let count = dashes.iter().take_while(|byte| **byte == b'-').count();
            from += found + count;
            let end = match dashes.get(count..).unwrap_or_default() {
                [b'>', ..] => 1,
                [b'!', b'>', ..] => 2,
                _ => continue,
            };
            self.at += from + end;
            return;
        }
        self.at = self.html.len();
    }

    /// The tag whose name begins here; `None` when it does not end.
    fn tag(&mut self) -> Option<Tag<'a>> {
        let raw_name = self.take(is_of_name);
        let mut tag = Tag { name: known_element(raw_name), raw_name, attributes: Vec::new(), closed: false };
        loop {
            self.take(|byte| byte.is_ascii_whitespace());
            match self.byte()? {
                b'>' => {
                    self.at += 1;
                    return Some(tag);
                }
                b'/' => {
                    self.at += 1;
                    tag.closed = self.byte() == Some(b'>');
                }
                _ => {
                    let (name, value) = self.attribute();
                    if let Some(name) = known_attribute(name).filter(|name| tag.raw_attribute(name).is_none())
                    {
                        tag.attributes.push((name, value));
                    }
                }
            }
        }
    }

    /// The name and raw value of the attribute that begins here.
    fn attribute(&mut self) -> (&'a str, &'a str) {
        let begin = self.at;
        // An equals sign at the beginning is part of the name.
        self.at += usize::from(self.byte() == Some(b'='));
        self.take(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/'));
        let name = self.html.get(begin..self.at).unwrap_or_default();
        self.take(|byte| byte.is_ascii_whitespace());
        if self.byte() != Some(b'=') {
            return (name, "");
        }
        self.at += 1;
        self.take(|byte| byte.is_ascii_whitespace());
        let value = match self.byte() {
            Some(b'"') => self.quoted("\""),
            Some(b'\'') => self.quoted("'"),
            _ => None,
        };
        (name, value.unwrap_or_else(|| self.take(|byte| !byte.is_ascii_whitespace() && byte != b'>')))
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
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
        None
    }
}

fn is_of_name(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag<'a>(raw_name: &'a str, attributes: &[Attribute<'a>]) -> Tag<'a> {
        Tag { name: known_element(raw_name), raw_name, attributes: attributes.to_vec(), closed: false }
    }

    fn tokens(html: &str) -> Vec<Token<'_>> {
        Lexer::new(html).collect()
    }

    /// The texts between all markup, joined by `|`.
    fn texts(html: &str) -> String {
        let texts = Lexer::new(html).filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn tags_attributes_and_texts_are_read() {
        let html = "<!doctype html><P Class='a b' id=x hidden data-foo=1>1 < 2<br/>&amp;<!-- <b> --></p >";
        let expected = [
            Token::Start(tag("P", &[("class", "a b"), ("id", "x"), ("hidden", "")])),
            Token::Text("1 "),
            Token::Text("< 2"),
            Token::Start(Tag { closed: true, ..tag("br", &[]) }),
            Token::Text("&amp;"),
            Token::End(tag("p", &[])),
        ];
        assert_eq!(tokens(html), expected);
        assert_eq!(tokens("<x-Y>"), [Token::Start(tag("x-Y", &[]))]);
        assert_eq!(tag("x-Y", &[]).name, "other");
    }

    #[test]
    fn attributes_are_read_as_the_standard_says() {
        for (html, attributes) in [
            ("<p id=a ID='b' id>", &[("id", "a")][..]),
            ("<p id=\"a\"class=b/ title = 'c>d'>", &[("id", "a"), ("class", "b/"), ("title", "c>d")]),
            ("<p/id/class=>", &[("id", ""), ("class", "")]),
            ("<p =id=a ==>", &[]),
            ("<p id='&amp;\"' hidden\n=\nx>", &[("id", "&amp;\""), ("hidden", "x")]),
        ] {
            let Some(Token::Start(found)) = tokens(html).pop() else { panic!("{html}") };
            assert_eq!(found.attributes, attributes, "{html}");
        }
        let Some(Token::Start(link)) = tokens("<a href='?a&amp;b&copy=1'>").pop() else { panic!("a tag") };
        assert_eq!(link.attribute("href").as_deref(), Some("?a&b&copy=1"));
    }

    #[test]
    fn what_is_neither_tag_nor_text_is_left_out() {
        for (html, expected) in [
            ("a<!-->b<!--->c<!-- -- > -->d<!--x--!>e<!----->f<!----!>g", "a|b|c|d|e|f|g"),
            ("a<!x>b<?php echo '>'?>c</ x>d</>e<![CDATA[f>g]]>", "a|b|'?>c|d|e|g]]>"),
            ("a</p title='>'>b", "a|b"),
            ("1 < 2 <3 a<b", "1 |< 2 |<3 a"),
            ("a<", "a|<"),
            ("a</", "a|</"),
            ("a<!-- b", "a"),
            ("a<p title='b'", "a"),
            ("\u{feff}a", "a"),
        ] {
            assert_eq!(texts(html), expected, "{html}");
        }
    }

    #[test]
    fn raw_text_is_no_html() {
        let mut lexer = Lexer::new("<script>if (a</b/) '<p></script-x>'</SCRIPT >x");
        assert_eq!(lexer.next(), Some(Token::Start(tag("script", &[]))));
        assert_eq!(lexer.raw_text("script"), "if (a</b/) '<p></script-x>'");
        assert_eq!(lexer.collect::<Vec<_>>(), [Token::End(tag("SCRIPT", &[])), Token::Text("x")]);
        let mut lexer = Lexer::new("<title>a<b>");
        assert_eq!((lexer.next().is_some(), lexer.raw_text("title")), (true, ""));
        assert_eq!(lexer.next(), Some(Token::Text("a")));
    }

    #[test]
    fn a_quote_without_its_second_ends_at_a_space() {
        let expected = [Token::Start(tag("a", &[("href", "\"x")])), Token::Text("y")];
        assert_eq!(tokens("<a href=\"x >y"), expected);
    }
}
