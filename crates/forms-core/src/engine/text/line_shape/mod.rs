//! The shape of a line: the classes of its tokens, in order. Rows of one table have few shapes, and running
//! text seldom has them.

mod rows;

use language::fold::is_word;

pub(crate) use rows::RowShapes;

// The first two bound the time.
/// Bytes of a line that are classified.
const MAX_LINE: usize = 2_000;
/// Classes of a line at most.
const MAX_CLASSES: usize = 60;
/// Digits of a quantity at most; longer numbers are codes. Chosen by hand; no measurement is recorded.
const MAX_WHOLE: usize = 7;
/// Letters of a unit or currency after a number. Such as `Std.`, `pcs` and `EUR`. Chosen by hand; no
/// measurement is recorded.
const UNIT: usize = 4;
/// Classes of a short line. Chosen by hand; no measurement is recorded.
const FEW: usize = 5;
/// Leader dots between a name and its number.
const LEADERS: &str = "...";

/// The class of a token or a table cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TokenClass {
    Empty,
    Words,
    Code,
    Whole,
    Amount,
    Date,
}

/// The shape of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineShape {
    /// A row of a Markdown table, by cells.
    Cells(Vec<TokenClass>),
    /// A printed line, by tokens; consecutive words are one.
    Line(Vec<TokenClass>),
}

impl LineShape {
    /// The shape of a line; `None` for a blank line, and for the rule below a table header.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let line = line.get(..line.floor_char_boundary(MAX_LINE)).unwrap_or_default().trim();
        if let Some(inside) = line.strip_prefix('|') {
            let inside = inside.strip_suffix('|').unwrap_or(inside);
            if inside.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ')) {
                return None;
            }
            return Some(Self::Cells(inside.split('|').take(MAX_CLASSES).map(cell).collect()));
        }
        let mut classes: Vec<TokenClass> = Vec::new();
        let mut last = "";
        for token in tokens(line) {
            let Some(class) = class(token) else { continue };
            last = token;
            if (class == TokenClass::Words && classes.last() == Some(&TokenClass::Words))
                || classes.len() >= MAX_CLASSES
            {
                continue;
            }
            classes.push(class);
        }
        let unit =
            classes.len() > 1 && classes.last() == Some(&TokenClass::Words) && last.chars().count() <= UNIT;
        if unit {
            classes.pop();
        }
        (!classes.is_empty()).then_some(Self::Line(classes))
    }

    /// Whether the shape is distinctive: a table row, or a line with two tokens that are not words.
    pub(crate) fn is_telling(&self) -> bool {
        match self {
            Self::Cells(cells) => cells.len() > 1,
            Self::Line(classes) => classes.iter().filter(|class| **class != TokenClass::Words).count() > 1,
        }
    }

    /// Whether it consists of words only.
    pub(crate) fn is_words(&self) -> bool {
        matches!(self, Self::Line(classes) if classes.iter().all(|class| *class == TokenClass::Words))
    }

    /// The first class of a line and the numbers at its end, if they are distinctive.
    fn ends(&self) -> Option<(TokenClass, &[TokenClass])> {
        let Self::Line(classes) = self else { return None };
        let is_number =
            |class: &&TokenClass| matches!(class, TokenClass::Whole | TokenClass::Amount | TokenClass::Date);
        let count = classes.iter().rev().take_while(is_number).count();
        let (head, tail) = (*classes.first()?, classes.get(classes.len() - count..)?);
        (count > 1 || (count == 1 && head != TokenClass::Words && classes.len() > 1)).then_some((head, tail))
    }

    /// The number or code at either edge of a short line that is not distinctive otherwise, such as a name
    /// and its price: whether it is the end, and its class.
    fn edges(&self) -> impl Iterator<Item = (bool, TokenClass)> {
        let classes = match self {
            Self::Line(classes) if classes.len() <= FEW && self.ends().is_none() => classes.as_slice(),
            _ => &[],
        };
        let kind = |class: &TokenClass| match class {
            TokenClass::Whole | TokenClass::Amount => Some(TokenClass::Amount),
            TokenClass::Code | TokenClass::Date => Some(*class),
            TokenClass::Empty | TokenClass::Words => None,
        };
        let first = classes.first().and_then(kind).map(|class| (false, class));
        let last = classes.last().and_then(kind).map(|class| (true, class));
        first.into_iter().chain(last)
    }

    /// Whether two consecutive lines may be rows of one table.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Cells(own), Self::Cells(others)) => own.len() == others.len(),
            (Self::Line(_), Self::Line(_)) => {
                (self == other && self.is_telling()) || (self.ends().is_some() && self.ends() == other.ends())
            }
            _ => false,
        }
    }
}

/// Splits at whitespace and leader dots.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|token| token.split(LEADERS)).filter(|token| !token.is_empty())
}

fn cell(text: &str) -> TokenClass {
    let mut classes = text.split_whitespace().filter_map(class);
    let Some(first) = classes.next() else { return TokenClass::Empty };
    match classes.next() {
        None => first,
        // `1 234,50`, `EUR 5.00`, `12 March 2024`, `3 pcs`: the number decides.
        Some(second) if first.max(second) >= TokenClass::Whole && classes.count() < 2 => first.max(second),
        Some(_) => TokenClass::Words,
    }
}

/// The class of a token; `None` for punctuation alone.
fn class(token: &str) -> Option<TokenClass> {
    let is_percent = token.ends_with('%');
    let token = token.trim_matches(|c| !is_word(c));
    let letters = token.chars().take_while(|c| c.is_alphabetic()).count();
    if token.is_empty() {
        return None;
    }
    // `RM9.00`, `EUR5`.
    let amount =
        // A currency of ISO 4217 before the amount.
        if (1..=3).contains(&letters) { token.trim_start_matches(char::is_alphabetic) } else { token };
    let groups: Vec<&str> = amount.split(['.', ',', '\'', '’', '/', '-']).take(8).collect();
    let is_numeric =
        groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    if !is_numeric {
        return Some(if token.chars().any(char::is_numeric) { TokenClass::Code } else { TokenClass::Words });
    }
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    Some(match lengths.as_slice() {
        // Day, month and year of two or four digits; or the year first.
        [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2] => TokenClass::Date,
        _ if amount.contains(['/', '-']) => TokenClass::Code,
        [_] if is_percent => TokenClass::Amount,
        [length] if letters > 0 || *length > MAX_WHOLE => TokenClass::Code,
        [_] => TokenClass::Whole,
        _ => TokenClass::Amount,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_classes() {
        for (token, expected) in [
            ("1,234.50", TokenClass::Amount),
            ("RM9.00", TokenClass::Amount),
            ("12.", TokenClass::Whole),
            ("(5.00)", TokenClass::Amount),
            ("19%", TokenClass::Amount),
            ("12.03.2024", TokenClass::Date),
            ("2024-03-12", TokenClass::Date),
            ("1.234.567", TokenClass::Amount),
            ("SKU-0012", TokenClass::Code),
            ("4006381333931", TokenClass::Code),
            ("10:30", TokenClass::Code),
            ("Pen", TokenClass::Words),
        ] {
            assert_eq!(class(token), Some(expected), "{token}");
        }
        assert_eq!(class("—"), None);
    }

    #[test]
    fn dots_that_lead_to_a_number_part_it_from_its_name() {
        for line in ["Tea ..... 4.50", "Tea......4.50", "Tea 4.50"] {
            assert_eq!(
                LineShape::of(line),
                Some(LineShape::Line(vec![TokenClass::Words, TokenClass::Amount])),
                "{line}"
            );
        }
    }
}
