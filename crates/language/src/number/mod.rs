//! Numbers: as they are printed, with separators of all conventions, signs, percent, magnitudes, debit and credit;
//! and in words ([`spoken`]).

mod affixes;
mod digits;
mod magnitude;
pub mod spoken;

use std::ops::Range;

use affixes::{NumberPrefix, NumberSuffix, is_joined, is_note, shift_point, vulgar_fraction};
pub use digits::plain_decimal;
use digits::{digit, is_space};
pub use magnitude::is_money_word;

/// Bytes of a text that are read to find its decimal separator.
const SAMPLE: usize = 200_000;

/// Maximum digits of one number.
const MAX_DIGITS: usize = 64;

/// A number in a text.
#[derive(Clone, Debug)]
pub struct NumberMention {
    /// Byte range with the sign, without currency and percent sign.
    pub range: Range<usize>,
    /// Byte range with the currency before it and brackets around it.
    pub printed: Range<usize>,
    /// The possible values; more than one if the separators are ambiguous.
    pub readings: Vec<NumberReading>,
    /// Whether it is negative; `None` if brackets or marks of debit and credit leave it open.
    pub negative: Option<bool>,
    /// Whether an open sign is more likely negative.
    pub likely_negative: bool,
    /// Whether a currency is beside it.
    pub money: bool,
    /// Whether a percent sign follows.
    pub percent: bool,
    /// Whether it is a part of something else with digits, such as a date or a range.
    pub part: bool,
    /// Whether its magnitude is left out: the `4.2` of `4.2 million`.
    pub is_unscaled: bool,
    /// Whether only spaces separate it from other digits, so that it may be a number of its own: `80 430.08`
    /// is one number or two.
    pub is_set_apart: bool,
}

/// One possible value of a printed number, without its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberReading {
    /// Plain decimal text: no leading or trailing zeros, and a point only before a fraction.
    pub decimal_text: String,
    /// The decimal separator of this reading; `None` without a fraction.
    pub decimal: Option<char>,
}

impl NumberMention {
    /// Whether it is negative, with an open sign resolved to the more likely one.
    pub fn is_negative(&self) -> bool {
        self.negative.unwrap_or(self.likely_negative)
    }

    /// The value of the reading that `pick` selects.
    pub fn value(&self, pick: impl Fn(&[NumberReading]) -> Option<&NumberReading>) -> Option<f64> {
        let number: f64 = pick(&self.readings)?.decimal_text.parse().ok()?;
        number.is_finite().then_some(if self.is_negative() { -number } else { number })
    }
}

/// The decimal separator of a text, by its unambiguous numbers; `None` if they do not decide it.
pub fn decimal_separator<'a>(texts: impl Iterator<Item = &'a str>) -> Option<char> {
    let (mut commas, mut points, mut left) = (0_usize, 0_usize, SAMPLE);
    for text in texts {
        let sample = text.get(..text.floor_char_boundary(left.min(text.len()))).unwrap_or_default();
        left -= sample.len();
        scan(sample, 0..sample.len(), |number| {
            let [only] = number.readings.as_slice() else { return };
            commas += usize::from(only.decimal == Some(','));
            points += usize::from(only.decimal == Some('.'));
        });
    }
    match commas.cmp(&points) {
        std::cmp::Ordering::Less => Some('.'),
        std::cmp::Ordering::Greater => Some(','),
        std::cmp::Ordering::Equal => None,
    }
}

/// Selects the reading with the decimal separator of the text. Without a known separator, three digits after
/// the only separator are thousands.
pub fn pick_by_separator(readings: &[NumberReading], decimal: Option<char>) -> Option<&NumberReading> {
    let known = decimal.and_then(|wanted| readings.iter().find(|reading| reading.decimal == Some(wanted)));
    known.or_else(|| readings.iter().find(|reading| reading.decimal.is_none())).or(readings.first())
}

/// The only number of `text`, by the reading that `pick` selects; `None` without a number or with several.
pub fn parse(text: &str, pick: impl Fn(&[NumberReading]) -> Option<&NumberReading>) -> Option<f64> {
    let text = text.trim();
    let scientific = text.contains(['e', 'E']) && text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if scientific && let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let mut found: Option<NumberMention> = None;
    let mut several = false;
    scan(text, 0..text.len(), |mention| {
        let inside = found
            .as_ref()
            .is_some_and(|f| f.range.start <= mention.range.start && mention.range.end <= f.range.end);
        if mention.part && inside {
            return;
        }
        several |= found.is_some() || mention.part && !mention.is_unscaled;
        found.get_or_insert(mention);
    });
    found.filter(|_| !several)?.value(pick)
}

/// Calls `emit` for each number in `range` of `text`, in order.
pub fn scan(text: &str, range: Range<usize>, mut emit: impl FnMut(NumberMention)) {
    let Some(part) = text.get(range.clone()) else { return };
    let mut next = 0;
    for (offset, c) in part.char_indices() {
        if offset < next {
            continue;
        }
        let start = range.start + offset;
        if digit(c).is_none() {
            if let Some(mention) = lone_fraction(text, start) {
                emit(mention);
            }
            continue;
        }
        let groups = groups(text, start, range.end);
        let Some(end) = groups.last().map(|group| group.range.end) else { continue };
        next = end - range.start;
        mentions(text, &groups, &mut emit);
    }
}

struct Group {
    digits: String,
    range: Range<usize>,
    /// The separator before it; `'\0'` before the first.
    separator: char,
}

/// Runs of digits joined by single separators. Spaces and apostrophes join only groups of three.
fn groups(text: &str, start: usize, limit: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut at, mut separator, mut total) = (start, '\0', 0);
    loop {
        let rest = text.get(at..limit).unwrap_or("");
        let digits: String = rest.chars().map_while(digit).collect();
        let bytes: usize = rest.chars().take_while(|c| digit(*c).is_some()).map(char::len_utf8).sum();
        total += digits.len();
        let loose = matches!(separator, ' ' | '\'');
        let fits = !loose
            || (digits.len() == 3
                && groups.iter().skip(1).all(|group| group.digits.len() == 3)
                && groups.first().is_some_and(|group| group.digits.len() <= 3));
        if digits.is_empty() || !fits || (total > MAX_DIGITS && !groups.is_empty()) {
            return groups;
        }
        groups.push(Group { digits, range: at..at + bytes, separator });
        at += bytes;
        let mut after = text.get(at..limit).unwrap_or("").chars();
        separator = match after.next() {
            Some(c @ ('.' | ',')) => c,
            Some('٫') => ',',
            Some('\'' | '’' | '‘' | '´' | '٬') => '\'',
            Some(c) if is_space(c) => ' ',
            _ => return groups,
        };
        at = limit - after.as_str().len();
    }
}

fn mentions(text: &str, groups: &[Group], emit: &mut impl FnMut(NumberMention)) {
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return };
    let rest = text.get(last.range.end..).unwrap_or("");
    if NumberPrefix::parse(text, first.range.start).is_none()
        || rest.starts_with(|c| digit(c).is_some())
        || is_note(text, first.range.start, last.range.end)
    {
        // The tail of a word, a footnote, or a number cut off by the range or the limit of digits.
        return;
    }
    let whole = mention(text, groups, false);
    let is_read = whole.is_some();
    if let Some((mention, unscaled)) = whole {
        emit(mention);
        unscaled.into_iter().for_each(&mut *emit);
    }
    if groups.iter().any(|group| group.separator == ' ') {
        for run in groups.chunk_by(|_, next| next.separator != ' ') {
            match mention(text, run, true) {
                Some((mention, _)) => emit(mention),
                None => emit_partial_mentions(run, emit),
            }
        }
    } else if !is_read && groups.len() > 1 {
        emit_partial_mentions(groups, emit);
    }
}

/// Groups of digits as one number, if they can be one; also without its magnitude.
fn mention(text: &str, groups: &[Group], apart: bool) -> Option<(NumberMention, Option<NumberMention>)> {
    let (first, last) = (groups.first()?, groups.last()?);
    let before = NumberPrefix::parse(text, first.range.start)?;
    let mut readings = readings(groups, before.point);
    let mut end = last.range.end;
    let mut rest = text.get(end..).unwrap_or("");
    if let ([only], Some((bytes, digits))) = (groups, vulgar_fraction(rest)) {
        readings =
            vec![NumberReading { decimal_text: plain_decimal(&only.digits, digits), decimal: Some('½') }];
        end += bytes;
        rest = rest.get(bytes..)?;
    }
    // A dash in place of a fraction: the number before it is whole.
    if rest.strip_prefix(',').is_some_and(|rest| rest.starts_with(['-', '–', '—'])) {
        readings.retain(|reading| reading.decimal.is_none());
    }
    if readings.is_empty() {
        return None;
    }
    let printed_fraction = readings.iter().any(|reading| reading.decimal.is_some());
    let cents = printed_fraction && last.digits.len() == 2;
    let after = NumberSuffix::parse(rest, before.money, cents);
    let is_bracketed = before.bracket && after.bracket;
    let negative = match () {
        () if is_bracketed || after.debit.is_some() => None,
        () => Some(before.minus || (after.minus && printed_fraction)),
    };
    let start = if before.minus { before.start } else { first.range.start };
    let joined = is_joined(text, first.range.start, last.range.end);
    let printed_end = if after.bracket && !is_bracketed { end + after.end } else { end + after.printed };
    let number = NumberMention {
        range: start..end,
        printed: before.printed..printed_end,
        readings,
        negative,
        likely_negative: is_bracketed || after.debit == Some(true),
        money: after.money,
        percent: after.percent,
        part: apart || joined,
        is_unscaled: false,
        is_set_apart: apart,
    };
    let power = after.power + before.power;
    if power == 0 {
        return Some((number, None));
    }
    let unscaled = NumberMention { part: true, is_unscaled: true, ..number.clone() };
    let scaled = |reading: &NumberReading| NumberReading {
        decimal_text: shift_point(&reading.decimal_text, power),
        ..reading.clone()
    };
    let readings = number.readings.iter().map(scaled).collect();
    // `3万5千`: another magnitude follows.
    let part = number.part
        || text.get(end + after.end..).is_some_and(|rest| rest.starts_with(|c| digit(c).is_some()));
    Some((NumberMention { range: start..end + after.end, readings, part, ..number }, Some(unscaled)))
}

/// A fraction in one character, such as `½`, without a number before it.
fn lone_fraction(text: &str, start: usize) -> Option<NumberMention> {
    let (bytes, digits) = vulgar_fraction(text.get(start..)?)?;
    let readings = vec![NumberReading { decimal_text: plain_decimal("", digits), decimal: Some('½') }];
    let alone = !text.get(..start)?.ends_with(|c| digit(c).is_some());
    alone.then(|| NumberMention { part: false, ..partial_mention(start..start + bytes, readings) })
}

/// A positive number that is a part of something else.
fn partial_mention(range: Range<usize>, readings: Vec<NumberReading>) -> NumberMention {
    NumberMention {
        printed: range.clone(),
        range,
        readings,
        negative: Some(false),
        likely_negative: false,
        money: false,
        percent: false,
        part: true,
        is_unscaled: false,
        is_set_apart: false,
    }
}

/// Emits each group of digits as a part of something else.
fn emit_partial_mentions(groups: &[Group], emit: &mut impl FnMut(NumberMention)) {
    for group in groups {
        let readings = vec![NumberReading { decimal_text: plain_decimal(&group.digits, ""), decimal: None }];
        emit(partial_mention(group.range.clone(), readings));
    }
}

fn readings(groups: &[Group], point: bool) -> Vec<NumberReading> {
    let joined = |groups: &[Group]| groups.iter().map(|group| group.digits.as_str()).collect::<String>();
    let mut found = Vec::new();
    if let ([only], true) = (groups, point) {
        found.push(NumberReading { decimal_text: plain_decimal("", &only.digits), decimal: Some('.') });
        return found;
    }
    if is_grouped(groups, None) {
        found.push(NumberReading { decimal_text: plain_decimal(&joined(groups), ""), decimal: None });
    }
    if let [whole @ .., last] = groups
        && matches!(last.separator, '.' | ',')
        && is_grouped(whole, Some(last.separator))
    {
        let decimal_text = plain_decimal(&joined(whole), &last.digits);
        found.push(NumberReading { decimal_text, decimal: Some(last.separator) });
    }
    found
}

/// Whether digits are grouped by thousands, or as in India (`12,34,567`), with one separator that is not
/// `decimal`.
fn is_grouped(groups: &[Group], decimal: Option<char>) -> bool {
    let Some((first, rest)) = groups.split_first() else { return false };
    let Some((last, middle)) = rest.split_last() else { return true };
    let one = rest.iter().all(|group| group.separator == last.separator) && Some(last.separator) != decimal;
    let size = middle.first().map_or(3, |group| group.digits.len());
    let sizes = last.digits.len() == 3
        && middle.iter().all(|group| group.digits.len() == size)
        && (size == 3 || (size == 2 && last.separator == ','))
        && (1..=size).contains(&first.digits.len());
    one && sizes && !(first.digits.starts_with('0') && first.digits.len() > 1) && first.digits != "0"
}

#[cfg(test)]
mod tests;
