//! Splits RTF into tokens. Source: Rich Text Format Specification 1.9.1 (Microsoft).

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its parameter.
    Word(&'a str, Option<i32>),
    /// A control symbol other than those below.
    Symbol(u8),
    /// A byte as a hexadecimal escape.
    Byte(u8),
    Text(&'a [u8]),
}

/// Produces the tokens.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Skips raw bytes.
    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.at;
        while self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    fn control(&mut self) -> Option<Token<'a>> {
        let first = self.peek()?;
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            return Some(match first {
                b'\'' => {
                    let code =
                        self.bytes.get(self.at..self.at + 2).and_then(|code| std::str::from_utf8(code).ok());
                    let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
                    self.at += if byte.is_some() { 2 } else { 0 };
                    Token::Byte(byte.unwrap_or(b'\''))
                }
                b'\n' | b'\r' => Token::Word("par", None),
                other => Token::Symbol(other),
            });
        }
        let name =
            std::str::from_utf8(self.take_while(|byte| byte.is_ascii_alphabetic())).unwrap_or_default();
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        if digits.is_empty() {
            self.at = start;
        }
        let number = std::str::from_utf8(self.bytes.get(start..self.at).unwrap_or_default()).ok();
        let number = number.and_then(|number| number.parse().ok());
        if self.peek() == Some(b' ') {
            self.at += 1;
        }
        Some(Token::Word(name, number))
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match self.peek()? {
                b'{' => {
                    self.at += 1;
                    return Some(Token::Open);
                }
                b'}' => {
                    self.at += 1;
                    return Some(Token::Close);
                }
                b'\\' => {
                    self.at += 1;
                    return self.control();
                }
                b'\r' | b'\n' | 0 => self.at += 1,
                _ => {
                    let is_text = |byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                    return Some(Token::Text(self.take_while(is_text)));
                }
            }
        }
    }
}
