//! Divides the text of an expression into tokens.

/// A part of an expression that is read as one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    /// A name, also one in backquotes, which is never a keyword.
    Name {
        name: String,
        is_quoted: bool,
    },
    /// An operator, bracket, comma or point.
    Sign(&'static str),
}

/// Longer signs come before their beginnings.
const SIGNS: [&str; 18] =
    ["==", "!=", "<=", ">=", "&&", "||", "=", "<", ">", "+", "-", "*", "/", "(", ")", ",", ".", "!"];

/// The tokens of a text, or what is wrong with it.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, String> {
    let mut rest = source.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '0'..='9' => number(rest)?,
            '"' | '\'' => {
                let (text, length) = quoted(rest, first)?;
                (Token::Text(text), length)
            }
            '`' => {
                let (name, length) = quoted(rest, first)?;
                (Token::Name { name, is_quoted: true }, length)
            }
            _ if first.is_alphabetic() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let name = rest.get(..end).unwrap_or_default().to_owned();
                (Token::Name { name, is_quoted: false }, end)
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| format!("'{first}' has no meaning in an expression"))?;
                (Token::Sign(sign), sign.len())
            }
        };
        found.push(token);
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(found)
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    // A point that no digit follows belongs to what comes after.
    let digits = rest.get(..end).unwrap_or_default().trim_end_matches('.');
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
    number
        .map(|number| (Token::Number(number), digits.len()))
        .ok_or_else(|| format!("'{digits}' is not a number"))
}

/// The text up to the closing quote, and the length with both quotes. There are no escapes: a text with one kind of
/// quotes is written in the other.
fn quoted(rest: &str, quote: char) -> Result<(String, usize), String> {
    let inner = rest.get(1..).unwrap_or_default();
    let end = inner.find(quote).ok_or_else(|| format!("the closing {quote} is missing"))?;
    Ok((inner.get(..end).unwrap_or_default().to_owned(), end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Token {
        Token::Name { name: name.to_owned(), is_quoted: false }
    }

    #[test]
    fn signs_names_numbers_and_texts_are_told_apart() {
        let found = tokens("rows.sum(a_1)>=1.50 and größe != 'it is'").unwrap();
        let expected = [
            name("rows"),
            Token::Sign("."),
            name("sum"),
            Token::Sign("("),
            name("a_1"),
            Token::Sign(")"),
            Token::Sign(">="),
            Token::Number(1.5),
            name("and"),
            name("größe"),
            Token::Sign("!="),
            Token::Text("it is".to_owned()),
        ];
        assert_eq!(found, expected);
        let odd = tokens("`net amount`").unwrap();
        assert_eq!(odd, [Token::Name { name: "net amount".to_owned(), is_quoted: true }]);
    }

    #[test]
    fn what_is_no_token_is_told() {
        for (source, message) in [
            ("a § b", "'§' has no meaning in an expression"),
            ("'open", "the closing ' is missing"),
            ("1.2.3", "'1.2.3' is not a number"),
        ] {
            assert_eq!(tokens(source).unwrap_err(), message);
        }
    }
}
