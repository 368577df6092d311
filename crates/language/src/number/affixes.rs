//! What is around the digits of a number: signs, currencies, brackets, magnitudes, and marks of debit and
//! credit.

use super::digits::{digit, is_space, plain_decimal};
use super::magnitude::{Meaning, meaning};
use crate::fold::{is_unspaced, is_word};

/// Bytes before a number that may have its sign and currency.
const BEFORE: usize = 32;
/// Maximum characters of a currency or magnitude.
const MAX_WORD: usize = 16;
/// Maximum characters of a word in a script without spaces.
const MAX_UNSPACED: usize = 2;
/// Maximum digits of a footnote's number.
const MAX_NOTE: usize = 2;

fn is_symbol(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₴' | '₺' | '₪' | '₩' | '₫' | '฿' | '₱' | '₦')
}

fn is_sign(c: char) -> bool {
    matches!(c, '-' | '−' | '–' | '‐' | '﹣' | '－')
}

/// What is before a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberPrefix {
    pub(super) minus: bool,
    pub(super) bracket: bool,
    /// Whether a decimal point without digits before it is there.
    pub(super) point: bool,
    /// Whether a currency is there.
    pub(super) money: bool,
    /// The power of ten of a currency such as `TEUR`.
    pub(super) power: usize,
    /// The start of the number: the sign that touches it, else its digits.
    pub(super) start: usize,
    /// The start of what belongs to it: sign, currency and bracket.
    pub(super) printed: usize,
}

impl NumberPrefix {
    /// `None` if the digits are the tail of a word that is not a currency.
    pub(super) fn parse(text: &str, start: usize) -> Option<Self> {
        let from = text.floor_char_boundary(start.saturating_sub(BEFORE));
        let left = text.get(from..start)?;
        let unpointed = left.strip_suffix('.').filter(|left| !left.ends_with(is_word));
        let (touching, at) = strip_sign(unpointed.unwrap_or(left));
        let apart = at.trim_end_matches(is_space);
        let (currency, ahead) = strip_currency(apart);
        if currency.is_none() && at.ends_with(|c| is_word(c) && !is_unspaced(c)) && at.len() == left.len() {
            return None;
        }
        let ahead = if currency.is_some() { ahead } else { at };
        let (leading, behind) = strip_sign(ahead.trim_end_matches(is_space));
        // "- 5" is a list item, "- $5" is an amount; a minus sign is never the marker of an item.
        let leading = leading.filter(|sign| currency.is_some() || *sign == '−');
        let minus = match (touching, leading) {
            (Some(sign), _) => is_minus(sign, at),
            (None, Some(sign)) => is_minus(sign, behind),
            _ => false,
        };
        let outer = if leading.is_some() && minus { behind } else { ahead };
        let bracket = outer.trim_end_matches(is_space).ends_with('(');
        let signed = touching.is_some() && minus;
        let printed = match (bracket, currency.is_some() || leading.is_some() && minus) {
            (true, _) => outer.trim_end_matches(is_space).len() - 1,
            (_, true) => outer.len(),
            _ if signed => at.len(),
            _ => unpointed.unwrap_or(left).len(),
        };
        let meaning = currency.unwrap_or_default();
        Some(Self {
            minus,
            bracket,
            point: unpointed.is_some(),
            money: currency.is_some(),
            power: meaning.power.unwrap_or(0),
            start: if signed { from + at.len() } else { start },
            printed: from + printed,
        })
    }
}

/// The sign at the end of a text, and the text before it.
fn strip_sign(left: &str) -> (Option<char>, &str) {
    match left.chars().next_back().filter(|c| is_sign(*c)) {
        Some(sign) => (Some(sign), left.get(..left.len() - sign.len_utf8()).unwrap_or_default()),
        None => (None, left),
    }
}

/// Whether a sign is a minus, and not a hyphen in a word, a dash between numbers or the marker of an item.
fn is_minus(sign: char, before: &str) -> bool {
    let after_number =
        matches!(sign, '–' | '‐') && before.trim_end_matches(is_space).ends_with(|c| digit(c).is_some());
    !(after_number || before.ends_with(is_word))
}

/// The currency at the end of a text, and the text before it.
fn strip_currency(left: &str) -> (Option<Meaning>, &str) {
    let word_of = |left: &str| -> usize {
        left.chars()
            .rev()
            .take(MAX_WORD)
            .take_while(|c| is_word(*c) && !is_unspaced(*c))
            .map(char::len_utf8)
            .sum()
    };
    let last = |left: &str, bytes: usize| left.len() - bytes;
    if let Some(symbol) = left.chars().next_back().filter(|c| is_symbol(*c)) {
        let before = left.get(..left.len() - symbol.len_utf8()).unwrap_or_default();
        // `US$`, `T€`.
        let letters = word_of(before);
        let word = left.get(last(before, letters)..).unwrap_or_default();
        let own = meaning(word).filter(|meaning| meaning.is_currency);
        let country = (1..=2).contains(&letters) && word.starts_with(|c: char| c.is_ascii_uppercase());
        let kept = if own.is_some() || country { last(before, letters) } else { before.len() };
        let money = own.unwrap_or(Meaning { is_currency: true, ..Meaning::default() });
        return (Some(money), before.get(..kept).unwrap_or_default());
    }
    let dotted = left.strip_suffix('.').unwrap_or(left);
    let start = last(dotted, word_of(dotted));
    let word = dotted.get(start..).unwrap_or_default();
    match meaning(word).filter(|meaning| meaning.is_currency) {
        Some(money) => (Some(money), dotted.get(..start).unwrap_or_default()),
        None => (None, left),
    }
}

/// What is after the digits of a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberSuffix {
    /// The power of ten of the magnitude.
    pub(super) power: usize,
    /// Bytes up to the end of the magnitude.
    pub(super) end: usize,
    /// Bytes up to the end of sign and bracket.
    pub(super) printed: usize,
    pub(super) money: bool,
    pub(super) percent: bool,
    /// Whether a closing bracket is there.
    pub(super) bracket: bool,
    /// Whether a minus sign is there.
    pub(super) minus: bool,
    /// Whether it is a debit; `None` without a mark of debit or credit.
    pub(super) debit: Option<bool>,
}

impl NumberSuffix {
    /// `rest` is the text after the digits, `money` whether a currency is before them, and `cents` whether
    /// they end in a fraction of two digits.
    pub(super) fn parse(rest: &str, money: bool, cents: bool) -> Self {
        let mut after = Self { money, ..Self::default() };
        after.take_multiple(rest, cents);
        let mut at = after.end;
        let tail = |at: usize| rest.get(at..).unwrap_or_default();
        let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
        if after.take_minus(tail(at)) {
            at += tail(at).chars().next().map_or(0, char::len_utf8);
            after.printed = at;
        }
        let dot = usize::from(after.power > 0 && tail(at).starts_with('.'));
        let next = at + dot + spaces(tail(at + dot));
        if let Some(bytes) = currency(tail(next)) {
            (after.money, at) = (true, next + bytes);
            if after.take_minus(tail(at)) {
                at += tail(at).chars().next().map_or(0, char::len_utf8);
                after.printed = at;
            }
        }
        after.percent = tail(at + spaces(tail(at))).starts_with('%');
        let closing = tail(at).trim_start_matches(|c| is_space(c) || c == '%');
        after.bracket = closing.starts_with(')');
        if after.bracket {
            after.printed = rest.len() - closing.len() + 1;
        } else if cents {
            let next = tail(at).trim_start_matches(is_space);
            let word = next.split(|c: char| !is_word(c)).next().unwrap_or_default();
            let said = meaning(word).unwrap_or_default();
            let ends = next.get(word.len()..).is_none_or(|rest| {
                word.len() > 1 && !rest.starts_with('.')
                    || rest.trim_start_matches(is_space).is_empty()
                    || rest.trim_start_matches(is_space).starts_with(['\n', '\r', '|', '\t'])
            });
            let shouted = word.len() > 2 || word.chars().all(char::is_uppercase);
            after.debit = (shouted && ends && (said.is_debit || said.is_credit)).then_some(said.is_debit);
        }
        after.printed = after.printed.max(after.end);
        after
    }

    /// Parses a minus sign after a number, as in `1.234,50-`.
    fn take_minus(&mut self, rest: &str) -> bool {
        let (Some(sign), after) = (rest.chars().next(), rest.chars().nth(1)) else { return false };
        let ends =
            after.is_none_or(|c| c.is_whitespace() || is_symbol(c) || matches!(c, ')' | '|' | ';' | ','));
        let is_minus = matches!(sign, '-' | '−') && ends;
        self.minus |= is_minus;
        is_minus
    }

    /// Parses a magnitude. A single letter counts only right after the digits or before a currency; some
    /// words are magnitudes only of money.
    fn take_multiple(&mut self, rest: &str, cents: bool) {
        let trimmed = rest.trim_start_matches(is_space);
        let spaces = rest.len() - trimmed.len();
        let hyphen = usize::from(spaces == 0 && trimmed.starts_with('-'));
        let word = trimmed.get(hyphen..).unwrap_or_default();
        let found = longest_meaning(word, is_unspaced_start(word));
        let Some((bytes, said)) = found else { return };
        let end = spaces + hyphen + bytes;
        let next = rest.get(end..).unwrap_or_default();
        let name = word.get(..bytes).unwrap_or_default();
        let letter = name.chars().count() == 1 && name.is_ascii();
        let dot = usize::from(bytes > 1 && next.starts_with('.'));
        let before_money =
            currency(next.get(dot..).unwrap_or_default().trim_start_matches(is_space)).is_some();
        let money = self.money || before_money;
        // `₹ 12 cr` are crores; `1,234.50 CR` is a credit.
        let credit = said.is_credit && (cents || name.chars().all(char::is_uppercase));
        let power = said.power.or(said.power_of_money.filter(|_| money && !credit));
        let near = !letter || spaces + hyphen == 0 || currency(next).is_some();
        if let Some(power) = power.filter(|_| near) {
            (self.power, self.end) = (power, end);
            self.money |= said.is_currency;
        }
    }
}

fn is_unspaced_start(text: &str) -> bool {
    text.chars().next().is_some_and(is_unspaced)
}

/// The longest known word at the start of a text, with its length in bytes. Scripts without spaces do not
/// show where it ends.
fn longest_meaning(text: &str, unspaced: bool) -> Option<(usize, Meaning)> {
    if unspaced {
        return (1..=MAX_UNSPACED).rev().find_map(|count| {
            let bytes = text.chars().take(count).map(char::len_utf8).sum();
            Some((bytes, meaning(text.get(..bytes)?)?))
        });
    }
    let letters: usize = text.chars().take(MAX_WORD).take_while(|c| is_word(*c)).map(char::len_utf8).sum();
    // `T€`.
    let symbol = text.get(letters..)?.chars().next().filter(|c| is_symbol(*c));
    let with = symbol.and_then(|c| {
        let bytes = letters + c.len_utf8();
        Some((bytes, meaning(text.get(..bytes)?)?))
    });
    with.or_else(|| Some((letters, meaning(text.get(..letters)?)?)))
}

/// The length in bytes of the currency at the start of a text.
fn currency(text: &str) -> Option<usize> {
    if let Some(symbol) = text.chars().next().filter(|c| is_symbol(*c)) {
        return Some(symbol.len_utf8());
    }
    let (bytes, said) = longest_meaning(text, is_unspaced_start(text))?;
    said.is_currency.then_some(bytes)
}

/// Whether a number is joined to another, as in dates, times and ranges.
pub(super) fn is_joined(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| matches!(c, '/' | ':' | '-' | '–');
    let ends_in_digit = |left: &str| left.chars().next_back().and_then(digit).is_some();
    let begins_with_digit = |right: &str| right.chars().next().and_then(digit).is_some();
    text.get(..start).and_then(|left| left.strip_suffix(joins)).is_some_and(ends_in_digit)
        || text.get(end..).and_then(|right| right.strip_prefix(joins)).is_some_and(begins_with_digit)
}

/// Whether digits are the number of a footnote: in square brackets, after a word or a number.
pub(super) fn is_note(text: &str, start: usize, end: usize) -> bool {
    let closes = text.get(end..).is_some_and(|rest| rest.starts_with(']'));
    let Some(before) = text.get(..start).and_then(|left| left.strip_suffix('[')).filter(|_| closes) else {
        return false;
    };
    let spaced = before.strip_suffix(' ').is_some_and(|before| before.ends_with(|c| digit(c).is_some()));
    end - start <= MAX_NOTE && (before.ends_with(|c| is_word(c) || matches!(c, '.' | '%')) || spaced)
}

/// The digits of a fraction in one character, with its length in bytes: `2½`.
pub(super) fn vulgar_fraction(rest: &str) -> Option<(usize, &'static str)> {
    let c = rest.chars().next()?;
    let digits = match c {
        '½' => "5",
        '¼' => "25",
        '¾' => "75",
        '⅕' => "2",
        '⅖' => "4",
        '⅗' => "6",
        '⅘' => "8",
        '⅛' => "125",
        '⅜' => "375",
        '⅝' => "625",
        '⅞' => "875",
        _ => return None,
    };
    Some((c.len_utf8(), digits))
}

/// Decimal text with its point moved to the right.
pub(super) fn shift_point(text: &str, power: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let padded = format!("{fraction:0<power$}");
    let (moved, rest) = padded.split_at(power.min(padded.len()));
    plain_decimal(&format!("{whole}{moved}"), rest)
}
